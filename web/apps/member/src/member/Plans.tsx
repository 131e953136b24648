// My plans: what each gives, how it is billed, and how it is ended.
import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { SubscriptionStatus, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { toast, Toasts } from "@pavise/ui/Toast.tsx";
import { dayText, DayText, Facts, StatusDot } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded, Refused } from "../app/Loaded.tsx";
import { localized, priceText } from "../app/words.ts";
import { sum } from "../shop/Summary.tsx";
import { nameOf, planTone, useEntitlements, useMemberId, useSubscriptions } from "./holdings.ts";
import page from "../app/Page.module.css";

/** The page. */
export function Plans() {
  const { _ } = useLingui();
  const entitlements = useEntitlements();
  return (
    <>
      <div className={page.intro}>
        <h1>{_("plans.title")}</h1>
      </div>
      <Loaded query={entitlements} lines={6}>
        {({ entitlements: plans }) =>
          plans.length === 0 ? (
            <EmptyState
              title={_("home.none")}
              actions={
                <Link kind="primary" href="/">
                  {_("home.none.shop")}
                </Link>
              }
            >
              {_("home.none.detail")}
            </EmptyState>
          ) : (
            plans.map((plan) => <PlanPart key={plan.id} plan={plan} />)
          )
        }
      </Loaded>
      <Subscriptions />
      <div className={page.actions}>
        <Link kind="secondary" href="/">
          {_("plans.add")}
        </Link>
      </div>
      <Toasts />
    </>
  );
}

function PlanPart({ plan }: { plan: Entitlement }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  // What is not sold any more cannot be looked up; the plan itself still says its name.
  const product = useQuery(ProductService.method.getProduct, { productId: plan.productId }, { retry: false }).data;
  const tier = product?.tiers.find(({ id }) => id === plan.tierId);
  const supplements = plan.supplementIds.map((id) => {
    const supplement = product?.supplements.find((one) => one.id === id);
    return supplement ? localized(supplement.names, locale) : id;
  });
  return (
    <section className={page.part} aria-labelledby={plan.id}>
      <div className={page.partHead}>
        <h2 id={plan.id}>{product ? localized(product.friendlyNames, locale) : plan.name}</h2>
        <StatusDot tone={planTone(plan.status)}>{_(`plan.status.${nameOf(EntitlementStatus, plan.status)}`)}</StatusDot>
      </div>
      {product ? (
        <ul className={page.benefits}>
          {product.benefits.map((benefit) => (
            <li key={benefit.id}>
              <IconCheck />
              <span>{localized(benefit.summaries, locale)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <Facts
        facts={[
          ...(plan.friendlyId ? [{ name: _("plans.number"), value: plan.friendlyId }] : []),
          ...(tier ? [{ name: _("plans.tier"), value: localized(tier.names, locale) }] : []),
          ...(supplements.length > 0 ? [{ name: _("plans.supplements"), value: supplements.join(", ") }] : []),
          { name: _("plans.since"), value: <DayText day={plan.effectiveOn} long /> },
          ...(plan.endsOn ? [{ name: _("plans.until"), value: <DayText day={plan.endsOn} long /> }] : []),
        ]}
      />
    </section>
  );
}

function Subscriptions() {
  const { _ } = useLingui();
  const subscriptions = useSubscriptions();
  if (subscriptions.data?.subscriptions.length === 0) return null;
  return (
    <section className={page.part} aria-labelledby="billed">
      <div className={page.partHead}>
        <h2 id="billed">{_("plans.billed")}</h2>
      </div>
      <Loaded query={subscriptions} lines={3}>
        {({ subscriptions: all }) => (
          <div className={page.rows}>
            {all.map((subscription) => (
              <SubscriptionLine key={subscription.id} subscription={subscription} />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}

/** Statuses from which a member can let a subscription end. */
const CAN_END = new Set([SubscriptionStatus.ACTIVE, SubscriptionStatus.SUSPENDED, SubscriptionStatus.PRECANCEL]);

function SubscriptionLine({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const [asking, setAsking] = useState(false);
  const identityId = useMemberId();
  const client = useQueryClient();
  const end = useMutation(SubscriptionService.method.pendingCancelSubscription, {
    onSuccess: () => {
      setAsking(false);
      toast({ title: _("plans.ended") });
      return client.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: SubscriptionService.method.listSubscriptions, cardinality: "finite" }),
      });
    },
  });
  const ending = subscription.status === SubscriptionStatus.PENDING_CANCEL;
  const over = subscription.status === SubscriptionStatus.CANCELLED;
  const name = subscription.items.map((item) => item.name).join(", ");
  const day = subscription.paidToDate ? dayText(locale, subscription.paidToDate, true) : "";
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <span className={page.small}>
          {over
            ? _("plans.over")
            : ending
              ? _("plans.ends", { day })
              : _("plans.next", {
                  price: priceText(sum(subscription.items.map(({ price }) => price)), locale, subscription.billingPeriod),
                  day: subscription.nextBillOn ? dayText(locale, subscription.nextBillOn, true) : "",
                })}
        </span>
      </span>
      {CAN_END.has(subscription.status) ? (
        <Button kind="quiet" onPress={() => setAsking(true)} aria-label={_("plans.end.label", { plan: name })}>
          {_("plans.end")}
        </Button>
      ) : null}
      <Dialog
        title={_("plans.end.title")}
        open={asking}
        onOpenChange={setAsking}
        danger
        actions={(close) => (
          <>
            <Button onPress={close}>{_("plans.end.keep")}</Button>
            <Button
              kind="danger"
              isPending={end.isPending}
              onPress={() => end.mutate({ identityId, subscriptionId: subscription.id })}
            >
              {_("plans.end.yes")}
            </Button>
          </>
        )}
      >
        <p>{_("plans.end.detail", { plan: name, day })}</p>
        {end.error ? <Refused error={end.error} /> : null}
      </Dialog>
    </div>
  );
}
