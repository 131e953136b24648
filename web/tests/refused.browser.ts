// A renewal that the bank refuses: the member learns what comes next, and pays with another card by keyboard alone. While staff
// hold the bill, it waits.
import { beforeAll, expect, test, vi } from "vitest";
import { refuseRenewal } from "./bills.ts";
import { familyPlan, newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { api } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 300_000 });

beforeAll(() => server.restart("--test-clock"));

test("a refused renewal is told with its next try, and is paid with another card by keyboard", async () => {
  const email = await newMember();
  await familyPlan(email);
  const { bills } = await refuseRenewal(email);
  const failed = (await bills()).filter(({ status }) => status === "FAILED");
  expect(failed.length).toBe(1);
  const again = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    Date.parse(failed[0]?.dueToCollectOn ?? ""),
  );

  const { page, errors, close } = await visit({ width: 390, height: 844 });
  await page.goto(`${server.url}/app/home`);
  await signInAs(page, email);
  const strip = page.getByText(/^Your payment of \S+ was refused$/);
  await strip.waitFor();
  await page.getByText(`We try again on ${again}.`).waitFor();
  expect(await violationsInBoth(page, "a refused renewal")).toEqual([]);
  await page.getByRole("button", { name: "Pay now" }).focus();
  await page.keyboard.press("Enter");
  // The card that was not refused is offered first.
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/1111/).first().waitFor();
  expect(await violationsInBoth(page, "paying a refused renewal")).toEqual([]);
  await dialog.getByRole("button", { name: "Pay", exact: true }).focus();
  await page.keyboard.press("Enter");
  await strip.waitFor({ state: "detached" });
  expect((await bills()).filter(({ status }) => status !== "PAID")).toEqual([]);
  // The billing page has the same strip, and now none either.
  await page.goto(`${server.url}/app/billing`);
  await page.getByRole("heading", { name: "Invoices" }).waitFor();
  expect(await strip.count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test("while staff hold the bill, the member reads until which day their payment waits", async () => {
  const email = await newMember();
  await familyPlan(email);
  const [{ own, bills }, staff] = [await refuseRenewal(email), await api()];
  const failed = (await bills()).find(({ status }) => status === "FAILED");
  const { today } = await staff.get<{ today: string }>("/v1/testClock");
  const heldUntil = new Date(Date.parse(today) + 10 * 86_400_000).toISOString().slice(0, 10);
  await staff.post(`${own}/invoices/${failed?.id}/hold`, { heldUntil, note: "after payday" });
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(heldUntil));

  const { page, errors, close } = await visit({ width: 390, height: 844 });
  await page.goto(`${server.url}/app/home`);
  await signInAs(page, email);
  await page.getByText(`Your payment waits until ${day}`).waitFor();
  await page.getByText("Until then we charge nothing by ourselves.").waitFor();
  await page.getByRole("button", { name: "Pay now" }).waitFor();
  expect(await page.getByText(/was refused$/).count()).toBe(0);
  expect(await page.getByText(/^We try again on /).count()).toBe(0);
  expect(await page.getByText("after payday").count()).toBe(0);
  expect(await violationsInBoth(page, "a held bill")).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
