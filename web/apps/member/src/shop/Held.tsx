// Says of a product that the member has it already. It comes with the first member: visitors have nothing.
import { useLingui } from "@lingui/react";
import { StatusDot } from "@pavise/ui/Value.tsx";
import { heldProducts } from "../member/held.ts";
import { useEntitlements } from "../member/holdings.ts";

/** The mark; nothing of a product that the member does not have. */
export function Held({ productId }: { productId: string }) {
  const { _ } = useLingui();
  const { data } = useEntitlements();
  if (!data || !heldProducts(data.entitlements).has(productId)) return null;
  return (
    <p>
      <StatusDot tone="good">{_("shop.held")}</StatusDot>
    </p>
  );
}
