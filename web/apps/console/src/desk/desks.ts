// The desks, found by their registrations: `<domain>/<name>.desk.ts`.
import type { Console } from "../console/console.ts";
import type { Entity } from "../contract/operation.ts";
import { placeOf } from "../contract/screens.ts";
import type { Desk } from "./desk.tsx";

/** All desks, in the order of their files. */
export const DESKS: readonly Desk[] = Object.values(
  import.meta.glob<Desk>("./*/*.desk.ts", { eager: true, import: "default" }),
);

/** The domains of the records that a desk claims. Its pages show and change these by their descriptors. */
export function domainsOf({ records }: Desk): string[] {
  return [...new Set(Object.keys(records).map((name) => name.split(".")[0] ?? ""))];
}

/**
 * The desks that the caller can work at, in the order of their entities' lists. Desks are for staff: each shows data of
 * other identities.
 */
export function openDesks({ contract, may, caller }: Console): Desk[] {
  if (caller.actor !== undefined) return [];
  const place = ({ records }: Desk) =>
    Math.min(
      ...contract.entities.filter(({ domain, name }) => Object.hasOwn(records, `${domain}.${name}`)).map(placeOf),
    );
  return DESKS.filter(
    ({ needs }) => may(contract.operations.find(({ id }) => id.endsWith(`.${needs}`))) && caller.permissions.length > 0,
  ).toSorted((left, right) => place(left) - place(right));
}

/** The page of a record at its desk; undefined when the caller has no such desk. */
export function deskPath(known: Console, entity: Entity, id: string, ownerId: string): string | undefined {
  const name = `${entity.domain}.${entity.name}`;
  return openDesks(known)
    .find(({ records }) => Object.hasOwn(records, name))
    ?.records[name]?.(id, ownerId);
}
