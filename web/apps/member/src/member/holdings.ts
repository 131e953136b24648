// Queries of the member's own records: plans, subscriptions, invoices, cards.
import { useQuery } from "@connectrpc/connect-query";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { InvoiceStatus, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { SubscriptionStatus } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { EntitlementService } from "@pavise/schema/pavise/fulfillment/v1/entitlement_service_pb";
import { EntitlementStatus } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { OrderStatus } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { TransactionStatus, TransactionType, type Transaction } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { useSession } from "@pavise/session/Session.tsx";
import type { Tone } from "@pavise/ui/Value.tsx";

/** The page size, enough for any household. */
const pageSize = 200;

/** The id of the signed-in member. */
export function useMemberId(): string {
  return useSession()?.identityId ?? "";
}

/** The member's plans. */
export function useEntitlements() {
  const identityId = useMemberId();
  return useQuery(EntitlementService.method.listEntitlements, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** The plans of other members that cover this member. */
export function useCoverages() {
  const identityId = useMemberId();
  return useQuery(EntitlementService.method.listCoverages, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** Both: the member's own plans, and the plans that cover them. */
export function useHoldings() {
  const [own, through] = [useEntitlements(), useCoverages()];
  return {
    data: own.data && through.data && { plans: own.data.entitlements, coverages: through.data.coverages },
    error: own.error ?? through.error,
    isFetching: own.isFetching || through.isFetching,
    refetch: () => Promise.all([own.refetch(), through.refetch()]),
  };
}

/** The member's subscriptions. */
export function useSubscriptions() {
  const identityId = useMemberId();
  return useQuery(
    SubscriptionService.method.listSubscriptions,
    { identityId, pageSize },
    { enabled: identityId !== "" },
  );
}

/** Whether a plan's subscription is suspended; false until that is known. */
export function useUnbilled(): (subscriptionId: string) => boolean {
  const { data } = useSubscriptions();
  return (subscriptionId) =>
    data?.subscriptions.find(({ id }) => id === subscriptionId)?.status === SubscriptionStatus.SUSPENDED;
}

/** The member's invoices, newest first. */
export function useInvoices() {
  const identityId = useMemberId();
  return useQuery(InvoiceService.method.listInvoices, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** The member's cards and accounts. */
export function usePaymentMethods() {
  const identityId = useMemberId();
  return useQuery(
    PaymentMethodService.method.listPaymentMethods,
    { identityId, pageSize },
    { enabled: identityId !== "" },
  );
}

/** The cards whose last payment was declined, each with the declined payment. */
export function useDeclined(): ReadonlyMap<string, Transaction> {
  const identityId = useMemberId();
  const query = useQuery(
    PaymentMethodService.method.listTransactions,
    { identityId, pageSize },
    { enabled: identityId !== "" },
  );
  return declinedOf(query.data?.transactions ?? []);
}

/** The member's orders, newest first. */
export function useOrders() {
  const identityId = useMemberId();
  return useQuery(OrderService.method.listOrders, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** Whether an invoice has an amount left to pay. */
export function isDue(invoice: Invoice): boolean {
  const open = invoice.openAmount?.amount ?? 0n;
  const ended = [InvoiceStatus.VOIDED, InvoiceStatus.PAID, InvoiceStatus.FORGIVEN, InvoiceStatus.REFUNDED].includes(
    invoice.status,
  );
  return open > 0n && !ended;
}

/** The tone of a plan's status. */
export function planTone(status: EntitlementStatus): Tone {
  if (status === EntitlementStatus.ACTIVE) return "good";
  return status === EntitlementStatus.SUSPENDED ? "warning" : "over";
}

/** The tone of an invoice's status. */
export function invoiceTone(status: InvoiceStatus): Tone {
  if (status === InvoiceStatus.PAID) return "good";
  if (status === InvoiceStatus.FAILED || status === InvoiceStatus.DELINQUENT) return "bad";
  return status === InvoiceStatus.ACTIVE || status === InvoiceStatus.PARTIALLY_FUNDED ? "warning" : "over";
}

/** Orders that will become a plan. */
export function isUnderWay(status: OrderStatus): boolean {
  return [OrderStatus.PROCESSING, OrderStatus.FUNDED, OrderStatus.FULLY_FUNDED, OrderStatus.PARTIALLY_FUNDED].includes(
    status,
  );
}

/** The contract's name of a status, the key of its words. */
export function nameOf(names: Readonly<Record<number, string>>, status: number): string {
  return names[status] ?? "";
}

const PAYMENTS: ReadonlySet<TransactionType> = new Set([
  TransactionType.AUTHORIZE,
  TransactionType.CHARGE,
  TransactionType.SALE,
  TransactionType.VERIFY,
]);
const DECIDED: ReadonlySet<TransactionStatus> = new Set([
  TransactionStatus.APPROVED,
  TransactionStatus.DECLINED,
  TransactionStatus.HARD_DECLINED,
]);

function begun({ createdAt }: Transaction): number {
  return Number(createdAt?.seconds ?? 0n);
}

/** The last decided payment of each card, if it was declined. */
export function declinedOf(transactions: readonly Transaction[]): ReadonlyMap<string, Transaction> {
  const last = new Map<string, Transaction>();
  for (const one of transactions.toSorted((a, b) => begun(b) - begun(a)))
    if (PAYMENTS.has(one.type) && DECIDED.has(one.status) && !last.has(one.paymentMethodId))
      last.set(one.paymentMethodId, one);
  return new Map([...last].filter(([, { status }]) => status !== TransactionStatus.APPROVED));
}

/** The cards in the order in which they are offered: those that were declined come last. */
export function offered<T extends { id: string }>(methods: readonly T[], declined: ReadonlyMap<string, unknown>): T[] {
  return [...methods.filter(({ id }) => !declined.has(id)), ...methods.filter(({ id }) => declined.has(id))];
}
