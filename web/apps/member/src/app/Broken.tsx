// A page that could not be shown: a part of the app was not reached, or it broke.
import { useLingui } from "@lingui/react";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { Site } from "./Frame.tsx";
import styles from "./Page.module.css";

/** What happened, and the page once more. */
export function Broken({ error }: { error: unknown }) {
  const { _ } = useLingui();
  // What was not loaded is a TypeError of the browser's.
  const kind = error instanceof TypeError || !navigator.onLine ? "unavailable" : "internal";
  return (
    <Site>
      <div className={styles.page}>
        <h1>{_(`problem.title.${kind}`)}</h1>
        <ErrorPanel title={_(`problem.detail.${kind}`)} onRetry={() => window.location.reload()} />
      </div>
    </Site>
  );
}
