// The figures of a billing day, and the workers that make it.
import type { BillingDay } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { InvoiceStatus } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { daysBetween, dayOf, type Day } from "@pavise/rpc/day.ts";

/** The workers of a billing day, in the order in which they act. Those with a period can be run by hand. */
export const WORKERS = [
  "billing.renewals",
  "billing.collect_when_billed",
  "billing.collect_invoices",
  "billing.review_subscriptions",
  "billing.tell_of_invoices",
] as const;

/** Statuses of invoices that were not paid on their day. */
const DECLINED: ReadonlySet<InvoiceStatus> = new Set([InvoiceStatus.FAILED, InvoiceStatus.DELINQUENT]);

/** The numbers of a day. Each is one of invoices, but `due`: that is of subscriptions, billed or not. */
export interface Figures {
  readonly due: number;
  readonly billed: number;
  readonly paid: number;
  readonly declined: number;
  /** Those that are open, and not declined. */
  readonly open: number;
}

/** Adds up the counts of a day. Voided invoices are no bills. */
export function figuresOf({ waiting, counts }: Pick<BillingDay, "waiting" | "counts">): Figures {
  const sum = (of: (status: InvoiceStatus) => boolean) =>
    counts.reduce((all, { status, invoices }) => (of(status) ? all + invoices : all), 0);
  const billed = sum((status) => status !== InvoiceStatus.VOIDED);
  return {
    due: waiting + billed,
    billed,
    paid: sum((status) => status === InvoiceStatus.PAID || status === InvoiceStatus.REFUNDED),
    declined: sum((status) => DECLINED.has(status)),
    open: sum((status) => status === InvoiceStatus.ACTIVE || status === InvoiceStatus.PARTIALLY_FUNDED),
  };
}

/** The day of an address; today if it names none, or no day of the calendar. */
export function dayIn(text: string | undefined, today: Day): Day {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return today;
  const day = dayOf(text);
  // Some browsers roll 30 February over to March.
  return new Date(Date.parse(text)).toISOString().startsWith(text) && daysBetween(day, today) < 36_500 ? day : today;
}
