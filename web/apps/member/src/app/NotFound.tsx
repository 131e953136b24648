// An address that leads nowhere.
import { useLingui } from "@lingui/react";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Site } from "./Frame.tsx";
import styles from "./Page.module.css";

/** Nothing here, and where to go on. */
export function NotFound() {
  const { _ } = useLingui();
  return (
    <Site>
      <div className={styles.page}>
        <h1>{_("notFound.title")}</h1>
        <EmptyState
          title={_("notFound.detail")}
          actions={
            <Link kind="primary" href="/">
              {_("notFound.shop")}
            </Link>
          }
        />
      </div>
    </Site>
  );
}
