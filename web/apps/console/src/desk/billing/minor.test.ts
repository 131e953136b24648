import { expect, test } from "vitest";
import { minorOf } from "./minor.ts";

test.each([
  ["5", "en-US", 500n],
  ["5.5", "en-US", 550n],
  ["$1,205.07", "en-US", 120_507n],
  ["1 205,07 $", "fr-CA", 120_507n],
  [",5", "fr-CA", 50n],
  ["5.005", "en-US", null],
  ["", "en-US", null],
  ["5.0.0", "en-US", null],
])("%s in %s is %s", (text, locale, minor) => {
  expect(minorOf(text, locale)).toBe(minor);
});
