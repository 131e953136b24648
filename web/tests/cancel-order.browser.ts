// A member cancels an order by keyboard while they may change their mind: they see before what ends and what goes back, and
// after it what went back. A day too late it is refused, and no longer offered.
import { beforeAll, expect, test, vi } from "vitest";
import { legalPlan, newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** The days after the purchase on which an order can be cancelled, unless the operator sets others. */
const DAYS = 10;

type Amount = { amount: string };
type Cancellation = { reason: string; finishedAt?: string; refunded?: Amount };
type Bought = { id: string; totals: { total: Amount }; cancellation?: Cancellation };

beforeAll(() => server.restart("--test-clock"));

/** A member with a plan, on the page of their plans. */
async function withPlan() {
  const email = await newMember();
  await legalPlan(email, "family");
  const member = await restOf(email, PASSWORD);
  const order = async () => {
    const { orders } = await member.get<{ orders: Bought[] }>(`/v2/identities/${member.id}/orders`);
    const [only] = orders;
    if (only === undefined) throw new Error("the member has no order");
    return only;
  };
  const visited = await visit({ width: 390, height: 844 });
  await visited.page.goto(`${server.url}/app/plans`);
  await signInAs(visited.page, email);
  const price = `$${(Number((await order()).totals.total.amount) / 100).toFixed(2)}`;
  return { ...visited, order, price };
}

test("an order is cancelled, and the member sees what went back", async () => {
  const { page, errors, close, order, price } = await withPlan();
  const cancel = page.getByRole("button", { name: /^Cancel this order: Legal Plan/ });
  await cancel.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Cancel this order?" });
  await dialog.getByText(/^It ends today: Legal Plan.*\. Nobody is covered by it from then on\.$/).waitFor();
  await dialog.getByText(`${price} goes back to Visa`, { exact: false }).waitFor();
  expect(await violationsInBoth(page, "cancel an order")).toEqual([]);
  await dialog.getByRole("radio", { name: "I changed my mind" }).focus();
  await page.keyboard.press("ArrowDown");
  await dialog.getByRole("button", { name: "Cancel this order" }).focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Your order is being cancelled").first().waitFor();
  await page.getByText(/^Cancelled on /).waitFor({ timeout: 60_000 });
  await page.getByText(`${price} went back to where you paid from`).waitFor();
  expect(await cancel.count()).toBe(0);
  expect(await violationsInBoth(page, "a cancelled order")).toEqual([]);
  const { id, cancellation, totals } = await order();
  expect(cancellation).toMatchObject({ reason: "MISTAKE", refunded: totals.total });
  // The plans end with the order, without another visit.
  await expect.poll(() => page.getByRole("button", { name: /^Cancel plan/ }).count()).toBe(0);
  await page.goto(`${server.url}/app/orders/${id}`);
  await page.getByRole("heading", { name: "Your order is cancelled" }).waitFor();
  await page.getByText(`${price} went back to where you paid from`).waitFor();
  expect(await violationsInBoth(page, "a cancelled order by itself")).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

test("a day too late the order stays, and the plan can still be ended", async () => {
  const { page, errors, close, order } = await withPlan();
  const cancel = page.getByRole("button", { name: /^Cancel this order/ });
  await cancel.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Cancel this order?" });
  await dialog.getByText("This cannot be undone.", { exact: false }).waitFor();
  const staff = await api();
  const { today } = await staff.get<{ today: string }>("/v1/testClock");
  await staff.post("/v1/testClock/advance", { days: DAYS + 1 });
  const stands = async () => {
    const { lastAdvance } = await staff.get<{ lastAdvance: { advancing?: boolean } }>("/v1/testClock");
    return lastAdvance.advancing !== true;
  };
  await vi.waitUntil(stands, { timeout: 240_000, interval: 500 });
  await dialog.getByRole("button", { name: "Cancel this order" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("It is too late to cancel this order").waitFor();
  const last = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    Date.parse(today) + DAYS * 86_400_000,
  );
  await dialog.getByText(`It could be cancelled until ${last}.`).waitFor();
  expect(await violationsInBoth(page, "too late to cancel an order")).toEqual([]);
  await dialog.getByRole("button", { name: "Keep it" }).focus();
  await page.keyboard.press("Enter");
  await page.reload();
  await page.getByRole("button", { name: /^Cancel plan/ }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await cancel.count()).toBe(0);
  expect((await order()).cancellation).toBeUndefined();
  expect(errors).toEqual([]);
  await close();
});
