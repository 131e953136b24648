// Marks a product that the member already has. Only members load it: visitors have no plans.
import { useLingui } from "@lingui/react";
import { StatusDot } from "@pavise/ui/Value.tsx";
import { heldProducts } from "../member/held.ts";
import { useEntitlements } from "../member/holdings.ts";

/** The mark; empty for a product that the member does not have. */
export function Held({ productId }: { productId: string }) {
  const { _ } = useLingui();
  const { data } = useEntitlements();
  const held = data && heldProducts(data.entitlements);
  if (!held?.has(productId)) return null;
  return (
    <p>
      <StatusDot tone="good">{_("shop.held", { plan: held.get(productId) })}</StatusDot>
    </p>
  );
}
