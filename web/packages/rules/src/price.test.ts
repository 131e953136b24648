import { expect, test } from "vitest";
import { decimalOf, periodLabel, showPrice } from "./price.ts";
import type { BillingPeriod } from "./billing-period.ts";

/** Intl uses no-break spaces. */
const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, " ");

test.each([
  ["en-US", "USD", 2995n, "MONTHLY", "$29.95/month"],
  ["en-US", "USD", 2995n, undefined, "$29.95"],
  ["en-CA", "CAD", 199995n, "ANNUAL", "$1,999.95/year"],
  ["fr-CA", "CAD", 199995n, "ANNUAL", "1 999,95 $/année"],
  ["es-US", "USD", 500n, "PAY_PERIOD", "$5.00/período de pago"],
  ["en-US", "USD", 0n, "MONTHLY", "$0.00/month"],
  ["en-US", "USD", -1050n, undefined, "-$10.50"],
] as const)("%s shows %s %s %s as %s", (locale, currency, amount, period, shown) => {
  expect(plain(showPrice({ currency, amount }, { locale, period }))).toBe(shown);
});

test("no price shows nothing, not even a period", () => {
  expect(showPrice(undefined, { locale: "en-US", period: "MONTHLY" })).toBe("");
  expect(showPrice(null, { locale: "en-US" })).toBe("");
});

test("amounts that a float cannot hold stay exact", () => {
  expect(showPrice({ currency: "USD", amount: 900_719_925_474_099_301n }, { locale: "en-US" })).toBe(
    "$9,007,199,254,740,993.01",
  );
  expect(decimalOf(5n, 2)).toBe("0.05");
  expect(decimalOf(-5n, 2)).toBe("-0.05");
  expect(decimalOf(5n, 0)).toBe("5");
});

test.each(["en-US", "es-US", "en-CA", "fr-CA"])("%s has a word for each period", (locale) => {
  const periods: Record<BillingPeriod, true> = {
    DAILY: true,
    WEEKLY: true,
    MONTHLY: true,
    QUARTERLY: true,
    BIANNUAL: true,
    ANNUAL: true,
    PAY_PERIOD: true,
    ONE_TIME: true,
  };
  const words = Object.keys(periods).map((period) => periodLabel(period as BillingPeriod, locale));
  expect(new Set(words).size).toBe(8);
  expect(words).not.toContain("");
});
