// What a member has: plans, subscriptions, invoices, cards.
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
import { useSession } from "@pavise/session/Session.tsx";
import type { Tone } from "@pavise/ui/Value.tsx";

/** Enough for anybody's household on one page. */
const pageSize = 200;

/** The id of the member who is signed in. */
export function useMemberId(): string {
  return useSession()?.identityId ?? "";
}

/** The member's plans. */
export function useEntitlements() {
  const identityId = useMemberId();
  return useQuery(EntitlementService.method.listEntitlements, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** What the member may use through the plans of others. */
export function useCoverages() {
  const identityId = useMemberId();
  return useQuery(EntitlementService.method.listCoverages, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** Both: the member's own plans, and those that cover him. */
export function useHoldings() {
  const [own, through] = [useEntitlements(), useCoverages()];
  return {
    data: own.data && through.data && { plans: own.data.entitlements, coverages: through.data.coverages },
    error: own.error ?? through.error,
    isFetching: own.isFetching || through.isFetching,
    refetch: () => Promise.all([own.refetch(), through.refetch()]),
  };
}

/** What the member is billed for again and again. */
export function useSubscriptions() {
  const identityId = useMemberId();
  return useQuery(SubscriptionService.method.listSubscriptions, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** Whether the subscription of a plan is suspended; false while that is not known. */
export function useUnbilled(): (subscriptionId: string) => boolean {
  const { data } = useSubscriptions();
  return (subscriptionId) => data?.subscriptions.find(({ id }) => id === subscriptionId)?.status === SubscriptionStatus.SUSPENDED;
}

/** The member's invoices, newest first. */
export function useInvoices() {
  const identityId = useMemberId();
  return useQuery(InvoiceService.method.listInvoices, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** The member's cards and accounts. */
export function usePaymentMethods() {
  const identityId = useMemberId();
  return useQuery(PaymentMethodService.method.listPaymentMethods, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** The member's orders, newest first. */
export function useOrders() {
  const identityId = useMemberId();
  return useQuery(OrderService.method.listOrders, { identityId, pageSize }, { enabled: identityId !== "" });
}

/** Whether something is left to pay on an invoice. */
export function isDue(invoice: Invoice): boolean {
  const open = invoice.openAmount?.amount ?? 0n;
  const ended = [InvoiceStatus.VOIDED, InvoiceStatus.PAID, InvoiceStatus.FORGIVEN, InvoiceStatus.REFUNDED].includes(
    invoice.status,
  );
  return open > 0n && !ended;
}

/** How a plan stands, for the eye. */
export function planTone(status: EntitlementStatus): Tone {
  if (status === EntitlementStatus.ACTIVE) return "good";
  return status === EntitlementStatus.SUSPENDED ? "warning" : "over";
}

/** How an invoice stands. */
export function invoiceTone(status: InvoiceStatus): Tone {
  if (status === InvoiceStatus.PAID) return "good";
  if (status === InvoiceStatus.FAILED || status === InvoiceStatus.DELINQUENT) return "bad";
  return status === InvoiceStatus.ACTIVE || status === InvoiceStatus.PARTIALLY_FUNDED ? "warning" : "over";
}

/** Orders that are on their way to a plan. */
export function isUnderWay(status: OrderStatus): boolean {
  return [OrderStatus.PROCESSING, OrderStatus.FUNDED, OrderStatus.FULLY_FUNDED, OrderStatus.PARTIALLY_FUNDED].includes(status);
}

/** The name of a status in the contract, by which its words are found. */
export function nameOf(names: Readonly<Record<number, string>>, status: number): string {
  return names[status] ?? "";
}
