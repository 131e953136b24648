// Every name of the contract that a screen shows has a translation, in the file where readers look for it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LANGUAGES, termsIn, type Terms } from "@pavise/i18n/contract/load.ts";
import { expect, test } from "vitest";
import { contractOf } from "./load.ts";
import { folderOf, headingsOf, misplaced, termsOf } from "./terms.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const used = termsOf(contract);
const headings = headingsOf(contract);

test("Spanish and French are the languages", () => {
  expect(LANGUAGES).toEqual(["es", "fr"]);
});

test.each(["es", "fr"])("every term is translated into %s, once, in its file", async (language) => {
  expect(misplaced(used, await termsIn(language), language, headings)).toEqual([]);
});

const FOLDERS: Readonly<Record<string, Terms>> = {
  shared: { Both: "los dos" },
  birds: { Wing: "ala" },
  fish: { Fin: "aleta" },
};
const USED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Both", new Set(["birds", "fish"])],
  ["Wing", new Set(["birds"])],
  ["Fin", new Set(["fish"])],
]);

test.each<[string, Readonly<Record<string, Terms>>, string[]]>([
  ["nothing is wrong", FOLDERS, []],
  ["a term is missing", { ...FOLDERS, birds: {} }, ["Wing: missing; it belongs in birds/es.json"]],
  ["a term has no text", { ...FOLDERS, birds: { Wing: "" } }, ["Wing: missing; it belongs in birds/es.json"]],
  ["nothing uses a term", { ...FOLDERS, fish: { Fin: "aleta", Leg: "pata" } }, ["Leg: superfluous in fish/es.json"]],
  [
    "a term stands twice",
    { ...FOLDERS, fish: { Fin: "aleta", Both: "ambos" } },
    ["Both: in fish/es.json and in shared/es.json; it belongs in shared/es.json"],
  ],
  [
    "a term stands in a domain that does not use it",
    { ...FOLDERS, birds: {}, fish: { Fin: "aleta", Wing: "ala" } },
    ["Wing: in fish/es.json; it belongs in birds/es.json"],
  ],
  [
    "one domain's term stands with the shared ones",
    { ...FOLDERS, birds: {}, shared: { Both: "los dos", Wing: "ala" } },
    ["Wing: in shared/es.json; it belongs in birds/es.json"],
  ],
  // A further domain may use another's term without an edit of that domain's files.
  ["a shared term stands in a domain that uses it", { ...FOLDERS, shared: {}, fish: { Fin: "a", Both: "b" } }, []],
])("%s", (_what, folders, said) => {
  expect(misplaced(USED, folders, "es")).toEqual(said);
});

test("a term of the navigation stands with the headings, whoever uses it", () => {
  const moved = { ...FOLDERS, birds: {}, headings: { Wing: "ala" } };
  expect(misplaced(USED, moved, "es", new Set(["Wing"]))).toEqual([]);
  expect(misplaced(USED, FOLDERS, "es", new Set(["Wing"]))).toEqual([
    "Wing: in birds/es.json; it belongs in headings/es.json",
  ]);
  expect(misplaced(USED, moved, "es")).toEqual(["Wing: in headings/es.json; it belongs in birds/es.json"]);
});

test("a term of several domains belongs with the shared ones", () => {
  expect(folderOf(new Set(["birds", "fish"]))).toBe("shared");
  expect(folderOf(new Set(["birds"]))).toBe("birds");
});
