// Says why a subscription or a plan has its status, and what the member can do.
import { useLingui } from "@lingui/react";
import {
  CancelReason,
  SubscriptionStatus,
  SuspendReason,
  type Subscription,
} from "@pavise/schema/pavise/billing/v1/subscription_pb";
import {
  EntitlementStatus,
  EntitlementStatusReason,
  type Entitlement,
} from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { isDue, nameOf, useInvoices } from "./holdings.ts";
import page from "@pavise/ui/Part.module.css";

/** Reasons of plans with words of their own. */
const KNOWN: Readonly<Partial<Record<EntitlementStatusReason, string>>> = {
  [EntitlementStatusReason.PAYMENT]: "PAYMENT",
  [EntitlementStatusReason.MEMBER_REQUEST]: "MEMBER_REQUEST",
};

/** Why a subscription is suspended, about to end or over; empty while it is billed as usual. */
export function WhyBilled({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const { status, suspendReason, cancelReason } = subscription;
  const ended = cancelReason === CancelReason.UNSPECIFIED ? null : _(`why.ended.${nameOf(CancelReason, cancelReason)}`);
  switch (status) {
    case SubscriptionStatus.SUSPENDED:
      return (
        <>
          <span className={page.small}>{_("plans.suspended")}</span>
          <span className={page.small}>
            {suspendReason === SuspendReason.PAYMENT ? (
              <ByPayment />
            ) : (
              _(`why.suspended.${nameOf(SuspendReason, suspendReason)}`)
            )}
          </span>
        </>
      );
    case SubscriptionStatus.PRECANCEL:
      return <span className={page.small}>{_("plans.precancel")}</span>;
    case SubscriptionStatus.CATCHING_UP:
      return (
        <span className={page.small}>
          {_("plans.catchingUp")} <Link href="/billing">{_("why.pay")}</Link>
        </span>
      );
    case SubscriptionStatus.CANCELLED:
    case SubscriptionStatus.PENDING_CANCEL:
      return ended === null ? null : <span className={page.small}>{ended}</span>;
    default:
      return null;
  }
}

/** Why the member's own plan cannot be used for now. Others are not told the reason. */
export function WhySuspended({
  plan,
}: {
  plan: Pick<Entitlement, "status"> & Partial<Pick<Entitlement, "statusReason">>;
}) {
  const { _ } = useLingui();
  if (plan.status !== EntitlementStatus.SUSPENDED || plan.statusReason === undefined) return null;
  return (
    <p className={page.soft}>
      {_("plan.suspended")}{" "}
      {plan.statusReason === EntitlementStatusReason.PAYMENT ? (
        <ByPayment />
      ) : (
        _(`why.suspended.${KNOWN[plan.statusReason] ?? "UNSPECIFIED"}`)
      )}
    </p>
  );
}

/** A suspension for a payment: where it is paid, or that nothing is open that the member could pay. */
function ByPayment() {
  const { _ } = useLingui();
  const { data } = useInvoices();
  if (data === undefined) return null;
  return data.invoices.some(isDue) ? (
    <>
      {_("why.suspended.PAYMENT")} <Link href="/billing">{_("why.pay")}</Link>
    </>
  ) : (
    _("why.suspended.PAYMENT.nothing")
  );
}
