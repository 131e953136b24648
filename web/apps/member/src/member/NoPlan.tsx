// Tells a member that they have no plan, with a link to the plans.
import { useLingui } from "@lingui/react";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import type { ReactNode } from "react";

/** The empty state of a page, the use of a plan there, and the link to the shop. */
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
