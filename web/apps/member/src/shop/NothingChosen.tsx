// Tells a buyer that the cart is empty, with a link to the plans.
import { useLingui } from "@lingui/react";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";

/** An empty cart. */
export function NothingChosen() {
  const { _ } = useLingui();
  return (
    <EmptyState
      title={_("cart.empty")}
      actions={
        <Link kind="primary" href="/">
          {_("cart.shop")}
        </Link>
      }
    />
  );
}
