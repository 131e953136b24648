// Every kind of field keeps what is pressed into it, key by key, as people fill in a form.
import type { Locator, Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { familyOrder, newEmail, newMember, PASSWORD, sentTo, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { api, asStaff, section } from "./staff.ts";
import { codeOf } from "./totp.ts";
import { visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Presses keys in the field that has the focus; `look` sees the page after each of them. */
async function press(page: Page, text: string, look: () => Promise<void> = async () => undefined) {
  for (const letter of text) {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    await look();
  }
}

/** Presses keys in a field, and finds all of them in it. */
async function pressInto(page: Page, field: Locator, text: string) {
  await field.click();
  await press(page, text);
  expect(await field.inputValue()).toBe(text);
}

/** Presses the parts of a day in its field. */
async function pressDay(page: Page, day: Locator, keys: string) {
  await day.getByRole("spinbutton").first().click();
  await press(page, keys);
  return (await day.getByRole("spinbutton").allTextContents()).join("/");
}

test("an amount stays as it is typed, and is written out when the field is left", async () => {
  const { page, context, complaints } = await asStaff("/console/components");
  const amount = page.getByRole("textbox", { name: "Amount" });
  const values: string[] = [];
  await amount.click();
  await page.keyboard.press("ControlOrMeta+a");
  await press(page, "1234.5", async () => void values.push(await amount.inputValue()));
  expect(values).toEqual(["1", "12", "123", "1234", "1234.", "1234.5"]);
  await page.keyboard.press("Tab");
  await expect.poll(() => amount.inputValue()).toBe("$1,234.50");
  // The written amount is edited in place.
  await amount.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await press(page, "9");
  expect(await amount.inputValue()).toBe("$1,234.59");
  await page.keyboard.press("Tab");
  expect(await amount.inputValue()).toBe("$1,234.59");
  // Text that is no amount stays, so that it can be corrected.
  await amount.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await press(page, "22,45");
  await page.keyboard.press("Tab");
  expect(await amount.inputValue()).toBe("22,45");
  await page.getByText("This is not an amount, such as $29.95.").waitFor();
  await amount.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Tab");
  expect(await amount.inputValue()).toBe("");
  expect(complaints).toEqual([]);
  await context.close();
});

test("text, numbers, days and choices take key after key", async () => {
  const { page, context, complaints } = await asStaff("/console/components");
  await pressInto(page, page.getByRole("textbox", { name: "Text", exact: true }), "Ada (Lovelace), 10 %");
  const area = page.getByRole("textbox", { name: "Several lines" });
  await area.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Enter");
  await press(page, "Three");
  expect(await area.inputValue()).toBe("One\nTwo\nThree");
  const number = page.getByRole("textbox", { name: "Number" });
  await number.click();
  await page.keyboard.press("ControlOrMeta+a");
  await press(page, "1234.5");
  expect(await number.inputValue()).toBe("1234.5");
  await page.keyboard.press("Tab");
  await expect.poll(() => number.inputValue()).toBe("1,234.5");
  const day = page.getByRole("group", { name: "Day", exact: true });
  expect(await pressDay(page, day, "12312029")).toBe("12/31/2029");
  const found = page.getByRole("combobox", { name: "One of many" });
  await found.click();
  await press(page, "ann");
  expect(await found.inputValue()).toBe("ann");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => found.inputValue()).toMatch(/^Ann/);
  expect(complaints).toEqual([]);
  await context.close();
});

test("the fields that are made from the contract take key after key", async () => {
  const { page, context, complaints } = await asStaff("/console/x/ProductService/CreateProduct");
  const form = page.locator("form");
  const type = (label: string | RegExp, text: string) =>
    pressInto(page, form.getByRole("textbox", { name: label, exact: true }).first(), text);
  await type("Name", "A plan, with 2 parts");
  await page.goto(`${server.url}/console/x/InvoiceService/RefundInvoice`);
  await form.getByRole("combobox", { name: /^Identity/ }).waitFor();
  await type(/^Amount/, "22.45");
  await page.goto(`${server.url}/console/x/TaxService/SetTaxRate`);
  await type(/^Rate/, "62500");
  const day = form.getByRole("group", { name: /^Effective from/ });
  expect(await pressDay(page, day, "01022031")).toBe("1/2/2031");
  expect(complaints).toEqual([]);
  await context.close();
});

test("letters find a choice, at a list and at the button that opens it", async () => {
  const { page, context, complaints } = await asStaff("/console/components");
  const button = page.getByRole("button", { name: /One of some/ });
  const native = page.getByRole("combobox", { name: "The browser’s own" });
  await button.focus();
  await press(page, "mo");
  await expect.poll(() => button.innerText()).toContain("Monthly");
  await native.focus();
  await press(page, "an");
  await expect.poll(() => native.inputValue()).toBe("annual");
  await button.focus();
  await page.keyboard.press("Enter");
  const monthly = page.getByRole("listbox").getByRole("option", { name: "Monthly" });
  await monthly.waitFor();
  await press(page, "mo");
  await expect.poll(() => monthly.evaluate((option) => option === document.activeElement)).toBe(true);
  // No key of these is a command: `g o` goes to the orders elsewhere.
  await press(page, "go");
  await page.keyboard.press("Enter");
  await expect.poll(() => button.innerText()).toContain("Monthly");
  expect(new URL(page.url()).pathname).toBe("/console/components");
  expect(complaints).toEqual([]);
  await context.close();
});

test("a moment and its time zone, and a secret, take key after key", async () => {
  const { page, context, complaints } = await asStaff("/console/x/PaymentMethodService/RecordTransaction");
  const moment = page.getByLabel(/^Settled at/);
  await moment.focus();
  await press(page, "01022031");
  // A year may have more digits than four.
  await page.keyboard.press("ArrowRight");
  await press(page, "0930p");
  expect(await moment.inputValue()).toBe("2031-01-02T21:30");
  const zone = page.getByRole("button", { name: /Time zone/ });
  await zone.focus();
  await press(page, "America/New");
  await expect.poll(() => zone.innerText()).toContain("America/New York");
  expect(await moment.inputValue()).toBe("2031-01-02T21:30");
  await page.goto(`${server.url}/console/x/ApplicationService/VerifyApplicationKey`);
  const secret = page.locator("form").getByLabel(/^Key/);
  expect(await secret.getAttribute("type")).toBe("password");
  await pressInto(page, secret, "A key, with 2 parts");
  expect(complaints).toEqual([]);
  await context.close();
});

test("a buyer fills in an account and the details key by key", async () => {
  const { page, errors, close } = await visit();
  await page.goto(`${server.url}/app/`);
  const region = page.getByLabel("Where do you live?");
  await region.focus();
  await press(page, "Tex");
  await expect
    .poll(() => region.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text))
    .toBe("Texas");
  await page.getByRole("button", { name: "Choose Legal Plan, Family" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your choice" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await pressInto(page, page.getByLabel("E-mail address"), newEmail());
  await pressInto(page, page.getByLabel("Password"), PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "About you" }).waitFor();
  await pressInto(page, page.getByLabel("ZIP code"), "78701");
  await pressInto(page, page.getByLabel("Phone number"), "(512) 555-0177");
  await page.getByRole("button", { name: "Add a person" }).click();
  const born = page.getByRole("group", { name: "Person 1" }).getByRole("group", { name: /^Date of birth/ });
  expect(await pressDay(page, born, "05172012")).toBe("5/17/2012");
  expect(await page.getByLabel("ZIP code").inputValue()).toBe("78701");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("(512) 555-0177");
  expect(errors).toEqual([]);
  await close();
});

test("a password, a telephone number and codes for one use take key after key", async () => {
  const email = await newMember();
  const { page, errors, close } = await visit();
  await page.goto(`${server.named}/app/security`);
  const enter = async () => {
    await pressInto(page, page.getByLabel("E-mail address"), email);
    await pressInto(page, page.getByLabel("Password"), PASSWORD);
    await page.keyboard.press("Enter");
  };
  const add = async (kind: string) => {
    await page.getByRole("button", { name: "Add a second step" }).click();
    await page.getByRole("dialog").getByText(kind, { exact: true }).click();
    await page.getByRole("button", { name: "Continue" }).click();
  };
  const code = page.getByLabel("Code of six digits");
  await enter();
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  await add("Authenticator app");
  const secret = await page.getByRole("dialog").locator("code").innerText();
  await pressInto(page, code, codeOf(secret));
  await page.getByRole("button", { name: "Check and turn on" }).click();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await add("Text message");
  const digits = String(Math.floor(Math.random() * 9000) + 1000);
  await pressInto(page, page.getByLabel("Phone number"), `(512) 555-${digits}`);
  await page.getByRole("button", { name: "Send a code" }).click();
  await page.getByText("We sent a code to").waitFor();
  await pressInto(page, code, await sentTo(`+1512555${digits}`, /\b(\d{6})\b/));
  await page.getByRole("button", { name: "Check and turn on" }).click();
  await page.getByRole("button", { name: "Change Text message" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).last().click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await enter();
  await pressInto(page, code, codeOf(secret, 1));
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  expect(errors).toEqual([]);
  await close();
});

test("a card is typed digit by digit, and its groups come by themselves", async () => {
  const email = await newMember();
  const { order } = await familyOrder(email);
  const { page, errors, close } = await visit();
  await page.goto(`${server.url}/app/orders/${order}`);
  await signInAs(page, email);
  const number = page.getByLabel("Card number");
  await number.click();
  await press(page, "4111111111111111");
  expect(await number.inputValue()).toBe("4111 1111 1111 1111");
  await page.getByLabel("Expires").click();
  await press(page, "1239");
  expect(await page.getByLabel("Expires").inputValue()).toMatch(/^12 ?\/ ?39$/);
  const holder = page.getByLabel("Name on the card");
  await holder.click();
  await page.keyboard.press("ControlOrMeta+a");
  await press(page, "Ada O'Example");
  expect(await holder.inputValue()).toBe("Ada O'Example");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("heading", { name: "Your plan is active" }).waitFor({ timeout: 60_000 });
  expect(errors).toEqual([]);
  await close();
});

type Invoice = { id: string; status: string; total: { amount: string; currency: string } };

/** A member with a paid invoice. */
async function payer() {
  const staff = await api();
  const { identities } = await staff.get<{ identities: { id: string; emails?: { address: string }[] }[] }>(
    "/v1/identities?realm=User&pageSize=200",
  );
  for (const { id, emails } of identities) {
    const { invoices = [] } = await staff.get<{ invoices?: Invoice[] }>(`/v1/identities/${id}/invoices`);
    const invoice = invoices.find(({ status }) => status === "PAID");
    const email = emails?.[0]?.address;
    if (invoice !== undefined && email !== undefined) return { email, invoice };
  }
  throw new Error("nobody paid");
}

test("half of an invoice is refunded from the start page in nine actions", async () => {
  const { email, invoice } = await payer();
  const half = (Math.floor(Number(invoice.total.amount) / 2) / 100).toFixed(2);
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  let actions = 0;
  const act = async (what: () => Promise<unknown>) => {
    actions += 1;
    await what();
  };
  await act(() => page.getByRole("navigation").getByRole("link", { name: "Invoices and refunds" }).click());
  await act(() => page.getByRole("combobox", { name: "Member" }).click());
  await act(() => press(page, email));
  await act(() => page.keyboard.press("Enter"));
  await act(() => page.locator(`a[href*="invoice=${invoice.id}"]`).click());
  const form = page.getByRole("form", { name: "Refund" });
  await act(() => form.getByRole("textbox", { name: "Amount" }).click());
  const seen: string[] = [];
  await act(() =>
    press(page, half, async () => void seen.push(await form.getByRole("textbox", { name: "Amount" }).inputValue())),
  );
  expect(seen.at(-1)).toBe(half);
  expect(seen).toEqual([...half].map((_letter, index) => half.slice(0, index + 1)));
  await act(() => page.keyboard.press("Enter"));
  const sure = page.getByRole("alertdialog").getByRole("button", { name: /^Refund (CA)?\$/ });
  await sure.waitFor();
  await act(() => sure.click());
  expect(actions).toBeLessThanOrEqual(9);
  await expect.poll(() => form.getByRole("alert").innerText(), { timeout: 30_000 }).toContain("It is given back");
  await section(page, "Refunds").getByRole("row").nth(1).getByText(`$${half}`).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
