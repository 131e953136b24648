// The desk of the test clock: by keyboard, staff move the days, and both apps show the moved day.
import { expect, test, vi } from "vitest";
import { server } from "./platform.ts";
import { api, asStaff, section } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 240_000 });

test("without a test clock the desk says how to start with one", async () => {
  const { page, context, complaints } = await asStaff("/console/desk/test-clock");
  await page.getByRole("heading", { name: "Test clock", level: 1 }).waitFor();
  await page.getByText("pavise serve --test-clock").waitFor();
  expect(await page.getByRole("button", { name: "Move the clock…" }).count()).toBe(0);
  expect(await page.getByText(/^Test clock: /).count()).toBe(0);
  expect(await violationsInBoth(page, "desk-test-clock-off")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("staff move the clock by two days, and both apps show the day", async () => {
  await server.restart("--test-clock");
  const staff = await api();
  const { today } = await staff.get<{ today: string }>("/v1/testClock");
  const day = (more: number, dateStyle: "long" | "medium") =>
    new Intl.DateTimeFormat("en-US", { dateStyle, timeZone: "UTC" }).format(Date.parse(today) + more * 86_400_000);
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("Shift+T");
  await page.getByRole("heading", { name: "Test clock", level: 1 }).waitFor();
  const days = page.getByRole("textbox", { name: "Days" });
  await days.fill("2");
  await page.keyboard.press("Tab");
  await page.getByText(`It goes to ${day(2, "long")}.`).waitFor();
  expect(await violationsInBoth(page, "desk-test-clock")).toEqual([]);
  await page.getByRole("button", { name: "Move the clock…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("There is no way back to an earlier day.").waitFor();
  await page.getByRole("button", { name: "Move the clock", exact: true }).focus();
  await page.keyboard.press("Enter");

  // Each day comes to the page by itself, and the form is there again when the clock stands.
  const byDay = section(page, "Day by day");
  await byDay.getByText(day(1, "medium")).waitFor({ timeout: 120_000 });
  await byDay.getByText(day(2, "medium")).waitFor({ timeout: 120_000 });
  await page.getByRole("button", { name: "Move the clock…" }).waitFor({ timeout: 30_000 });
  await page.getByText(`Test clock: ${day(2, "long")}`).waitFor();
  expect(await staff.get("/v1/testClock")).toMatchObject({ moved: true, lastAdvance: { fromDay: today } });
  expect(await violationsInBoth(page, "desk-test-clock-moved")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();

  const visitor = await visit({ width: 390, height: 844 });
  await visitor.page.goto(`${server.url}/app/`);
  await visitor.page.getByText(`Test clock: ${day(2, "long")}`).waitFor();
  expect(await violationsInBoth(visitor.page, "test clock in the shop")).toEqual([]);
  expect(visitor.errors).toEqual([]);
  await visitor.close();
});
