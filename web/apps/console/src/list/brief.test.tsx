import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { Brief } from "@pavise/descform/Brief.tsx";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const saying = { locale: "fr-CA", registry: contract.registry, translate: (words: string) => words };

function cell({ name }: { name: string }, value: unknown) {
  return name.endsWith("_id") ? `[${String(value)}]` : undefined;
}

/** The text of a list in a cell; references are shown in brackets. */
function brief(name: string, list: string, json: JsonValue): string {
  const entity = contract.entities.find((one) => one.name === name);
  if (entity === undefined) throw new Error(name);
  const record = reflect(entity.desc, fromJson(entity.desc, json), false);
  const field = record.fields.find((one) => one.name === list);
  if (field?.fieldKind !== "list") throw new Error(list);
  return renderToStaticMarkup(<Brief record={record} field={field} saying={saying} cell={cell} />);
}

test("of a text in several languages the reader's is shown", () => {
  const names = [
    { locale: "LOCALE_EN_US", text: "Family" },
    { locale: "LOCALE_FR_CA", text: "Famille" },
  ];
  expect(brief("Offer", "names", { names })).toBe("Famille");
  expect(brief("Family", "names", { names: [{ id: "1", locale: "LOCALE_EN_US", text: "Legal" }] })).toBe("Legal");
});

test("items are shown by what tells them apart, the primary one first", () => {
  const emails = [
    { id: "1", address: "a@example.com", addedAt: "2026-01-01T00:00:00Z" },
    { id: "2", address: "b@example.com", primary: true },
  ];
  expect(brief("Profile", "emails", { emails })).toBe("b@example.com, a@example.com");
  const accountIdentifiers = [{ id: "1", type: "ACCOUNT_IDENTIFIER_TYPE_MEMBER", value: "12345", key: "member/12345" }];
  expect(brief("Profile", "account_identifiers", { accountIdentifiers })).toBe("Member · 12345");
});

test("references in items are shown as elsewhere", () => {
  const members = [{ identityId: "ada", permissionType: "RELATION_TYPE_SPOUSE", status: "MEMBER_STATUS_ACTIVE" }];
  expect(brief("Relation", "members", { members })).toBe("[ada] · Spouse · Active");
});

test("of what is ticked the name is shown, of what is not nothing", () => {
  const fields = [{ key: "heading", type: "CONTENT_FIELD_TYPE_TEXT", required: true }];
  expect(brief("ContentType", "fields", { fields })).toBe("heading · Text · Required");
});
