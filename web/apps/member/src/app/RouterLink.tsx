// A bare link of the router, for what has a look of its own.
import { Link } from "react-aria-components/Link";
import type { ReactNode } from "react";

/** A link without the look of one. */
export function RouterLink({
  href,
  className,
  children,
}: {
  href: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Link href={href} className={className ?? ""}>
      {children}
    </Link>
  );
}
