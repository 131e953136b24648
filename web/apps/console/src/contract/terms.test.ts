// Every name of the contract that a screen shows has a translation: labels, statuses, titles, entities.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { enumWords, fieldLabel, spellingOf, words } from "@pavise/descform/words.ts";
import es from "@pavise/i18n/contract/es.json" with { type: "json" };
import fr from "@pavise/i18n/contract/fr.json" with { type: "json" };
import { expect, test } from "vitest";
import { plural } from "../frame/places.ts";
import { registryOf } from "./load.ts";
import { readContract } from "./operation.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = readContract(registryOf(readFileSync(file)));

/** Codes are the same in every language: regions, currencies, taxes, locales, spellings that are names. */
const CODE = /^([A-Z0-9]{1,4}(_[A-Z0-9]+)?|[a-z].*|X)$/;

function labels(desc: DescMessage, found: Set<string>, seen: Set<string>): void {
  if (seen.has(desc.typeName)) return;
  seen.add(desc.typeName);
  for (const field of desc.fields) {
    found.add(fieldLabel(field));
    if (field.message !== undefined && desc.typeName.startsWith("pavise.")) labels(field.message, found, seen);
    if (field.enum !== undefined) values(field.enum, found);
  }
  for (const oneof of desc.oneofs) found.add(fieldLabel({ ...oneof, parent: desc } as unknown as DescField));
}

function values(desc: DescEnum, found: Set<string>): void {
  // Reasons have sentences of their own.
  if (desc.name === "ErrorReason") return;
  for (const value of desc.values) if (value.number !== 0) found.add(enumWords(spellingOf(value)));
}

/** The contract's terms that screens show, in English. */
function terms(): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const { title, method, kind, action, service, consequences } of contract.operations) {
    for (const one of [title, words(kind), words(service), ...consequences]) found.add(one);
    if (action !== "") found.add(enumWords(action));
    labels(method.input, found, seen);
    labels(method.output, found, seen);
  }
  for (const { title, desc, statuses } of contract.entities) {
    for (const one of [title, plural(title), ...statuses.map(enumWords)]) found.add(one);
    labels(desc, found, seen);
  }
  for (const type of contract.registry) if (type.kind === "enum" && type.name.endsWith("Action")) values(type, found);
  return [...found].filter((term) => !CODE.test(term)).toSorted();
}

test.each([
  ["Spanish", es],
  ["French", fr],
] as const)("each of them is said in %s", (_language, dictionary) => {
  const known: Readonly<Record<string, string>> = dictionary;
  expect(terms().filter((term) => !known[term])).toEqual([]);
});

test("the languages know the same terms", () => {
  expect(Object.keys(fr)).toEqual(Object.keys(es));
});
