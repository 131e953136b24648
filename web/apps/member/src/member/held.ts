// The member's plans by product, so that the shop can warn of buying one twice.
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { OrderLineType } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { number, today } from "./ending.ts";

type Plan = Pick<Entitlement, "productId" | "status" | "endsOn">;

/** The products of the member's plans that are not over. A suspended plan counts as held. */
export function heldProducts(plans: readonly Plan[], now = today()): ReadonlySet<string> {
  const held = plans.filter(
    ({ status, endsOn }) =>
      status !== EntitlementStatus.CANCELLED && (endsOn === undefined || number(endsOn) >= number(now)),
  );
  return new Set(held.map(({ productId }) => productId));
}

/** The names of the order's products that the member already has. An order of supplements sells no product. */
export function heldOf(order: Pick<Order, "offers" | "entitlementId">, held: ReadonlySet<string>): string[] {
  if (order.entitlementId !== "") return [];
  const products = order.offers.flatMap(({ lines }) => lines).filter(({ type }) => type === OrderLineType.PRODUCT);
  return products.filter(({ productId }) => held.has(productId)).map(({ name }) => name);
}
