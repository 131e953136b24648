// The navigation: the entities by domain, and the system pages, as far as the caller may see them.
import { key } from "@pavise/i18n/key.ts";
import type { Console } from "../console/console.ts";
import type { Entity } from "../contract/operation.ts";
import { entityPath, getOf, journalOf } from "../contract/screens.ts";
import { fieldSegment } from "../contract/address.ts";
import { openDesks } from "../desk/desks.ts";
import { sourcesOf } from "../list/source.ts";
import { words } from "@pavise/descform/words.ts";

/** A place in the navigation. */
export interface Place {
  readonly path: string;
  readonly label: string;
  /** Pressed after `g` to go there. */
  readonly key?: string | undefined;
}

export interface PlaceGroup {
  readonly heading: string;
  readonly places: readonly Place[];
}

/** The titles of the domains in the navigation, in its order. */
const HEADINGS: Readonly<Record<string, string>> = {
  cases: key("Work"),
  identity: key("Members"),
  members: key("Members"),
  orders: key("Sales"),
  sales: key("Sales"),
  billing: key("Billing"),
  fulfillment: key("Provisioning"),
  groups: key("Groups"),
  network: key("Network"),
  catalog: key("Catalog"),
  messaging: key("Communications"),
  documents: key("Documents"),
  insight: key("Reports"),
};

/** Entities whose records can be listed and opened by the caller. */
export function openEntities(known: Console): Entity[] {
  return known.contract.entities.filter(
    (entity) =>
      sourcesOf(known, entity).length > 0 &&
      (getOf(known.contract, entity) !== undefined ||
        known.contract.operations.some((operation) => operation.answers === "many" && operation.entity === entity)),
  );
}

/** The places that the caller may go to. */
export function placesOf(known: Console): PlaceGroup[] {
  const groups = new Map<string, Place[]>();
  const taken = new Set(["h", "j", "x", "p"]);
  const order = Object.keys(HEADINGS);
  const rank = (domain: string) => (order.includes(domain) ? order.indexOf(domain) : order.length);
  for (const entity of openEntities(known).toSorted((left, right) => rank(left.domain) - rank(right.domain))) {
    const heading = HEADINGS[entity.domain] ?? words(entity.domain);
    const letter = [...entity.name.toLowerCase()].find((one) => !taken.has(one));
    if (letter !== undefined) taken.add(letter);
    groups.set(heading, [
      ...(groups.get(heading) ?? []),
      { path: entityPath(entity), label: plural(entity.title), key: letter },
    ]);
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
