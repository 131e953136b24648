// The records that fields refer to.
import type { DescField } from "@bufbuild/protobuf";
import { referenceOf } from "@pavise/descform/value.ts";
import type { Contract, Entity } from "../contract/operation.ts";

/** The entity type that an id field names: from the contract's option, else from the field's name. */
export function entityNamedBy(contract: Contract, field: DescField): Entity | undefined {
  const said = referenceOf(field);
  const bare = field.name.replace(/_ids?$/, "");
  const guessed = [
    "identity_id",
    "owner_id",
    "member_id",
    "actor_id",
    "subject_id",
    "user_id",
    "new_owner_id",
  ].includes(field.name)
    ? "Identity"
    : bare
        .split("_")
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join("");
  if (said === "" && bare === field.name) return undefined;
  return contract.entities.find(({ name }) => name === (said === "" ? guessed : said));
}
