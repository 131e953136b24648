/** Shows single values in grids and on records: a dot for a status, a link for the id of a record. */
import { useWords } from "@pavise/i18n/words.ts";
import type { DescEnum } from "@bufbuild/protobuf";
import type { Cell } from "@pavise/descform/View.tsx";
import { numberWords, toneOf } from "@pavise/descform/words.ts";
import { Tone } from "@pavise/schema/pavise/contract/v1/options_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Id, StatusDot } from "@pavise/ui/Value.tsx";
import { useCallback } from "react";
import type { Entity } from "../contract/operation.ts";
import { getOf, recordPath } from "../contract/screens.ts";
import { useConsole } from "./console.ts";
import { entityNamedBy } from "./references.ts";
import { DOTS } from "./tones.ts";
import { useTitle } from "./useTitle.ts";

/** A status with its dot and its words; nothing when it is unset. */
export function Status({ desc, value }: { desc: DescEnum; value: number }) {
  const w = useWords();
  return value === 0 ? null : <StatusDot tone={DOTS[toneOf(desc, value)]}>{w(numberWords(desc, value))}</StatusDot>;
}

/** The title of another record by its id; the id as long as the title is not known. */
export function Name({ entity, id }: { entity: Entity; id: string }) {
  const title = useTitle(entity, id);
  return title === undefined ? <Id>{id}</Id> : <span title={id}>{title}</span>;
}

/** A person by their name; the id as long as the name is not known. */
export function PersonName({ id }: { id: string }) {
  const identity = useConsole().entityNamed("identity", "Identity");
  return identity === undefined ? <Id>{id}</Id> : <Name entity={identity} id={id} />;
}

/** Special rendering for values of records whose plain text says too little. */
export function useCell(): Cell {
  const { contract, may } = useConsole();
  return useCallback(
    (field, value, record) => {
      if (
        field.enum !== undefined &&
        (field.name === "status" || toneOf(field.enum, value as number) !== Tone.UNSPECIFIED)
      )
        return <Status desc={field.enum} value={value as number} />;
      if (typeof value !== "string" || value === "") return undefined;
      const entity = entityNamedBy(contract, field, record);
      if (entity === undefined) return /(^|_)(id|key)s?$/.test(field.name) ? <Id>{value}</Id> : undefined;
      if (!may(getOf(contract, entity))) return <Id>{value}</Id>;
      return (
        <Link href={recordPath(entity, value)}>
          <Name entity={entity} id={value} />
        </Link>
      );
    },
    [contract, may],
  );
}
