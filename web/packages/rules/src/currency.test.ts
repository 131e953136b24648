import { expect, test } from "vitest";
import { currencyOf } from "./currency.ts";

test.each([
  ["en-CA", "CAD"],
  ["fr-CA", "CAD"],
  ["en-US", "USD"],
  ["es-US", "USD"],
  ["de-DE", "USD"],
  ["", "USD"],
  [undefined, "USD"],
])("%s is sold to in %s", (locale, currency) => {
  expect(currencyOf(locale)).toBe(currency);
});
