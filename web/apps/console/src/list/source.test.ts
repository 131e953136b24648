import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import { expect, test } from "vitest";
import { consoleOf } from "../console/console.ts";
import { contractOf } from "../contract/load.ts";
import { countText, sourcesOf } from "./source.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const saying = { locale: "en-US", registry: contract.registry, translate: (words: string) => words };
const staff = { identityId: "me", realm: Realm.INTERNAL, permissions: ["*"], scopes: [] };
const known = consoleOf(contract, staff, saying, {} as never);

test("no list begins with a call that answers nothing until it is told which records", () => {
  const begins = contract.entities
    .filter(({ parent, display }) => parent === undefined && display !== undefined)
    .map((entity) => sourcesOf(known, entity)[0]?.operation);
  expect(begins.filter((operation) => operation?.kind === "batch").map((operation) => operation?.name)).toEqual([]);
  const maps = contract.entities.find(({ name }) => name === "OfferMap");
  expect(maps && sourcesOf(known, maps).map(({ id }) => id)).toContain("GetOfferMapsByIdList");
});

test("a count is in the reader's number format, and says when there are more", () => {
  expect(countText({ size: 37, capped: false }, "en-US")).toBe("37");
  expect(countText({ size: 0, capped: false }, "en-US")).toBe("0");
  expect(countText({ size: 1000, capped: true }, "en-US")).toBe("1,000+");
  expect(countText({ size: 1000, capped: true }, "fr-CA")).toMatch(/^1\s000\+$/);
});
