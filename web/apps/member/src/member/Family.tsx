// Family: who is covered besides the holder, and how many more each plan admits.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Loaded } from "../app/Loaded.tsx";
import { localized } from "../app/words.ts";
import { useEntitlements } from "./holdings.ts";
import { usePeople } from "./people.ts";
import page from "../app/Page.module.css";

/** The page. */
export function Family() {
  const { _ } = useLingui();
  const people = usePeople();
  const entitlements = useEntitlements();
  return (
    <>
      <div className={page.intro}>
        <h1>{_("family.title")}</h1>
        <p className={page.soft}>{_("family.lead")}</p>
      </div>
      <section className={page.part} aria-labelledby="covered">
        <div className={page.partHead}>
          <h2 id="covered">{_("home.who")}</h2>
        </div>
        <Loaded query={people} lines={3}>
          {({ holder, covered }) => (
            <div className={page.rows}>
              <div className={page.line}>
                <span className={page.name}>{holder || _("family.you")}</span>
                <span className={page.soft}>{_("family.kind.HOLDER")}</span>
              </div>
              {covered.map((person) => (
                <div key={person.key} className={page.line}>
                  <span className={page.name}>{person.name}</span>
                  <span className={page.soft}>{_(`family.kind.${person.kind}`)}</span>
                </div>
              ))}
            </div>
          )}
        </Loaded>
      </section>
      <section className={page.part} aria-labelledby="places">
        <div className={page.partHead}>
          <h2 id="places">{_("family.places")}</h2>
        </div>
        <Loaded query={entitlements} lines={2}>
          {({ entitlements: plans }) => {
            const active = plans.filter(({ status }) => status === EntitlementStatus.ACTIVE);
            return active.length === 0 ? (
              <EmptyState
                title={_("home.none")}
                actions={
                  <Link kind="primary" href="/">
                    {_("home.none.shop")}
                  </Link>
                }
              >
                {_("family.none")}
              </EmptyState>
            ) : (
              <div className={page.rows}>
                {active.map((plan) => (
                  <Places key={plan.id} plan={plan} />
                ))}
              </div>
            );
          }}
        </Loaded>
      </section>
    </>
  );
}

function Places({ plan }: { plan: Entitlement }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const product = useQuery(ProductService.method.getProduct, { productId: plan.productId }, { retry: false }).data;
  const tier = product?.tiers.find(({ id }) => id === plan.tierId);
  return (
    <div className={page.line}>
      <span className={page.name}>{product ? localized(product.friendlyNames, locale) : plan.name}</span>
      <span className={page.soft}>
        {tier === undefined
          ? ""
          : tier.maxAuthorizedUsers === 0
            ? _("shop.you")
            : _("shop.people", { count: tier.maxAuthorizedUsers })}
      </span>
    </div>
  );
}
