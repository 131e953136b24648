// An address that leads nowhere.
import { useLingui } from "@lingui/react";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Site } from "./Frame.tsx";
import { RouterLink } from "./RouterLink.tsx";
import styles from "./Page.module.css";

/** Nothing here, and where to go on. */
export function NotFound() {
  const { _ } = useLingui();
  return (
    <Site>
      <div className={styles.page}>
        <PageTitle>{_("notFound.title")}</PageTitle>
        <EmptyState
          title={_("notFound.detail")}
          actions={
            <RouterLink kind="primary" href="/">
              {_("notFound.shop")}
            </RouterLink>
          }
        />
      </div>
    </Site>
  );
}
