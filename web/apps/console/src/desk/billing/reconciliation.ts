// The differences between the vendors' movements of money and ours.
import type { Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { ReconciliationOutcome, type ReconciliationRow } from "@pavise/schema/pavise/billing/v1/reconciliation_pb";

/** The differences, the likeliest to need somebody first. */
export const DIFFERENCES = [
  ReconciliationOutcome.MISSING_HERE,
  ReconciliationOutcome.MISSING_THERE,
  ReconciliationOutcome.AMOUNT_DIFFERS,
  ReconciliationOutcome.STATUS_DIFFERS,
] as const;

type Amounts = Pick<ReconciliationRow, "vendorAmount" | "amount" | "outcome">;

/**
 * How much more the vendor moved than we know of, one amount for each currency; below zero for less. Where the status alone
 * differs, our transaction moved nothing.
 */
export function apartOf(rows: readonly Amounts[]): Money[] {
  const sums = new Map<number, Money>();
  const add = (money: Money | undefined, sign: bigint) => {
    if (money === undefined) return;
    const before = sums.get(money.currency)?.amount ?? 0n;
    sums.set(money.currency, { ...money, amount: before + sign * money.amount });
  };
  for (const { vendorAmount, amount, outcome } of rows) {
    add(vendorAmount, 1n);
    if (outcome !== ReconciliationOutcome.STATUS_DIFFERS) add(amount, -1n);
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

/** How often each difference is there; those that are not are left out. */
export function countsOf(
  rows: readonly Pick<ReconciliationRow, "outcome">[],
): { outcome: ReconciliationOutcome; count: number }[] {
  return DIFFERENCES.map((outcome) => ({
    outcome,
    count: rows.filter((row) => row.outcome === outcome).length,
  })).filter(({ count }) => count > 0);
}
