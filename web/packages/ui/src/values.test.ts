// The text of values, and the search of the palette.
import { expect, test } from "vitest";
import { score } from "./Palette.tsx";
import { dayText, money } from "./Value.tsx";

test("an amount is written as the locale does", () => {
  expect(money("en-US", 199_995n, "USD")).toBe("$1,999.95");
  expect(money("fr-CA", 199_995n, "CAD").replaceAll(/\s/g, " ")).toBe("1 999,95 $");
  expect(money("en-CA", 3000n, "CAD", true)).toBe("$30");
  expect(money("es-US", 0n, "USD")).toBe("$0.00");
});

test("a day is the same day wherever it is read", () => {
  expect(dayText("en-US", { year: 2026, month: 3, day: 1 })).toBe("Mar 1, 2026");
  expect(dayText("fr-CA", { year: 2026, month: 3, day: 1 }, true)).toBe("1 mars 2026");
});

test("every typed word has to be there; the beginning of a word counts more", () => {
  expect(score("Refund an invoice", "ref inv")).toBeGreaterThan(score("Prefer invoices", "ref inv"));
  expect(score("Refund an invoice", "refund order")).toBe(0);
  expect(score("Anything", "")).toBeGreaterThan(0);
});
