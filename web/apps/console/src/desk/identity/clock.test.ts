import { expect, test } from "vitest";
import { dayOfSeconds, happened, progressOf, sumsOf, targetOf } from "./clock.ts";

const day = (month: number, date: number, year = 2027) => ({ year, month, day: date });

test("an advance is as far as its days are over", () => {
  const advance = { fromDay: day(2, 27), untilDay: day(3, 2), days: [{ figures: [] }] };
  expect(progressOf(advance)).toEqual({ over: 1, all: 3 });
  expect(progressOf({ ...advance, days: [] })).toEqual({ over: 0, all: 3 });
  // A stopped advance ends on the present day.
  expect(progressOf({ ...advance, untilDay: day(2, 28) })).toEqual({ over: 1, all: 1 });
});

test("the figures of all days are added up by their names", () => {
  const days = [
    { figures: [{ name: "invoices.CREATED", count: 3n }] },
    {
      figures: [
        { name: "parked", count: 1n },
        { name: "invoices.CREATED", count: 4n },
      ],
    },
  ];
  expect(sumsOf(days)).toEqual([
    { name: "invoices.CREATED", count: 7n },
    { name: "parked", count: 1n },
  ]);
});

test("a figure names a journal and its action, or what workers left", () => {
  expect(happened("payment_methods.STATUS_CHANGED")).toEqual({ journal: "Payment methods", action: "Status changed" });
  expect(happened("set_aside")).toBeUndefined();
});

test("the clock goes forward alone, and no further than it can", () => {
  const wanted = { by: "days", days: 31, until: null } as const;
  const today = day(1, 31);
  expect(targetOf(wanted, today, today)).toEqual(day(3, 3));
  for (const days of [0, -1, 1.5, Number.NaN, 801])
    expect(targetOf({ ...wanted, days }, today, today), String(days)).toBeUndefined();
  expect(targetOf({ ...wanted, days: 800 }, today, today)).toBeDefined();
  const until = (at: ReturnType<typeof day> | null) => targetOf({ by: "until", days: 0, until: at }, today, today);
  expect([until(null), until(today), until(day(1, 30))]).toEqual([undefined, undefined, undefined]);
  expect(until(day(2, 1))).toEqual(day(2, 1));
});

test("the machine's day is counted in UTC", () => {
  expect(dayOfSeconds(BigInt(Date.UTC(2027, 2, 14, 23, 59, 59) / 1000))).toEqual(day(3, 14));
});
