import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import { expect, test } from "vitest";
import { consoleOf } from "../console/console.ts";
import type { Caller } from "../contract/caller.ts";
import { contractOf } from "../contract/load.ts";
import { readContract } from "../contract/operation.ts";
import { setOf, Types } from "../contract/types.ts";
import { keysOf, openEntities, placesOf } from "./places.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const staff: Caller = { identityId: "me", realm: Realm.INTERNAL, permissions: ["*"], scopes: [] };
const saying = { locale: "en-US", registry: contract.registry, translate: (words: string) => words };
const known = consoleOf(contract, staff, saying, undefined as never);
const places = placesOf(known);

test("the headings stand in the order of their lists' places", () => {
  expect(places.map(({ heading }) => heading)).toEqual([
    "Desks",
    "Members",
    "Sales",
    "Groups",
    "Billing",
    "Provisioning",
    "Messages",
    "Documents",
    "Catalog",
    "System",
  ]);
  expect(places[0]?.places.map(({ label }) => label)).toEqual([
    "Identity desk",
    "Order desk",
    "Invoices and refunds",
    "Subscription desk",
    "Repricing",
    "Provisioning repair",
    "Catalog desk",
    "Billing day",
    "Collections",
    "Reconciliation",
    "Test clock",
    "Workers",
  ]);
});

test("every list has a heading and a key", () => {
  expect(openEntities(known).filter(({ display }) => display === undefined)).toEqual([]);
  const lists = places.flatMap((group) => group.places).filter(({ path }) => path.startsWith("/r/"));
  expect(lists.length).toBe(openEntities(known).length);
  expect(lists.filter(({ key }) => !key)).toEqual([]);
});

test("no keys of a place begin with those of another", () => {
  const keys = ["g h", "g S", ...places.flatMap((group) => group.places.flatMap((place) => keysOf(place) ?? []))];
  const clashes = keys.filter((one, at) =>
    keys.some((other, index) => index !== at && `${one} `.startsWith(`${other} `)),
  );
  expect(clashes).toEqual([]);
});

test("the navigation needs the types of no domain", () => {
  const bare = readContract(
    setOf(readFileSync(file)),
    new Types(() => Promise.reject(new Error("it asked for a part"))),
  );
  expect(placesOf(consoleOf(bare, staff, saying, undefined as never))).toEqual(places);
});
