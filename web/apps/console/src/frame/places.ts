// The navigation: the entities by domain, and the system pages, as far as the caller may see them.
import { key } from "@pavise/i18n/key.ts";
import { findable, type Console } from "../console/console.ts";
import type { Entity } from "../contract/operation.ts";
import { entityPath, getOf, journalOf, placeOf } from "../contract/screens.ts";
import { fieldSegment } from "../contract/address.ts";
import { openDesks } from "../desk/desks.ts";
import { words } from "@pavise/descform/words.ts";

/** A place in the navigation. */
export interface Place {
  readonly path: string;
  readonly label: string;
  /** The letters that are pressed after `g` to go there. */
  readonly key?: string | undefined;
}

export interface PlaceGroup {
  readonly heading: string;
  readonly places: readonly Place[];
}

/** Entities whose records can be listed and opened by the caller. Children are listed on their parent's page. */
export function openEntities(known: Console): Entity[] {
  return known.contract.entities.filter(
    (entity) =>
      entity.parent === undefined &&
      findable(known, entity) &&
      (getOf(known.contract, entity) !== undefined ||
        known.contract.operations.some((operation) => operation.answers === "many" && operation.entity === entity)),
  );
}

/** The keys of a place, as they are pressed after each other: `g o`, or `g z t`. */
export function keysOf({ key: letters }: Place): string | undefined {
  return letters === undefined ? undefined : ["g", ...letters].join(" ");
}

/** The places that the caller may go to. */
export function placesOf(known: Console): PlaceGroup[] {
  const groups = new Map<string, Place[]>();
  for (const entity of openEntities(known).toSorted((left, right) => placeOf(left) - placeOf(right))) {
    const heading = entity.display?.heading ?? words(entity.domain);
    const place = { path: entityPath(entity), label: plural(entity.title), key: entity.display?.key };
    groups.set(heading, [...(groups.get(heading) ?? []), place]);
  }
  const desks = openDesks(known).map(({ path, label, key: letter }): Place => ({ path, label, key: letter }));
  const work = desks.length === 0 ? [] : [{ heading: key("Desks"), places: desks }];
  return [
    ...work,
    ...[...groups].map(([heading, places]) => ({ heading, places })),
    { heading: key("System"), places: systemPlaces(known) },
  ];
}

function systemPlaces(known: Console): Place[] {
  const journal = known.contract.services
    .map(({ name }) => journalOf(known.contract, name))
    .find((operation) => known.may(operation));
  const journals =
    journal === undefined
      ? []
      : [{ path: `/journal/${fieldSegment(journal.service)}`, label: key("Journals"), key: "j" }];
  return [
    ...journals,
    { path: "/explorer", label: key("API explorer"), key: "x" },
    { path: "/permissions", label: key("Permissions"), key: "p" },
    { path: "/components", label: key("Components") },
  ];
}

/** An English plural; the whole word is the translation key. */
export function plural(title: string): string {
  if (/(s|x|ch)$/.test(title)) return `${title}es`;
  return /[^aeiou]y$/.test(title) ? `${title.slice(0, -1)}ies` : `${title}s`;
}
