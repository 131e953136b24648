import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";
import { entityNamedBy } from "./references.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));

function namedBy(desc: DescMessage | undefined, field: string, json: JsonValue): string | undefined {
  if (desc === undefined) throw new Error(field);
  const record = reflect(desc, fromJson(desc, json), false);
  const found = record.fields.find(({ name }) => name === field);
  return found === undefined ? undefined : entityNamedBy(contract, found, record)?.name;
}

const entity = (name: string) => contract.entities.find((one) => one.name === name)?.desc;

test("an id is of the type that stands beside it", () => {
  const plan = { subjectType: "NOTE_SUBJECT_TYPE_ENTITLEMENT", subjectId: "1" };
  expect(namedBy(entity("Note"), "subject_id", plan)).toBe("Entitlement");
  const source = contract.registry.getMessage("pavise.messaging.v1.AlertSource");
  expect(namedBy(source, "id", { type: "Invoice", id: "1" })).toBe("Invoice");
  const held = { holderAggregate: "Offer", holderId: "1" };
  expect(namedBy(entity("ReservedName"), "holder_id", held)).toBe("Offer");
  const kept = (container: string) => namedBy(entity("File"), "resource_id", { container, resourceId: "1" });
  expect(kept("FILE_CONTAINER_ANSWER")).toBe("Answer");
  expect(kept("FILE_CONTAINER_FORM")).toBe("Form");
  expect(kept("FILE_CONTAINER_OTHER")).toBeUndefined();
});

test("the contract's word goes before the type beside, and a record's own id names nothing", () => {
  expect(namedBy(entity("Relation"), "id", { id: "1", type: "RELATION_KIND_FAMILY" })).toBeUndefined();
  expect(namedBy(entity("Relation"), "owner_id", { ownerId: "1" })).toBe("Identity");
});
