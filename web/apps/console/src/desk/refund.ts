// What of an invoice can be given back. The server decides; this says beforehand what it will say.
import { InvoiceStatus, type Invoice, type InvoicePayment } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";

/** What of a payment or an invoice is paid, given back and left, in minor units. */
export interface Left {
  readonly paid: bigint;
  readonly given: bigint;
  /** Kept free for refunds that are not decided yet. */
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

/** What is left of one payment. */
export function leftOfPayment(invoice: Pick<Invoice, "refunds">, payment: Pick<InvoicePayment, "id" | "amount" | "status">): Left {
  const refunds = invoice.refunds.filter(({ paymentId }) => paymentId === payment.id);
  const paid = isApproved(payment) ? (payment.amount?.amount ?? 0n) : 0n;
  const given = sum(refunds.filter(isApproved).map(({ amount }) => amount?.amount));
  const underWay = sum(refunds.filter(({ status }) => UNDECIDED.has(status)).map(({ amount }) => amount?.amount));
  return { paid, given, underWay, left: paid - given - underWay };
}

/** What is left of everything that was paid. */
export function leftOf(invoice: Pick<Invoice, "payments" | "refunds">): Left {
  const each = invoice.payments.map((payment) => leftOfPayment(invoice, payment));
  const total = (part: keyof Left) => sum(each.map((one) => one[part]));
  return { paid: total("paid"), given: total("given"), underWay: total("underWay"), left: total("left") };
}

/** Whether something of an invoice can be given back as it stands. */
export function isRefundable(invoice: Pick<Invoice, "status" | "payments" | "refunds">): boolean {
  return [InvoiceStatus.PAID, InvoiceStatus.PARTIALLY_FUNDED].includes(invoice.status) && leftOf(invoice).left > 0n;
}
