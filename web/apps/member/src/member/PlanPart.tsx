// A plan: its name, how it stands, what it gives, and facts about it.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { Part } from "@pavise/ui/Part.tsx";
import { Facts, StatusDot } from "@pavise/ui/Value.tsx";
import type { ReactNode } from "react";
import { Benefits } from "../app/Benefits.tsx";
import { localized } from "../app/words.ts";
import { nameOf, planTone } from "./holdings.ts";

/** What is said of one's own plan and of one that covers somebody. */
type Plan = Pick<Entitlement, "productId" | "tierId" | "supplementIds" | "name" | "status" | "friendlyId">;
type Fact = { name: string; value: ReactNode };

/** The part of a page about it; more facts stand before and after those that are the plan's own. */
export function PlanPart({ id, plan, first, last }: { id: string; plan: Plan; first?: Fact[]; last: Fact[] }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  // What is not sold any more cannot be looked up; the plan itself still says its name.
  const product = useQuery(ProductService.method.getProduct, { productId: plan.productId }, { retry: false }).data;
  const tier = product?.tiers.find((one) => one.id === plan.tierId);
  const supplements = plan.supplementIds.map((wanted) => {
    const supplement = product?.supplements.find((one) => one.id === wanted);
    return supplement ? localized(supplement.names, locale) : wanted;
  });
  return (
    <Part
      id={`plan-${id}`}
      title={product ? localized(product.friendlyNames, locale) : plan.name}
      end={<StatusDot tone={planTone(plan.status)}>{_(`plan.status.${nameOf(EntitlementStatus, plan.status)}`)}</StatusDot>}
    >
      {product ? <Benefits product={product} /> : null}
      <Facts
        facts={[
          ...(first ?? []),
          ...(plan.friendlyId ? [{ name: _("plans.number"), value: plan.friendlyId }] : []),
          ...(tier ? [{ name: _("plans.tier"), value: localized(tier.names, locale) }] : []),
          ...(supplements.length > 0 ? [{ name: _("plans.supplements"), value: supplements.join(", ") }] : []),
          ...last,
        ]}
      />
    </Part>
  );
}
