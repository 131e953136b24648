// Shown in place of a page whose code did not load or whose rendering failed.
import { Code } from "@connectrpc/connect";
import { useLingui } from "@lingui/react";
import { refusalOfPage } from "@pavise/rpc/broken.ts";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Site } from "./Frame.tsx";
import { told } from "./problems.ts";
import styles from "./Page.module.css";

type BrokenProps = { error: unknown; reset: () => void };

/** Tells the failure and offers to load the page again, in the frame of the shop. */
export function Broken(props: BrokenProps) {
  return (
    <Site>
      <BrokenWithin {...props} />
    </Site>
  );
}

/** The same, inside a frame that stays. */
export function BrokenWithin({ error, reset }: BrokenProps) {
  const { _ } = useLingui();
  const refusal = refusalOfPage(error);
  const { title, detail, traceId } = told(refusal, _);
  // Only a reload of the page fetches a module again that did not arrive.
  const again = refusal.code === Code.Unavailable ? () => window.location.reload() : reset;
  return (
    <div className={styles.page}>
      <PageTitle>{title}</PageTitle>
      <ErrorPanel title={detail} traceId={traceId} onRetry={again} />
    </div>
  );
}
