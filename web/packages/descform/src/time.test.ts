import { expect, test } from "vitest";
import { localOf, momentOf } from "./time.ts";

test.each([
  ["2026-03-31T09:30", "UTC", 1_774_949_400n],
  ["2026-03-31T09:30", "America/Chicago", 1_774_967_400n],
  ["2026-01-31T09:30", "America/Chicago", 1_769_873_400n],
  ["2026-11-01T01:30", "America/New_York", 1_793_511_000n],
])("%s in %s", (local, zone, seconds) => {
  expect(momentOf(local, zone)?.seconds).toBe(seconds);
  expect(localOf(seconds, 0, zone)).toBe(`${local}:00`);
});

test.each(["2026-02-30T10:00", "2026-13-01T10:00", "2026-01-01", "2026-01-01T25:00", "soon"])(
  "%s is no time",
  (local) => {
    expect(momentOf(local, "UTC")).toBeUndefined();
  },
);

test("a time that the clocks skip is no time there", () => {
  expect(momentOf("2026-03-08T02:30", "America/New_York")).toBeUndefined();
});

test("fractions survive", () => {
  expect(momentOf("2026-01-01T00:00:00.123456789", "UTC")?.nanos).toBe(123_456_789);
  expect(localOf(0n, 500_000_000, "UTC")).toBe("1970-01-01T00:00:00.500");
});
