import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { asMessage } from "@pavise/descform/draft.ts";
import { filled } from "@pavise/descform/filled.ts";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";
import type { Operation } from "../contract/operation.ts";
import { startOf } from "./start.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));

/** The lists that a change of a record with all fields begins with, by name. */
function listsAtFirst({ method, entity, ...operation }: Operation): string[] {
  if (entity === undefined) return [];
  const whole = { ...operation, method, entity };
  const { initial } = startOf(whole, entity, "id", filled(entity.desc), contract.registry);
  const lists = method.input.fields.filter(({ fieldKind }) => fieldKind === "list");
  return lists.filter(({ localName }) => asMessage(initial)[localName] !== undefined).map(({ name }) => name);
}

const changes = contract.operations.filter(({ kind, entity }) => kind === "change" && entity !== undefined);
const named = (id: string) => changes.find((operation) => operation.id.endsWith(`.${id}`)) as Operation;

test.each(changes.filter(({ name }) => /^(Add|Remove)[A-Z]/.test(name)).map((one) => [one.id, one] as const))(
  "%s begins with nothing to add or remove",
  (_id, operation) => expect(listsAtFirst(operation)).toEqual([]),
);

test("a change of what is there begins with it", () => {
  expect(listsAtFirst(named("OfferService/UpdateProducts"))).toEqual(["products"]);
  expect(listsAtFirst(named("ProductService/UpdateTiers"))).toEqual(["tiers"]);
  expect(listsAtFirst(named("IdentityService/UpdateGroups"))).toEqual(["group_ids"]);
});
