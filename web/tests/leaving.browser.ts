// Text that was typed is not dropped by Escape, a link, a key or a step back without a question.
import { expect, test, vi } from "vitest";
import { newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { asStaff, rows } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

test("Escape in a form that was typed into asks first", async () => {
  const { page, context, complaints } = await asStaff("/console/r/orders/Order");
  await rows(page).nth(1).getByRole("gridcell").nth(1).click();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Create order note/ }).click();
  const dialog = page.getByRole("dialog", { name: "Create order note" });
  const text = dialog.getByRole("textbox", { name: "Text", exact: true });
  // Nothing typed: Escape closes it at once.
  await text.click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: /^Create order note/ }).click();
  await text.click();
  await page.keyboard.type("They called about the bill.");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "What you typed is not saved" });
  await question.waitFor();
  expect(await violationsInBoth(page, "a question before leaving")).toEqual([]);
  await question.getByRole("button", { name: "Keep typing" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await text.inputValue()).toBe("They called about the bill.");
  // The further step of the dialog keeps the text, and so does the question there.
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog
    .getByText("This would change:")
    .or(dialog.getByText("The platform would accept this."))
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Leave without it" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
  await context.close();
});

test("links, keys and a step back ask before a form's text is lost", async () => {
  const { page, context, complaints } = await asStaff("/console/");
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Products", exact: true }).click();
  await page.getByRole("link", { name: "Create product" }).click();
  const name = page.getByRole("textbox", { name: "Name", exact: true }).first();
  await name.click();
  await page.keyboard.type("A new plan");
  const question = page.getByRole("alertdialog", { name: "What you typed is not saved" });
  const stay = async () => {
    await question.getByRole("button", { name: "Keep typing" }).click();
    await question.waitFor({ state: "hidden" });
    expect(new URL(page.url()).pathname).toBe("/console/x/ProductService/CreateProduct");
    expect(await name.inputValue()).toBe("A new plan");
  };
  await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
  await stay();
  await page.goBack();
  await stay();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("invoices and refunds");
  await page.getByRole("menuitem", { name: /Invoices and refunds/ }).waitFor();
  await page.keyboard.press("Enter");
  await stay();
  await page.goBack();
  await question.getByRole("button", { name: "Leave without it" }).click();
  await page.getByRole("heading", { name: "Products", level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("text that was emptied again is not asked about", async () => {
  const { page, context } = await asStaff("/console/x/ProductService/CreateProduct");
  await page.getByRole("textbox", { name: "Name", exact: true }).first().click();
  await page.keyboard.type("A");
  await page.keyboard.press("Backspace");
  await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
  await rows(page).nth(1).waitFor();
  expect(await page.getByRole("alertdialog").count()).toBe(0);
  await context.close();
});

test("a member's form asks too, and what was saved is not asked about", async () => {
  const { page, errors, close } = await visit();
  await page.goto(`${server.url}/app/profile`);
  await signInAs(page, await newMember());
  const field = page.getByLabel("Another address");
  await field.click();
  await page.keyboard.type("second@example.com");
  const plans = page.getByRole("navigation").getByRole("link", { name: "My plans" }).first();
  await plans.click();
  const question = page.getByRole("alertdialog", { name: "What you typed is not saved" });
  expect(await violationsInBoth(page, "a question before leaving, for members")).toEqual([]);
  await question.getByRole("button", { name: "Keep typing" }).click();
  expect(await field.inputValue()).toBe("second@example.com");
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(`second-${crypto.randomUUID()}@example.com`);
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  await plans.click();
  await page.getByRole("heading", { level: 1, name: "My plans" }).waitFor();
  expect(errors).toEqual([]);
  await close();
});

test("a tick and a choice are asked about, and one that is taken back is not", async () => {
  const { page, context, complaints } = await asStaff("/console/x/ProductService/CreateProduct");
  const form = page.locator("form");
  const question = page.getByRole("alertdialog", { name: "What you typed is not saved" });
  const orders = page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true });
  const tick = form.getByRole("checkbox").first();
  await tick.waitFor();
  const label = form.locator("label", { has: page.getByRole("checkbox") }).first();
  await label.click();
  expect(await tick.isChecked()).toBe(true);
  await orders.click();
  await question.getByRole("button", { name: "Keep typing" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await tick.isChecked()).toBe(true);
  await label.click();
  const choice = form.locator('button[aria-haspopup="listbox"]').first();
  await choice.click();
  await page.locator('[data-trigger="Select"]').getByRole("option").nth(1).click();
  await orders.click();
  await question.getByRole("button", { name: "Leave without it" }).click();
  await rows(page).nth(1).waitFor();
  await page.goto(`${server.url}/console/x/ProductService/CreateProduct`);
  await tick.waitFor();
  await label.click();
  await label.click();
  await orders.click();
  await rows(page).nth(1).waitFor();
  expect(await question.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a member's sign-out and the page of an invitation ask before typed text is dropped", async () => {
  const { page, errors, close } = await visit();
  await page.goto(`${server.url}/app/profile`);
  await signInAs(page, await newMember());
  const field = page.getByLabel("Another address");
  await field.click();
  await page.keyboard.type("second@example.com");
  const question = page.getByRole("alertdialog", { name: "What you typed is not saved" });
  const leave = page.getByRole("button", { name: "Sign out" });
  await leave.click();
  await question.getByRole("button", { name: "Keep typing" }).click();
  expect(await field.inputValue()).toBe("second@example.com");
  await leave.click();
  await question.getByRole("button", { name: "Leave without it" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto(`${server.url}/app/invitations/none`);
  await page.getByLabel("The code from the letter").click();
  await page.keyboard.type("ABCD");
  await page.getByRole("banner").getByRole("link").first().click();
  await question.getByRole("button", { name: "Keep typing" }).click();
  expect(await page.getByLabel("The code from the letter").inputValue()).toBe("ABCD");
  expect(errors).toEqual([]);
  await close();
});
