import { create } from "@bufbuild/protobuf";
import { EntitlementSchema, EntitlementStatus } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { OrderLineType } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { OrderSchema } from "@pavise/schema/pavise/orders/v1/order_pb";
import { expect, test } from "vitest";
import { heldOf, heldProducts } from "./held.ts";

const NOW = { year: 2026, month: 1, day: 15 };
const plan = (productId: string, status: EntitlementStatus, day?: number) =>
  create(EntitlementSchema, { productId, status, ...(day === undefined ? {} : { endsOn: { ...NOW, day } }) });

test("a plan is held until it is cancelled or over", () => {
  const plans = [
    plan("active", EntitlementStatus.ACTIVE),
    plan("suspended", EntitlementStatus.SUSPENDED),
    plan("cancelled", EntitlementStatus.CANCELLED),
    plan("today", EntitlementStatus.ACTIVE, 15),
    plan("yesterday", EntitlementStatus.ACTIVE, 14),
  ];
  expect([...heldProducts(plans, NOW).keys()]).toEqual(["active", "suspended", "today"]);
});

test("the plans that the member has are named, not those of the order", () => {
  const lines = [
    { type: OrderLineType.PRODUCT, productId: "legal", name: "Legal Plan" },
    { type: OrderLineType.SUPPLEMENT, productId: "legal", supplementId: "extra", name: "Extra" },
    { type: OrderLineType.PRODUCT, productId: "identity", name: "Identity" },
  ];
  const order = create(OrderSchema, { offers: [{ lines }] });
  expect(heldOf(order, new Map([["legal", "Legal Plan – Family"]]))).toEqual(["Legal Plan – Family"]);
  expect(heldOf({ ...order, entitlementId: "plan" }, new Map([["legal", "Legal Plan – Family"]]))).toEqual([]);
});
