import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { expect, test } from "vitest";
import { constraintsOf } from "./constraints.ts";

const file = fileURLToPath(new URL("../../schema/src/gen/contract.binpb", import.meta.url));
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(file)));
const constraints = constraintsOf(registry);

test.each(Object.entries(LENGTHS))("%s takes %d characters", (name, most) => {
  const at = name.lastIndexOf(".");
  const field = registry
    .getMessage(`pavise.${name.slice(0, at)}`)
    ?.fields.find((one) => one.name === name.slice(at + 1));
  expect(field && constraints(field).maxLength).toBe(most);
});
