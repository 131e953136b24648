import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";
import { columnsOf, hiddenAtFirst } from "./columns.tsx";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const saying = { locale: "en-US", registry: contract.registry, translate: (words: string) => words };

test.each(
  contract.entities.flatMap((entity) =>
    entity.display === undefined ? [] : [[entity.desc.typeName, entity, entity.display] as const],
  ),
)("%s: a list shows the columns of the contract first", (_name, entity, display) => {
  const columns = columnsOf(entity, saying, () => undefined);
  const hidden = hiddenAtFirst(entity, columns);
  expect(columns.map(({ id }) => id).filter((id) => !hidden.has(id))).toEqual(display.columns);
  expect(columns.slice(0, display.columns.length).map(({ id }) => id)).toEqual(display.columns);
});
