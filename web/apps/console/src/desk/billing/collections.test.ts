import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { InvoiceSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { DeclineReason, DisputeStatus, TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Currency } from "@pavise/schema/pavise/common/v1/money_pb";
import { expect, test } from "vitest";
import { ageOf, daysLate, heldOf, nextOf, openOf, refusalOf } from "./collections.ts";

const TODAY = { year: 2027, month: 3, day: 31 };
const invoice = (init: MessageInitShape<typeof InvoiceSchema>) => create(InvoiceSchema, init);

test("an invoice is as old as its due day, and without one as the invoice itself", () => {
  expect(daysLate(invoice({ dueOn: { year: 2027, month: 3, day: 1 } }), TODAY)).toBe(30);
  expect(daysLate(invoice({ dueOn: { year: 2027, month: 4, day: 1 } }), TODAY)).toBe(0);
  const seconds = BigInt(Date.UTC(2027, 0, 30, 12) / 1000);
  expect(daysLate(invoice({ createdAt: { seconds } }), TODAY)).toBe(60);
});

test("each step ends with its last day", () => {
  expect([0, 30, 31, 60, 61, 90, 91, 900].map(ageOf)).toEqual([30, 30, 60, 60, 90, 90, Infinity, Infinity]);
});

test("amounts of two currencies are not added up", () => {
  const open = (currency: Currency, amount: bigint) => invoice({ openAmount: { currency, amount } });
  const sums = openOf([open(Currency.USD, 2995n), open(Currency.CAD, 1000n), open(Currency.USD, 5n), invoice({})]);
  expect(sums.map(({ currency, amount }) => [currency, amount])).toEqual([
    [Currency.USD, 3000n],
    [Currency.CAD, 1000n],
  ]);
});

test("the reason is that of the last refusal", () => {
  const payments = [
    { declineReason: DeclineReason.EXPIRED_CARD },
    { declineReason: DeclineReason.INSUFFICIENT_FUNDS },
    { status: TransactionStatus.CREATED },
  ];
  expect(refusalOf(invoice({ payments }))).toBe(DeclineReason.INSUFFICIENT_FUNDS);
  expect(refusalOf(invoice({}))).toBe(DeclineReason.UNSPECIFIED);
});

test("a dispute comes before the next try", () => {
  const dueToCollectOn = { year: 2027, month: 4, day: 2 };
  expect(nextOf(invoice({ dueToCollectOn }))).toMatchObject(dueToCollectOn);
  expect(nextOf(invoice({ dueToCollectOn, disputeStatus: DisputeStatus.OPEN }))).toBe("bank");
  expect(nextOf(invoice({ dueToCollectOn, disputeStatus: DisputeStatus.WON }))).toMatchObject(dueToCollectOn);
  expect(nextOf(invoice({}))).toBeUndefined();
});

test("a hold counts to the end of its day", () => {
  const heldUntil = { year: 2027, month: 3, day: 31 };
  expect(heldOf(invoice({ heldUntil }), TODAY)).toMatchObject(heldUntil);
  expect(heldOf(invoice({ heldUntil }), { ...TODAY, month: 4, day: 1 })).toBeUndefined();
  expect(heldOf(invoice({}), TODAY)).toBeUndefined();
});
