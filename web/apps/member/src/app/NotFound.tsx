// The page of an unknown address.
import { useLingui } from "@lingui/react";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Site } from "./Frame.tsx";
import { RouterLink } from "./RouterLink.tsx";
import styles from "./Page.module.css";

/** Says that the page does not exist, and links to the shop. */
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
