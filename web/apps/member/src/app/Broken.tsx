// Shown in place of a page whose code did not load or whose rendering failed.
import { useLingui } from "@lingui/react";
import { isLostPart, refusalOfPage } from "@pavise/rpc/broken.ts";
import { reloadPage } from "@pavise/rpc/reload.ts";
import { useLostPart } from "@pavise/ui/lost.ts";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { SkeletonText } from "@pavise/ui/Skeleton.tsx";
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
  const { waiting, again } = useLostPart(error);
  const { title, detail, traceId } = told(refusalOfPage(error), _);
  return (
    <div className={styles.page}>
      {waiting ? (
        <SkeletonText lines={6} />
      ) : (
        <>
          <PageTitle>{title}</PageTitle>
          <ErrorPanel title={detail} traceId={traceId} onRetry={isLostPart(error) ? again : reset} />
        </>
      )}
    </div>
  );
}

/** Shown while the code of a page is loaded. */
export function Coming() {
  return (
    <Site>
      <ComingWithin />
    </Site>
  );
}

/** The same, inside a frame that stays. */
export function ComingWithin() {
  return (
    <div className={styles.page}>
      <SkeletonText lines={6} onRetry={() => void reloadPage()} />
    </div>
  );
}
