// A page that could not be shown: a part of the app was not reached, or it broke.
import { Code } from "@connectrpc/connect";
import { useLingui } from "@lingui/react";
import { refusalOfPage } from "@pavise/rpc/broken.ts";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Site } from "./Frame.tsx";
import { told } from "./problems.ts";
import styles from "./Page.module.css";

type BrokenProps = { error: unknown; reset: () => void };

/** What happened, and the page once more, in the frame of the shop. */
export function Broken(props: BrokenProps) {
  return (
    <Site>
      <BrokenWithin {...props} />
    </Site>
  );
}

/** The same inside of a frame that stays. */
export function BrokenWithin({ error, reset }: BrokenProps) {
  const { _ } = useLingui();
  const refusal = refusalOfPage(error);
  const { title, detail, traceId } = told(refusal, _);
  // A module that did not arrive is asked for again only by a new page.
  const again = refusal.code === Code.Unavailable ? () => window.location.reload() : reset;
  return (
    <div className={styles.page}>
      <PageTitle>{title}</PageTitle>
      <ErrorPanel title={detail} traceId={traceId} onRetry={again} />
    </div>
  );
}
