// Where the form of an action on a record starts from what the record has.
import type { DescField } from "@bufbuild/protobuf";
import type { Operation } from "./operation.ts";

/** `presence` of a field that is either set or not. */
const EXPLICIT = 1;

/** Whether a request field starts from the record's value. `same` is the record's field of that name. */
export function startsFromRecord({ kind }: Pick<Operation, "kind">, field: DescField, same: DescField): boolean {
  if (kind === "change") return true;
  // A custom call decides itself about a field that is left out: the version of another product is not that of this one.
  if (field.presence === EXPLICIT && same.presence !== EXPLICIT) return false;
  return (
    field.fieldKind === "scalar" ||
    field.fieldKind === "enum" ||
    (field.fieldKind === "list" && field.listKind === "scalar")
  );
}
