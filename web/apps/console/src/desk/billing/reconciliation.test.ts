import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ReconciliationOutcome, ReconciliationRowSchema } from "@pavise/schema/pavise/billing/v1/reconciliation_pb";
import { Currency } from "@pavise/schema/pavise/common/v1/money_pb";
import { expect, test } from "vitest";
import { apartOf, countsOf } from "./reconciliation.ts";

const { MISSING_HERE, MISSING_THERE, AMOUNT_DIFFERS, STATUS_DIFFERS } = ReconciliationOutcome;
const row = (init: MessageInitShape<typeof ReconciliationRowSchema>) => create(ReconciliationRowSchema, init);
const usd = (amount: bigint) => ({ currency: Currency.USD, amount });
const cad = (amount: bigint) => ({ currency: Currency.CAD, amount });

test("what is apart is what the vendor moved less what we know of, by currency", () => {
  const rows = [
    row({ outcome: MISSING_HERE, vendorAmount: usd(2995n) }),
    row({ outcome: AMOUNT_DIFFERS, vendorAmount: usd(500n), amount: usd(700n) }),
    row({ outcome: MISSING_THERE, amount: cad(1000n) }),
  ];
  expect(apartOf(rows).map(({ currency, amount }) => [currency, amount])).toEqual([
    [Currency.USD, 2795n],
    [Currency.CAD, -1000n],
  ]);
});

test("a transaction that is not approved moved nothing here", () => {
  expect(apartOf([row({ outcome: STATUS_DIFFERS, vendorAmount: usd(100n), amount: usd(100n) })])).toMatchObject([
    { amount: 100n },
  ]);
  expect(apartOf([row({ outcome: AMOUNT_DIFFERS, vendorAmount: usd(100n), amount: usd(100n) })])).toEqual([]);
});

test("differences are counted by kind", () => {
  const rows = [MISSING_THERE, AMOUNT_DIFFERS, MISSING_THERE].map((outcome) => row({ outcome }));
  expect(countsOf(rows)).toEqual([
    { outcome: MISSING_THERE, count: 2 },
    { outcome: AMOUNT_DIFFERS, count: 1 },
  ]);
});
