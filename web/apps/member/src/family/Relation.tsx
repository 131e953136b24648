// The relation of a person to the holder of a plan.
import { useLingui } from "@lingui/react";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import type { Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { nameOf } from "../member/holdings.ts";
import type { Household } from "./people.ts";

type Covering = { plan: Pick<Entitlement, "business">; covers: Household["covers"] };
type Kinds = readonly [RelationType, ...RelationType[]];

const FAMILY: Kinds = [RelationType.SPOUSE, RelationType.DEPENDENT, RelationType.ELDER];
const BUSINESS: Kinds = [RelationType.NORMAL_USER, RelationType.CO_OWNER];

/** The relations that a plan covers, the likeliest first. */
export function relationsOf({ plan, covers }: Covering): Kinds {
  const all = plan.business ? BUSINESS : FAMILY;
  const [first, ...others] = all.filter((kind) =>
    covers.some(({ type }) => type === kind || type === RelationType.UNSPECIFIED),
  );
  return first === undefined ? all : [first, ...others];
}

/** The wanted relation, or the likeliest that nobody else has. */
export function freeRelation(kinds: Kinds, taken: ReadonlySet<RelationType>, wanted?: RelationType): RelationType {
  const free = kinds.filter((kind) => !taken.has(kind));
  return free.find((kind) => kind === wanted) ?? free[0] ?? kinds[0];
}

/** Asks for the relation. `taken` cannot be chosen again. */
export function RelationSelect({
  label,
  household,
  taken,
  value,
  onChange,
}: {
  label: string;
  household: Covering;
  taken: ReadonlySet<RelationType>;
  value: RelationType;
  onChange: (relation: RelationType) => void;
}) {
  const { _ } = useLingui();
  const kinds = relationsOf(household);
  return (
    <NativeSelect
      label={label}
      choices={kinds.map((kind) => {
        const words = _(`family.kind.${nameOf(RelationType, kind)}`);
        const disabled = taken.has(kind);
        return {
          id: nameOf(RelationType, kind),
          label: disabled ? _("family.kind.taken", { kind: words }) : words,
          disabled,
        };
      })}
      value={nameOf(RelationType, value)}
      onChange={(name) => onChange(kinds.find((kind) => nameOf(RelationType, kind) === name) ?? kinds[0])}
    />
  );
}
