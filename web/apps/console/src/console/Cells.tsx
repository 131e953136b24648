/** Shows single values in grids and on records: a dot for a status, a link for the id of a record. */
import { useWords } from "@pavise/i18n/words.ts";
import type { DescEnum, DescField } from "@bufbuild/protobuf";
import type { Cell } from "@pavise/descform/View.tsx";
import { referenceOf } from "@pavise/descform/value.ts";
import { numberWords, toneOf } from "@pavise/descform/words.ts";
import { Link } from "@pavise/ui/Link.tsx";
import { Id, StatusDot } from "@pavise/ui/Value.tsx";
import { useCallback } from "react";
import type { Contract, Entity } from "../contract/operation.ts";
import { getOf, recordPath } from "../contract/screens.ts";
import { useConsole } from "./console.ts";
import { DOTS } from "./tones.ts";

/** A status with its dot and its words; nothing when it is unset. */
export function Status({ desc, value }: { desc: DescEnum; value: number }) {
  const w = useWords();
  return value === 0 ? null : <StatusDot tone={DOTS[toneOf(desc, value)]}>{w(numberWords(desc, value))}</StatusDot>;
}

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

/** Special rendering for values of records whose plain text says too little. */
export function useCell(): Cell {
  const { contract, may } = useConsole();
  return useCallback(
    (field, value) => {
      if (field.name === "status" && field.enum !== undefined)
        return <Status desc={field.enum} value={value as number} />;
      if (typeof value !== "string" || value === "") return undefined;
      if (field.name === "id") return <Id>{value}</Id>;
      const entity = entityNamedBy(contract, field);
      if (entity === undefined) return /(^|_)(id|key)s?$/.test(field.name) ? <Id>{value}</Id> : undefined;
      if (!may(getOf(contract, entity))) return <Id>{value}</Id>;
      return (
        <Link href={recordPath(entity, value)}>
          <Id>{value}</Id>
        </Link>
      );
    },
    [contract, may],
  );
}
