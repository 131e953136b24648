import { beforeEach, expect, test, vi } from "vitest";

let today: typeof import("./today.ts");
let days: typeof import("./day.ts");

beforeEach(async () => {
  // Each test begins as a page does: no answer came yet.
  vi.resetModules();
  today = await import("./today.ts");
  days = await import("./day.ts");
  vi.useFakeTimers({ now: new Date("2026-01-31T23:30:00Z") });
  return () => vi.useRealTimers();
});

test("until an answer came, today is the browser's day in UTC", () => {
  expect(days.today()).toEqual({ year: 2026, month: 1, day: 31 });
  expect(today.movedTo()).toBe("");
  expect(days.now()).toBe(Date.now());
});

test("the server's day holds, whatever the browser's clock says", () => {
  today.noteToday("2026-02-01");
  expect(days.today()).toEqual({ year: 2026, month: 2, day: 1 });
  expect(today.movedTo()).toBe("");
});

test("a moved day is told, and who watches hears of each day once", () => {
  const heard = vi.fn<() => void>();
  const end = today.watchToday(heard);
  today.noteToday("2027-03-14;moved");
  today.noteToday("2027-03-14;moved");
  expect(heard).toHaveBeenCalledTimes(1);
  expect(today.movedTo()).toBe("2027-03-14");
  expect(new Date(days.now()).toISOString()).toBe("2027-03-14T23:30:00.000Z");
  end();
  today.noteToday("2027-03-15;moved");
  expect(heard).toHaveBeenCalledTimes(1);
});

test("an answer that was late does not bring a day back, and one without a day changes nothing", () => {
  today.noteToday("2027-03-15;moved");
  today.noteToday("2027-03-14;moved");
  today.noteToday(null);
  expect(today.todayText()).toBe("2027-03-15");
});

test("days are counted over the ends of months and years", () => {
  const eve = { year: 2026, month: 12, day: 31 };
  expect(days.addDays(eve, 1)).toEqual({ year: 2027, month: 1, day: 1 });
  expect(days.addDays({ year: 2028, month: 3, day: 1 }, -1)).toEqual({ year: 2028, month: 2, day: 29 });
  expect(days.daysBetween({ year: 2026, month: 2, day: 28 }, eve)).toBe(306);
  expect(days.daysBetween(eve, { year: 2026, month: 12, day: 1 })).toBe(-30);
  expect(today.isoDay({ year: 2026, month: 3, day: 4 })).toBe("2026-03-04");
});
