import { create } from "@bufbuild/protobuf";
import { RepricingStatus } from "@pavise/schema/pavise/billing/v1/repricing_pb";
import { Currency, MoneySchema } from "@pavise/schema/pavise/common/v1/money_pb";
import { expect, test } from "vitest";
import { canBeWithdrawn, noticeOf, progressOf, sumsOf, termsOf, type Typed } from "./repricing.ts";

const { REQUESTED, ANNOUNCED, WITHDRAWING, WITHDRAWN } = RepricingStatus;
const FIRST = { year: 2027, month: 4, day: 1 };
const usd = (amount: bigint) => create(MoneySchema, { currency: Currency.USD, amount });

const typed = (given: Partial<Typed> = {}): Typed => ({
  offerId: "",
  productId: "legal",
  tierId: "family",
  currency: Currency.USD,
  oldAmount: 2995n,
  amount: 3195n,
  firstDay: FIRST,
  ...given,
});

test("terms are sent once they are complete and change the price", () => {
  expect(termsOf(typed())).toMatchObject({ tierId: "family", price: { currency: Currency.USD, amount: 3195n } });
  expect(termsOf(typed({ amount: 0n }))).toBeDefined();
  const incomplete: Partial<Typed>[] = [
    { productId: "" },
    { oldAmount: null },
    { amount: null },
    { amount: 2995n },
    { amount: -1n },
    { firstDay: null },
  ];
  for (const given of incomplete) expect(termsOf(typed(given))).toBeUndefined();
});

test("a tier goes with its product alone", () => {
  expect(termsOf(typed({ offerId: "offer", productId: "" }))).toMatchObject({ offerId: "offer", tierId: "" });
});

test("the notice is the days until the first one", () => {
  expect(noticeOf(FIRST, { year: 2027, month: 3, day: 2 })).toBe(30);
  expect(noticeOf(FIRST, { year: 2027, month: 4, day: 2 })).toBe(-1);
});

test("sums are those of all items, in their currency", () => {
  const { before, after, more } = sumsOf(12, usd(2995n), usd(1995n));
  expect([before, after, more].map(({ amount }) => amount)).toEqual([35_940n, 23_940n, -12_000n]);
  expect(more.currency).toBe(Currency.USD);
});

test("the progress is of what was found, and back of what was repriced", () => {
  const counts = { repriced: 6, skipped: 2, withdrawn: 0 };
  expect(progressOf({ ...counts, status: REQUESTED }, 10)).toEqual({ done: 8, all: 10 });
  // Subscriptions that began since are gone through, too.
  expect(progressOf({ ...counts, status: REQUESTED }, 7)).toEqual({ done: 8, all: 8 });
  expect(progressOf({ ...counts, status: REQUESTED }, undefined)).toEqual({ done: 8, all: undefined });
  expect(progressOf({ ...counts, withdrawn: 4, status: WITHDRAWING }, undefined)).toEqual({ done: 4, all: 6 });
});

test("it is withdrawn until the day before its first one", () => {
  const before = { year: 2027, month: 3, day: 31 };
  for (const status of [REQUESTED, ANNOUNCED]) {
    expect(canBeWithdrawn({ status, firstDay: FIRST }, before)).toBe(true);
    expect(canBeWithdrawn({ status, firstDay: FIRST }, FIRST)).toBe(false);
  }
  for (const status of [WITHDRAWING, WITHDRAWN])
    expect(canBeWithdrawn({ status, firstDay: FIRST }, before)).toBe(false);
});
