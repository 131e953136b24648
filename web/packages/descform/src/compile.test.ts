import { create, createRegistry, equals, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  OrderService,
  PutOffersRequestSchema,
  PurchaseOrderRequestSchema,
  ListOrdersRequestSchema,
} from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { TaxService } from "@pavise/schema/pavise/orders/v1/tax_service_pb";
import { compile, draftOf, FAULTS, type CompileContext } from "./compile.ts";
import { filled } from "./filled.ts";
import type { Constraints } from "./constraints.ts";

const registry = createRegistry(OrderService, TaxService);
const free: CompileContext = { registry, constraints: () => ({ required: false }) };
const ruled = (rules: Record<string, Partial<Constraints>>): CompileContext => ({
  registry,
  constraints: (field: DescField) => ({ required: false, ...rules[field.name] }),
});
const faults = (desc: DescMessage, draft: object, context = free) =>
  compile(desc, draft as never, context).faults.map(({ path, code }) => [path, code]);

test("a draft becomes a message, amounts in minor units", () => {
  const { message } = compile(
    PurchaseOrderRequestSchema,
    {
      orderId: "o-1",
      expectedTotal: { currency: "1", amount: "29.95" },
      expectedRenewal: { currency: "2", amount: "-5" },
    },
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
  expect(faults(PurchaseOrderRequestSchema, { expectedTotal: { amount: "1.234", currency: "1" } })).toEqual([
    ["expected_total", FAULTS.decimal],
  ]);
  expect(faults(PurchaseOrderRequestSchema, { expectedTotal: { amount: "1" } })).toEqual([
    ["expected_total", FAULTS.currency],
  ]);
  expect(compile(ListOrdersRequestSchema, { pageSize: "ten" }, free).message).toBeUndefined();
});

test("paths name the items of lists as the server does", () => {
  const draft = {
    offers: {
      items: [
        { key: 7, value: {} },
        { key: 3, value: { brand: "TOO LONG" } },
      ],
    },
  };
  expect(faults(PutOffersRequestSchema, draft, ruled({ brand: { maxLength: 3 } }))).toEqual([
    ["offers[1].brand", FAULTS.tooLong],
  ]);
});

test("the contract's rules are checked", () => {
  expect(faults(ListOrdersRequestSchema, {}, ruled({ identity_id: { required: true } }))).toEqual([
    ["identity_id", FAULTS.required],
  ]);
  expect(faults(ListOrdersRequestSchema, { pageSize: "501" }, ruled({ page_size: { most: 500 } }))).toEqual([
    ["page_size", FAULTS.most],
  ]);
  expect(
    faults(ListOrdersRequestSchema, { identityId: "ab" }, ruled({ identity_id: { pattern: "^[0-9]+$" } })),
  ).toEqual([["identity_id", FAULTS.characters]]);
  expect(
    faults(PutOffersRequestSchema, { offers: { items: [{ key: 1, value: {} }] } }, ruled({ offers: { minItems: 2 } })),
  ).toEqual([["offers", FAULTS.tooFew]]);
});

test.each(
  [OrderService, TaxService].flatMap((service) =>
    service.methods.map((method) => [`${service.name}.${method.name}`, method.input] as const),
  ),
)("the request of %s goes through a form unchanged", (_name, desc) => {
  for (const message of [create(desc), filled(desc)]) {
    const compiled = compile(desc, draftOf(desc, message, registry), free);
    expect(compiled.faults).toEqual([]);
    expect(equals(desc, compiled.message as Message, message)).toBe(true);
  }
});
