// The refundable amounts of an invoice. The server decides; this predicts its answer.
import { InvoiceStatus, type Invoice, type InvoicePayment } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";

/** The paid, refunded and remaining amounts of a payment or invoice, in minor units. */
export interface Left {
  readonly paid: bigint;
  readonly given: bigint;
  /** Reserved for refunds that are not decided yet. */
  readonly underWay: bigint;
  readonly left: bigint;
}

const UNDECIDED = new Set([TransactionStatus.CREATED, TransactionStatus.TIMEDOUT]);

/** Whether a payment moved money. */
export function isApproved({ status }: { readonly status: TransactionStatus }): boolean {
  return status === TransactionStatus.APPROVED;
}

function sum(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
}

/** The amounts of one payment. */
export function leftOfPayment(
  invoice: Pick<Invoice, "refunds">,
  payment: Pick<InvoicePayment, "id" | "amount" | "status">,
): Left {
  const refunds = invoice.refunds.filter(({ paymentId }) => paymentId === payment.id);
  const paid = isApproved(payment) ? (payment.amount?.amount ?? 0n) : 0n;
  const given = sum(refunds.filter(isApproved).map(({ amount }) => amount?.amount));
  const underWay = sum(refunds.filter(({ status }) => UNDECIDED.has(status)).map(({ amount }) => amount?.amount));
  return { paid, given, underWay, left: paid - given - underWay };
}

/** The amounts of all payments together. */
export function leftOf(invoice: Pick<Invoice, "payments" | "refunds">): Left {
  const each = invoice.payments.map((payment) => leftOfPayment(invoice, payment));
  const total = (part: keyof Left) => sum(each.map((one) => one[part]));
  return { paid: total("paid"), given: total("given"), underWay: total("underWay"), left: total("left") };
}

/** Whether the invoice's status allows a refund. */
export function isRefundable(invoice: Pick<Invoice, "status" | "payments" | "refunds">): boolean {
  return [InvoiceStatus.PAID, InvoiceStatus.PARTIALLY_FUNDED].includes(invoice.status) && leftOf(invoice).left > 0n;
}
