// An order that is taken back within the days in which a buyer may change their mind.
import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { dayAt, daysBetween, type Day } from "@pavise/rpc/day.ts";
import type { Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import type { Money } from "@pavise/schema/pavise/common/v1/money_pb";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderCancelReason, OrderStatus, SubscriptionAction } from "@pavise/schema/pavise/orders/v1/order_enum_pb";

/** The most days after a purchase that an operator can give. The server knows how many they are. */
const MOST_DAYS = 365;
/** How often an order is read again while everything goes back, in milliseconds: soon at first. */
const SOON = 2_000;
const LATER = 15_000;
const FIRST = 60_000;

/** The reasons that a member chooses from. */
export const REASONS = [
  OrderCancelReason.CHANGED_MIND,
  OrderCancelReason.MISTAKE,
  OrderCancelReason.NOT_AS_EXPECTED,
  OrderCancelReason.TOO_EXPENSIVE,
  OrderCancelReason.OTHER,
] as const;

/** Whether the server is asked if the order can be cancelled: it is set up, extends no plan, and was bought this year. */
export function mayBeCancelled(order: Order, today: Day): boolean {
  const { status, cancellation, entitlementId, offers } = order;
  if (status !== OrderStatus.PROVISIONED || cancellation !== undefined || entitlementId !== "") return false;
  return isRecent(order, today) && offers.every((one) => one.subscriptionAction !== SubscriptionAction.UPDATE);
}

/** Whether the order was bought in the days that an operator can give at most. */
export function isRecent({ purchasedAt }: Pick<Order, "purchasedAt">, today: Day): boolean {
  return purchasedAt !== undefined && daysBetween(dayOfMoment(purchasedAt), today) <= MOST_DAYS;
}

/** The day of a moment. */
export function dayOfMoment(at: Timestamp): Day {
  return dayAt(timestampDate(at));
}

/** Whether plans and payments of the order still go back. */
export function isGoingBack({ cancellation }: Pick<Order, "cancellation">): boolean {
  return cancellation !== undefined && cancellation.finishedAt === undefined;
}

/** When orders are read again, in milliseconds from now; false when nothing goes back. */
export function againAfter(orders: readonly Pick<Order, "cancellation">[], now: number): number | false {
  const begun = orders.filter(isGoingBack).map(({ cancellation }) => millisOf(cancellation?.at));
  return begun.length === 0 ? false : now - Math.max(...begun) < FIRST ? SOON : LATER;
}

function millisOf(at: Timestamp | undefined): number {
  return at === undefined ? 0 : timestampDate(at).getTime();
}

/** The names of the plans on the order. */
export function plansOn({ offers }: Pick<Order, "offers">): string {
  const lines = offers.flatMap((offer) => offer.lines).filter(({ supplementId }) => supplementId === "");
  return lines.map(({ name }) => name).join(", ");
}

/** The amounts that a cancellation gives back: payments, and credits that were used; and the methods that were charged. */
export interface Back {
  readonly paid: Money | undefined;
  readonly credit: Money | undefined;
  readonly methodIds: readonly string[];
}

/** Adds up what was paid for the order and for the subscriptions that it began. */
export function backOf(order: Order, invoices: readonly Invoice[]): Back {
  const named = new Set(order.offers.map(({ invoiceId }) => invoiceId));
  const begun = new Set(order.offers.map(({ subscriptionId }) => subscriptionId));
  const its = invoices.filter(
    ({ id, subscriptionId }) => named.has(id) || (subscriptionId !== "" && begun.has(subscriptionId)),
  );
  const money = (amount: bigint) =>
    order.totals?.total === undefined || amount <= 0n ? undefined : { ...order.totals.total, amount };
  const paid = its.reduce(
    (sum, { paidAmount, refundedAmount }) => sum + (paidAmount?.amount ?? 0n) - (refundedAmount?.amount ?? 0n),
    0n,
  );
  const credit = its
    .flatMap(({ items }) => items)
    .reduce((sum, { creditId, amount }) => (creditId === "" ? sum : sum - (amount?.amount ?? 0n)), 0n);
  const charged = its
    .flatMap(({ payments }) => payments)
    .filter(({ status, paymentMethodId }) => status === TransactionStatus.APPROVED && paymentMethodId !== "");
  return {
    paid: money(paid),
    credit: money(credit),
    methodIds: [...new Set(charged.map(({ paymentMethodId }) => paymentMethodId))],
  };
}
