import { expect, test } from "vitest";
import { amountOf, minorOf } from "./amount.ts";

test.each([
  ["5", "en-US", 500n],
  ["5.", "en-US", 500n],
  ["5.5", "en-US", 550n],
  ["22.45", "en-US", 2245n],
  ["$1,205.07", "en-US", 120_507n],
  ["CA$5.00", "en-CA", 500n],
  ["1 205,07 $", "fr-CA", 120_507n],
  [",5", "fr-CA", 50n],
  ["5.005", "en-US", null],
  ["22,45", "en-US", null],
  ["22.45", "fr-CA", null],
  ["-5", "en-US", null],
  ["", "en-US", null],
  ["$", "en-US", null],
  ["5.0.0", "en-US", null],
])("%s in %s is %s", (text, locale, minor) => {
  expect(minorOf(text, locale)).toBe(minor);
});

test.each(["en-US", "es-US", "en-CA", "fr-CA"])("an amount that is written in %s is read again", (locale) => {
  for (const minor of [0n, 5n, 2245n, 120_507n, 123_456_789n])
    expect(minorOf(amountOf(minor, locale, "CAD"), locale)).toBe(minor);
});
