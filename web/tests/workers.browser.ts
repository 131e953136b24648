// The desk of the workers: by keyboard, staff find one, pause it with a note, let it go on, and run it.
import { expect, test, vi } from "vitest";
import { api, asStaff, rows, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

const TIMER = "billing.expire_cards";

test("staff pause a worker, activate it and run it", async () => {
  const staff = await api();
  // A first try may have left it paused.
  if ((await staff.get<{ status: string }>(`/v1/workers/${TIMER}`)).status === "PAUSED")
    await staff.post(`/v1/workers/${TIMER}/activate`);
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("Shift+W");
  await page.getByRole("heading", { name: "Workers", level: 1 }).waitFor();
  const row = rows(page).filter({ hasText: "Expire cards" });
  await row.getByText("Every 10 minutes").waitFor();
  expect(await violationsInBoth(page, "desk-workers")).toEqual([]);
  await row.getByRole("gridcell").first().click();
  await page.getByRole("heading", { name: "Expire cards", level: 1 }).waitFor();
  await section(page, "About it").getByText(TIMER).waitFor();

  await page.getByRole("button", { name: "Pause…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Note for others" }).fill("until the repair is done");
  expect(await violationsInBoth(page, "desk-worker-pause")).toEqual([]);
  await page.getByRole("button", { name: "Pause", exact: true }).focus();
  await page.keyboard.press("Enter");
  await section(page, "About it").getByText("until the repair is done").waitFor();
  expect(await page.getByRole("button", { name: "Run now" }).isDisabled()).toBe(true);
  expect(await staff.get<{ status: string }>(`/v1/workers/${TIMER}`)).toMatchObject({ status: "PAUSED" });
  // Names, not ids, say who it was, once they are there.
  await expect.poll(() => section(page, "About it").innerText()).not.toContain(staff.id);

  await page.getByRole("button", { name: "Activate" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pause…" }).waitFor();
  const { startedAt: before } = await staff.get<{ startedAt?: string }>(`/v1/workers/${TIMER}`);
  await page.getByRole("button", { name: "Run now" }).focus();
  await page.keyboard.press("Enter");
  const ran = async () => (await staff.get<{ startedAt?: string }>(`/v1/workers/${TIMER}`)).startedAt;
  await expect.poll(ran, { timeout: 30_000, interval: 500 }).not.toBe(before);
  await section(page, "About it").getByText("Done").waitFor();
  expect(await violationsInBoth(page, "desk-worker")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
