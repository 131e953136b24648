// Plans of other members that cover this member: the holder, the start, the benefits. Prices are never shown.
import { useLingui } from "@lingui/react";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import type { Coverage } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { DayText } from "@pavise/ui/Value.tsx";
import { nameOf } from "./holdings.ts";
import { PlanPart } from "./PlanPart.tsx";

/** A page part for each of these plans. */
export function Through({ coverages }: { coverages: readonly Coverage[] }) {
  const { _ } = useLingui();
  return coverages.map((coverage) => (
    <PlanPart
      key={coverage.entitlementId}
      id={coverage.entitlementId}
      plan={coverage}
      first={[
        { name: _("through.holder"), value: coverage.holderName || _("through.unnamed") },
        { name: _("through.relation"), value: _(`family.kind.${nameOf(RelationType, coverage.relationType)}`) },
      ]}
      last={[
        { name: _("through.since"), value: <DayText day={coverage.coveredSince} long /> },
        ...(coverage.endsOn ? [{ name: _("plans.until"), value: <DayText day={coverage.endsOn} long /> }] : []),
      ]}
    />
  ));
}
