import { create, createRegistry, equals, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { expect, test } from "vitest";
import { OrderService, PutOffersRequestSchema, PurchaseOrderRequestSchema, ListOrdersRequestSchema } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { TaxService } from "@pavise/schema/pavise/orders/v1/tax_service_pb";
import { compile, draftOf, FAULTS, type CompileContext } from "./compile.ts";
import type { Constraints } from "./constraints.ts";

const registry = createRegistry(OrderService, TaxService);
const free: CompileContext = { registry, constraints: () => ({ required: false }) };
const ruled = (rules: Record<string, Partial<Constraints>>): CompileContext => ({
  registry,
  constraints: (field: DescField) => ({ required: false, ...rules[field.name] }),
});
const faults = (desc: DescMessage, draft: object, context = free) => compile(desc, draft as never, context).faults.map(({ path, code }) => [path, code]);

test("a draft becomes a message, amounts in minor units", () => {
  const { message } = compile(
    PurchaseOrderRequestSchema,
    { orderId: "o-1", expectedTotal: { currency: "1", amount: "29.95" }, expectedRenewal: { currency: "2", amount: "-5" } },
    free,
  );
  expect(message).toEqual(
    create(PurchaseOrderRequestSchema, {
      orderId: "o-1",
      expectedTotal: { currency: 1, amount: 2995n },
      expectedRenewal: { currency: 2, amount: -500n },
    }),
  );
});

test("what cannot be read is said at its path, and there is no message", () => {
  expect(faults(ListOrdersRequestSchema, { pageSize: "ten" })).toEqual([["page_size", FAULTS.number]]);
  expect(faults(ListOrdersRequestSchema, { pageSize: "3000000000" })).toEqual([["page_size", FAULTS.range]]);
  expect(faults(PurchaseOrderRequestSchema, { expectedTotal: { amount: "1.234", currency: "1" } })).toEqual([["expected_total", FAULTS.decimal]]);
  expect(faults(PurchaseOrderRequestSchema, { expectedTotal: { amount: "1" } })).toEqual([["expected_total", FAULTS.currency]]);
  expect(compile(ListOrdersRequestSchema, { pageSize: "ten" }, free).message).toBeUndefined();
});

test("paths name the items of lists as the server does", () => {
  const draft = { offers: { items: [{ key: 7, value: {} }, { key: 3, value: { brand: "TOO LONG" } }] } };
  expect(faults(PutOffersRequestSchema, draft, ruled({ brand: { maxLength: 3 } }))).toEqual([["offers[1].brand", FAULTS.tooLong]]);
});

test("the contract's rules are checked", () => {
  expect(faults(ListOrdersRequestSchema, {}, ruled({ identity_id: { required: true } }))).toEqual([["identity_id", FAULTS.required]]);
  expect(faults(ListOrdersRequestSchema, { pageSize: "501" }, ruled({ page_size: { most: 500 } }))).toEqual([["page_size", FAULTS.most]]);
  expect(faults(ListOrdersRequestSchema, { identityId: "ab" }, ruled({ identity_id: { pattern: "^[0-9]+$" } }))).toEqual([
    ["identity_id", FAULTS.pattern],
  ]);
  expect(faults(PutOffersRequestSchema, { offers: { items: [{ key: 1, value: {} }] } }, ruled({ offers: { minItems: 2 } }))).toEqual([
    ["offers", FAULTS.tooFew],
  ]);
});

/** A message in which every field is set, and lists and maps have two entries. */
function filled(desc: DescMessage, depth = 0): Message {
  const message = reflect(desc, create(desc), false);
  let seed = depth + 1;
  const scalar = (field: DescField) => {
    seed += 1;
    if (field.message !== undefined) return reflect(field.message, special(field.message) ?? filled(field.message, depth + 1), false);
    if (field.enum !== undefined) return field.enum.values[1]?.number ?? 0;
    const values: Record<number, unknown> = { 8: true, 9: `text ${seed}`, 12: new Uint8Array([seed, 0, 255]), 1: seed / 4, 2: seed / 4 };
    const wide = [3, 4, 6, 16, 18].includes(field.scalar as number);
    return values[field.scalar as number] ?? (wide ? BigInt(seed) : seed);
  };
  for (const field of desc.fields) {
    if (depth > 5 || (field.oneof !== undefined && field.oneof.fields[0] !== field)) continue;
    if (field.fieldKind === "list") {
      message.get(field).add(scalar(field) as never);
      message.get(field).add(scalar(field) as never);
    } else if (field.fieldKind === "map") {
      message.get(field).set((field.mapKey === 9 ? "name" : 5) as never, scalar(field) as never);
    } else message.set(field, scalar(field) as never);
  }
  return message.message;
}

/** Values of messages with rules of their own. */
function special(desc: DescMessage): Message | undefined {
  const parts: Record<string, object> = {
    "google.protobuf.Timestamp": { seconds: 1_700_000_000n, nanos: 123_000_000 },
    "pavise.common.v1.Date": { year: 2026, month: 2, day: 28 },
  };
  const part = parts[desc.typeName];
  return part === undefined ? undefined : create(desc, part as never);
}

test.each([OrderService, TaxService].flatMap((service) => service.methods.map((method) => [`${service.name}.${method.name}`, method.input] as const)))(
  "the request of %s goes through a form unchanged",
  (_name, desc) => {
    for (const message of [create(desc), filled(desc)]) {
      const compiled = compile(desc, draftOf(desc, message, registry), free);
      expect(compiled.faults).toEqual([]);
      expect(equals(desc, compiled.message as Message, message)).toBe(true);
    }
  },
);
