import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, createRegistry, fromJson, toBinary, type JsonValue, type Message } from "@bufbuild/protobuf";
import { Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import { GetTitlesResponseSchema, type GetTitlesRequest } from "@pavise/schema/pavise/common/v1/title_pb";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";
import { type Operation } from "../contract/operation.ts";
import { consoleOf, type Console } from "./console.ts";
import { referencesIn } from "./referred.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const saying = { locale: "en-US", registry: createRegistry(), translate: (words: string) => words };
const staff = { identityId: "me", realm: Realm.INTERNAL, permissions: ["*"], scopes: [] };

/** A console whose server knows these records: by type and id. Notes each call with its number of references. */
function serving(records: Readonly<Record<string, JsonValue>>): { known: Console; calls: [string, number][] } {
  const calls: [string, number][] = [];
  const call = (operation: Operation, request: Message): Promise<Message> => {
    // A request that cannot be written is not sent.
    toBinary(operation.method.input, request);
    const { references } = request as GetTitlesRequest;
    calls.push([operation.domain, references.length]);
    const titles = references.flatMap((reference) => {
      const json = records[`${reference.type}/${reference.id}`];
      const desc = contract.entities.find(({ name }) => name === reference.type)?.desc;
      if (json === undefined || desc === undefined) return [];
      const value = toBinary(desc, fromJson(desc, json));
      return [{ reference, entity: { typeUrl: `type.googleapis.com/${desc.typeName}`, value } }];
    });
    return Promise.resolve(create(GetTitlesResponseSchema, { titles }));
  };
  const transport = {
    unary: (
      method: { parent: { typeName: string }; name: string },
      _s: unknown,
      _t: unknown,
      _h: unknown,
      request: Message,
    ) => {
      const operation = contract.operations.find(
        ({ id }) => id === `${method.parent.typeName}/${method.name}`,
      ) as Operation;
      return call(operation, request).then((message) => ({ message }));
    },
  };
  return { known: consoleOf(contract, staff, saying, transport as never), calls };
}

const entity = (domain: string, name: string) => {
  const found = contract.entities.find((one) => one.domain === domain && one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

test("fifty references to one domain cost one call, and each record is asked for once", async () => {
  const records = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`Identity/${at}`, { displayName: `N${at}` }]),
  );
  const { known, calls } = serving(records);
  const identity = entity("identity", "Identity");
  const asked = Array.from({ length: 100 }, (_, at) => known.titled(identity, String(at % 50)));
  const found = await Promise.all(asked);
  expect(calls).toEqual([["identity", 50]]);
  expect(found.map((message) => (message as unknown as { displayName: string }).displayName)).toEqual(
    Array.from({ length: 100 }, (_, at) => `N${at % 50}`),
  );
});

test("references to several domains cost one call each; what is not found is nothing", async () => {
  const { known, calls } = serving({ "Identity/ada": {}, "Order/1": {} });
  const found = await Promise.all([
    known.titled(entity("identity", "Identity"), "ada"),
    known.titled(entity("orders", "Order"), "1"),
    known.titled(entity("orders", "Order"), "2"),
  ]);
  expect(calls.toSorted()).toEqual([
    ["identity", 1],
    ["orders", 2],
  ]);
  expect(found.map((message) => message !== null)).toEqual([true, true, false]);
});

test("more than five hundred references are asked for in parts", async () => {
  const { known, calls } = serving({});
  await Promise.all(Array.from({ length: 501 }, (_, at) => known.titled(entity("identity", "Identity"), String(at))));
  expect(calls.map(([, count]) => count)).toEqual([500, 1]);
});

test("nothing is asked for that the caller may not read", async () => {
  const { calls } = serving({});
  const bare = consoleOf(contract, { ...staff, permissions: [] }, saying, undefined as never);
  expect(await bare.titled(entity("identity", "Identity"), "ada")).toBeNull();
  expect(calls).toEqual([]);
});

test("the references of a title are those that its template names", () => {
  const { known } = serving({});
  const order = entity("orders", "Order");
  const message = fromJson(order.desc, { ownerId: "ada", invoiceId: "i" });
  expect(referencesIn(known, order, message)).toEqual([{ entity: entity("identity", "Identity"), id: "ada" }]);
});
