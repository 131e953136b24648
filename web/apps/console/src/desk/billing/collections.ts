// Unpaid invoices: for how long, why, and when the next try is.
import { dayAt, daysBetween, type Day } from "@pavise/rpc/day.ts";
import type { Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { InvoiceStatus, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { DeclineReason, DisputeStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";

/** The statuses of what was not paid. */
export const UNPAID = [InvoiceStatus.FAILED, InvoiceStatus.DELINQUENT] as const;

/** The days after the due day, in steps: the last of each. */
export const AGES = [30, 60, 90, Infinity] as const;
export type Age = (typeof AGES)[number];

/** How many days ago an invoice was due. One without a due day was due when it was raised. */
export function daysLate({ dueOn, createdAt }: Pick<Invoice, "dueOn" | "createdAt">, today: Day): number {
  const due = dueOn ?? dayAt(new Date(Number(createdAt?.seconds ?? 0n) * 1000));
  return Math.max(0, daysBetween(due, today));
}

/** The step of so many days. */
export function ageOf(days: number): Age {
  return AGES.find((last) => days <= last) ?? Infinity;
}

/** The open amounts together, one for each currency. */
export function openOf(invoices: readonly Pick<Invoice, "openAmount">[]): Money[] {
  const sums = new Map<number, Money>();
  for (const { openAmount } of invoices) {
    if (openAmount === undefined) continue;
    const before = sums.get(openAmount.currency)?.amount ?? 0n;
    sums.set(openAmount.currency, { ...openAmount, amount: before + openAmount.amount });
  }
  return [...sums.values()];
}

/** Why the last try was refused; UNSPECIFIED if no try was, as where the member gets an invoice. */
export function refusalOf({ payments }: Pick<Invoice, "payments">): DeclineReason {
  return (
    payments.findLast(({ declineReason }) => declineReason !== DeclineReason.UNSPECIFIED)?.declineReason ??
    DeclineReason.UNSPECIFIED
  );
}

/** The next thing that happens by itself: a try on a day, the bank's decision, or nothing. */
export function nextOf({
  dueToCollectOn,
  disputeStatus,
}: Pick<Invoice, "dueToCollectOn" | "disputeStatus">): "bank" | Day | undefined {
  return disputeStatus === DisputeStatus.OPEN ? "bank" : dueToCollectOn;
}

/** The last day of a hold that is not over: until then nothing is asked. */
export function heldOf({ heldUntil }: Pick<Invoice, "heldUntil">, today: Day): Day | undefined {
  return heldUntil !== undefined && daysBetween(today, heldUntil) >= 0 ? heldUntil : undefined;
}
