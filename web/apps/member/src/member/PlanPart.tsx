// A plan: its name, its status, its benefits, and facts about it.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { Part } from "@pavise/ui/Part.tsx";
import { Facts, StatusDot } from "@pavise/ui/Value.tsx";
import type { ReactNode } from "react";
import { Benefits } from "../app/Benefits.tsx";
import { localized } from "../app/words.ts";
import { useBought } from "./bought.ts";
import { nameOf, planTone } from "./holdings.ts";
import { WhySuspended } from "./Why.tsx";

/** The properties that one's own plan and another member's plan share. */
type Plan = Pick<
  Entitlement,
  "productId" | "productVersion" | "tierId" | "supplementIds" | "name" | "status" | "friendlyId"
> &
  Partial<Pick<Entitlement, "statusReason">>;
type Fact = { name: string; value: ReactNode };

type PlanPartProps = {
  id: string;
  plan: Plan;
  /** The plan can be used, but its subscription is suspended. */
  unbilled?: boolean;
  first?: Fact[];
  last: Fact[];
};

/** The page part of a plan; the caller's facts stand before and after the plan's own. */
export function PlanPart({ id, plan, unbilled, first, last }: PlanPartProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  // A product that is no longer sold cannot be looked up. The plan itself has its name.
  const { product, benefits } = useBought(plan.productId, plan.productVersion);
  const tier = product?.tiers.find((one) => one.id === plan.tierId);
  const supplements = plan.supplementIds.map((wanted) => {
    const supplement = product?.supplements.find((one) => one.id === wanted);
    return supplement ? localized(supplement.names, locale) : wanted;
  });
  return (
    <Part
      id={`plan-${id}`}
      title={product ? localized(product.friendlyNames, locale) : plan.name}
      end={<PlanStatus status={plan.status} unbilled={unbilled === true} />}
    >
      <WhySuspended plan={plan} />
      {product ? <Benefits product={product} kept={benefits} /> : null}
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

/** The status of a plan. A plan whose billing is suspended is not shown as active. */
export function PlanStatus({ status, unbilled }: { status: EntitlementStatus; unbilled: boolean }) {
  const { _ } = useLingui();
  if (unbilled && status === EntitlementStatus.ACTIVE)
    return <StatusDot tone="warning">{_("plan.status.unbilled")}</StatusDot>;
  return <StatusDot tone={planTone(status)}>{_(`plan.status.${nameOf(EntitlementStatus, status)}`)}</StatusDot>;
}
