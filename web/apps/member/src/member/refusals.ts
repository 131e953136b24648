// Payments of a plan that were refused, and the next try.
import { isoDay, type Day } from "@pavise/rpc/today.ts";
import { InvoiceStatus, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { SubscriptionStatus, SuspendReason, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { DisputeStatus, TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { isDue } from "./holdings.ts";

/** The next thing that happens by itself. */
export type Next =
  | { readonly kind: "underWay" | "bank" | "over" }
  /** The platform tries again on a day, or asks for nothing until a day that the member promised. */
  | { readonly kind: "again" | "held"; readonly on: Day };

const UNDER_WAY = new Set([TransactionStatus.CREATED, TransactionStatus.TIMEDOUT]);

/** Whether a plan's bill is still to be paid after a refusal, or after its days are over. A purchase has its own page. */
export function isRefused(invoice: Invoice): boolean {
  const { status, subscriptionId, lastRefusedOn } = invoice;
  const hasFailed = status === InvoiceStatus.FAILED || status === InvoiceStatus.DELINQUENT;
  return subscriptionId !== "" && isDue(invoice) && (hasFailed || lastRefusedOn !== undefined);
}

/** Whether a payment was tried at all: who pays by invoice only let its days pass. */
export function wasTried({ payments, lastRefusedOn }: Pick<Invoice, "payments" | "lastRefusedOn">): boolean {
  return lastRefusedOn !== undefined || payments.length > 0;
}

/** The next thing: a payment that is under way, a dispute and a hold come before the next try. */
export function nextOf(
  {
    payments,
    disputeStatus,
    dueToCollectOn,
    heldUntil,
  }: Pick<Invoice, "payments" | "disputeStatus" | "dueToCollectOn" | "heldUntil">,
  today: Day,
): Next {
  if (payments.some(({ status }) => UNDER_WAY.has(status))) return { kind: "underWay" };
  if (disputeStatus === DisputeStatus.OPEN) return { kind: "bank" };
  // The server clears a hold some time after its last day.
  if (heldUntil !== undefined && isoDay(heldUntil) >= isoDay(today)) return { kind: "held", on: heldUntil };
  return dueToCollectOn === undefined ? { kind: "over" } : { kind: "again", on: dueToCollectOn };
}

/** Whether the plan waits for the payment. One that staff suspended does not come back by it. */
export function waitsForPayment(subscription: Pick<Subscription, "status" | "suspendedFor"> | undefined): boolean {
  return subscription?.status === SubscriptionStatus.SUSPENDED && subscription.suspendedFor === SuspendReason.PAYMENT;
}
