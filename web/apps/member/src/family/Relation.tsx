// The relation of a person to the holder of a plan.
import { useLingui } from "@lingui/react";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import type { Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { nameOf } from "../member/holdings.ts";

type Kinds = readonly [RelationType, ...RelationType[]];

const FAMILY: Kinds = [RelationType.SPOUSE, RelationType.DEPENDENT, RelationType.ELDER];
const BUSINESS: Kinds = [RelationType.NORMAL_USER, RelationType.CO_OWNER];

/** The relations that a plan can cover, the likeliest first. */
export function relationsOf(plan: Pick<Entitlement, "business">): Kinds {
  return plan.business ? BUSINESS : FAMILY;
}

/** Asks for the relation. */
export function RelationSelect({
  label,
  plan,
  value,
  onChange,
}: {
  label: string;
  plan: Pick<Entitlement, "business">;
  value: RelationType;
  onChange: (relation: RelationType) => void;
}) {
  const { _ } = useLingui();
  const kinds = relationsOf(plan);
  return (
    <NativeSelect
      label={label}
      choices={kinds.map((kind) => ({
        id: nameOf(RelationType, kind),
        label: _(`family.kind.${nameOf(RelationType, kind)}`),
      }))}
      value={nameOf(RelationType, value)}
      onChange={(name) => onChange(kinds.find((kind) => nameOf(RelationType, kind) === name) ?? kinds[0])}
    />
  );
}
