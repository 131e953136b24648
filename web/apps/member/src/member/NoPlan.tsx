// Said to whoever has no plan, with the way to one.
import { useLingui } from "@lingui/react";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import type { ReactNode } from "react";

/** Nothing here yet, what a plan is good for on this page, and the shop. */
export function NoPlan({ children }: { children?: ReactNode }) {
  const { _ } = useLingui();
  return (
    <EmptyState
      title={_("home.none")}
      actions={
        <Link kind="primary" href="/">
          {_("home.none.shop")}
        </Link>
      }
    >
      {children ?? _("home.none.detail")}
    </EmptyState>
  );
}
