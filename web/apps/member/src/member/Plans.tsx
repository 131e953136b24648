// My plans: what each gives, how it is billed, how it is ended and kept.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Toasts } from "@pavise/ui/Toast.tsx";
import { DayText, Facts, StatusDot } from "@pavise/ui/Value.tsx";
import { Loaded } from "../app/Loaded.tsx";
import { localized } from "../app/words.ts";
import { nameOf, planTone, useEntitlements } from "./holdings.ts";
import { Subscriptions } from "./Subscriptions.tsx";
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
