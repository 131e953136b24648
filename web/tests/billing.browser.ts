// The desks of billing: by keyboard, staff hold an unpaid invoice, change, withdraw and end a plan, look at a billing day,
// and export what differs from the vendors.
import { beforeAll, expect, test, vi } from "vitest";
import { refuseRenewal, type Bill } from "./bills.ts";
import { familyPlan, newMember, PASSWORD } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, asStaff, rows, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

/** The invoice that was refused, and the address of its member's records. */
let refused: { bill: Bill; own: string };

beforeAll(async () => {
  await server.restart("--test-clock");
  const email = await newMember();
  await familyPlan(email);
  const { own, bills } = await refuseRenewal(email);
  const bill = (await bills()).find(({ status }) => status === "FAILED");
  if (bill === undefined) throw new Error("no renewal was refused");
  refused = { bill, own };
});

/** Goes to a desk by its key. */
async function atDesk(letter: string, heading: string) {
  const watched = await asStaff();
  await watched.page.getByRole("heading", { name: "Where to?" }).waitFor();
  await watched.page.keyboard.press("g");
  await watched.page.keyboard.press(`Shift+${letter}`);
  await watched.page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  return watched;
}

test("an unpaid invoice is held until a promised day", async () => {
  const { page, context, complaints } = await atDesk("L", "Collections");
  const row = rows(page).filter({ hasText: refused.bill.number });
  await row.getByText("Insufficient funds").waitFor();
  expect(await violationsInBoth(page, "desk-collections")).toEqual([]);
  await row.getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Hold invoice…" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Hold invoice" });
  const staff = await api();
  const { today } = await staff.get<{ today: string }>("/v1/testClock");
  const promised = new Date(Date.parse(today) + 5 * 86_400_000).toISOString().slice(0, 10);
  const [year, month, day] = promised.split("-");
  await dialog.getByRole("group", { name: "Held until" }).getByRole("spinbutton").first().focus();
  await page.keyboard.type(`${month}${day}${year}`);
  await dialog.getByRole("textbox", { name: "Note" }).fill("after payday");
  await dialog.getByRole("button", { name: "Do it for 1" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("1 done, 0 could not be done, 0 left as they are").waitFor();
  expect(await staff.get<Bill>(`${refused.own}/invoices/${refused.bill.id}`)).toMatchObject({ heldUntil: promised });
  await dialog.getByRole("button", { name: "Close" }).last().focus();
  await page.keyboard.press("Enter");
  await row.getByText(/^Held until /).waitFor();
  await row.getByText("after payday").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a billing day shows what was declined on it, and its worker is run again", async () => {
  const { page, context, complaints } = await atDesk("D", "Billing day");
  const staff = await api();
  const { today } = await staff.get<{ today: string }>("/v1/testClock");
  const back = Math.round((Date.parse(today) - Date.parse(refused.bill.dueOn ?? today)) / 86_400_000);
  for (let step = 0; step < back; step += 1) {
    await page.getByRole("button", { name: "The day before" }).focus();
    await page.keyboard.press("Enter");
  }
  const declined = section(page, "Declined");
  await declined.getByText(refused.bill.number).waitFor();
  const count = section(page, "How many").getByRole("row").filter({ hasText: "Declined" }).getByRole("cell").nth(1);
  expect(Number(await count.innerText())).toBeGreaterThan(0);
  await section(page, "How much").getByText(/\$\d/).first().waitFor();
  expect(await violationsInBoth(page, "desk-billing-day")).toEqual([]);
  await page.getByRole("button", { name: "Run now: Collect invoices" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The worker runs now").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a plan is changed as it was shown, the change is withdrawn, and the plan is ended", async () => {
  const email = await newMember();
  await familyPlan(email);
  const member = await restOf(email, PASSWORD);
  const own = `/v1/identities/${member.id}/subscriptions`;
  type Plan = { id: string; status: string; change?: object };
  const plan = async () => (await member.get<{ subscriptions: Plan[] }>(own)).subscriptions[0];
  const { id = "" } = (await plan()) ?? {};
  type Bought = { totals: { total: { amount: string } } };
  const { orders } = await member.get<{ orders: Bought[] }>(`/v2/identities/${member.id}/orders`);
  const paid = orders[0]?.totals.total;
  const { page, context, complaints } = await asStaff(`/console/r/billing/Subscription/${id}?owner=${member.id}`);
  await page.getByRole("link", { name: "Open at the desk" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/desk\/subscriptions\//);
  const line = section(page, "On one line of time");
  await line.getByRole("img", { name: /the days are listed below/ }).waitFor();
  await line.getByRole("row").filter({ hasText: "Next bill" }).waitFor();
  expect(await violationsInBoth(page, "desk-subscription")).toEqual([]);

  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await press("Change the plan…");
  await page.getByRole("dialog", { name: "Change the plan" }).waitFor();
  expect(await violationsInBoth(page, "desk-subscription-change")).toEqual([]);
  await press("Show what it costs");
  await page.getByText("It begins on").waitFor();
  expect(await violationsInBoth(page, "desk-subscription-preview")).toEqual([]);
  await press("Change it for this amount");
  await line.getByRole("row").filter({ hasText: "The change of the plan begins" }).waitFor();
  expect((await plan())?.change).toBeDefined();

  await press("Withdraw the change…");
  await press("Withdraw the change");
  await line.getByRole("row").filter({ hasText: "The change of the plan begins" }).waitFor({ state: "detached" });
  expect((await plan())?.change).toBeUndefined();

  await press("End it now…");
  // All of the first period is unused on its first day.
  await page.getByText(`They would give $${(Number(paid?.amount) / 100).toFixed(2)}, with taxes.`).waitFor();
  expect(await violationsInBoth(page, "desk-subscription-end")).toEqual([]);
  await press("End it today");
  await page.getByRole("button", { name: "End it now…" }).waitFor({ state: "detached" });
  expect((await plan())?.status).toBe("CANCELLED");
  expect(complaints).toEqual([]);
  await context.close();
});

test("what differs from the vendors is looked at and exported", async () => {
  const { page, context, complaints } = await atDesk("V", "Reconciliation");
  await section(page, "Disputes").getByText("There is none.").waitFor();
  await section(page, "Days that were compared").waitFor();
  await section(page, "Differences").getByRole("grid").or(page.getByText("Nothing differs")).first().waitFor();
  expect(await violationsInBoth(page, "desk-reconciliation")).toEqual([]);
  await page.getByRole("button", { name: "Export…" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export differences" });
  await dialog.getByRole("button", { name: "Download CSV" }).focus();
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  await dialog.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});
