// The records that fields refer to.
import type { DescField } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { referenceOf } from "@pavise/descform/value.ts";
import { enumSpelling } from "@pavise/descform/words.ts";
import type { Contract, Entity } from "../contract/operation.ts";

/**
 * The entity type that an id field names: from the contract's option, else from the field beside it that says the type, else
 * from the field's name.
 */
export function entityNamedBy(contract: Contract, field: DescField, record?: ReflectMessage): Entity | undefined {
  const beside = record === undefined || referenceOf(field) !== "" ? "" : typeBeside(field, record);
  if (beside !== "") return contract.entities.find(({ name }) => name === beside);
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

/**
 * The type that stands beside an id: `subject_type` ENTITLEMENT, `holder_aggregate` "Offer", `type` "Invoice" and nothing else,
 * the `container` ANSWER beside the `resource_id` of a file.
 */
function typeBeside(field: DescField, record: ReflectMessage): string {
  const stem =
    /^(.+_)id$/.exec(field.name)?.[1] ?? (field.name === "id" && record.fields.length === 2 ? "" : undefined);
  if (stem === undefined) return "";
  const names = new Set([`${stem}type`, `${stem}aggregate`, ...(stem === "resource_" ? ["container"] : [])]);
  const type = record.fields.find(({ name }) => names.has(name));
  if (type === undefined || !record.isSet(type)) return "";
  if (type.enum === undefined) return type.fieldKind === "scalar" ? String(record.get(type)) : "";
  const parts = enumSpelling(type.enum, record.get(type) as number)
    .toLowerCase()
    .split("_");
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}
