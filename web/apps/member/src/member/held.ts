// The member's plans by product, so that the shop can warn of buying one twice.
import { today } from "@pavise/rpc/day.ts";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { OrderLineType } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { number } from "./ending.ts";

type Plan = Pick<Entitlement, "productId" | "name" | "status" | "endsOn">;

/** The names of the member's plans that are not over, by their products. A suspended plan counts as held. */
export function heldProducts(plans: readonly Plan[], now = today()): ReadonlyMap<string, string> {
  const held = plans.filter(
    ({ status, endsOn }) =>
      status !== EntitlementStatus.CANCELLED && (endsOn === undefined || number(endsOn) >= number(now)),
  );
  return new Map(held.map(({ productId, name }) => [productId, name]));
}

/** The names of the member's plans of the order's products. An order of supplements sells no product. */
export function heldOf(order: Pick<Order, "offers" | "entitlementId">, held: ReadonlyMap<string, string>): string[] {
  if (order.entitlementId !== "") return [];
  const products = order.offers.flatMap(({ lines }) => lines).filter(({ type }) => type === OrderLineType.PRODUCT);
  return products.flatMap(({ productId, name }) => (held.has(productId) ? [held.get(productId) || name] : []));
}
