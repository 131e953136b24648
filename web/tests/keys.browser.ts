// Every kind of field keeps what is pressed into it, key by key, as people fill in a form.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { familyOrder, newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { api, asStaff, section } from "./staff.ts";
import { visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Presses keys in the field that has the focus; `look` sees the page after each of them. */
async function press(page: Page, text: string, look: () => Promise<void> = async () => undefined) {
  for (const letter of text) {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    await look();
  }
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
  await page.getByRole("textbox", { name: "Text", exact: true }).click();
  await press(page, "Ada (Lovelace), 10 %");
  expect(await page.getByRole("textbox", { name: "Text", exact: true }).inputValue()).toBe("Ada (Lovelace), 10 %");
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
  await day.getByRole("spinbutton").first().click();
  await press(page, "12312029");
  expect((await day.getByRole("spinbutton").allTextContents()).join("/")).toBe("12/31/2029");
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
  const type = async (label: string | RegExp, text: string) => {
    const field = form.getByRole("textbox", { name: label, exact: true }).first();
    await field.click();
    await press(page, text);
    expect(await field.inputValue()).toBe(text);
  };
  await type("Name", "A plan, with 2 parts");
  await page.goto(`${server.url}/console/x/InvoiceService/RefundInvoice`);
  await form.getByRole("combobox", { name: /^Identity/ }).waitFor();
  await type(/^Amount/, "22.45");
  await page.goto(`${server.url}/console/x/TaxService/SetTaxRate`);
  await type(/^Rate/, "62500");
  const day = form.getByRole("group", { name: /^Effective from/ });
  await day.getByRole("spinbutton").first().click();
  await press(page, "01022031");
  expect((await day.getByRole("spinbutton").allTextContents()).join("/")).toBe("1/2/2031");
  expect(complaints).toEqual([]);
  await context.close();
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
