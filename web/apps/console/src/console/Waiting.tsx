/** The page as long as it waits for what it is made of. */
import { useLingui } from "@lingui/react";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import styles from "./console.module.css";

/** A heading for those who do not see the placeholder of a whole page. */
export function WaitingHeading() {
  const { _ } = useLingui();
  return <h1 className="visually-hidden">{_("Loading")}</h1>;
}

/**
 * The placeholder of a whole page; after a while it says that it waits, and offers to ask again. It stands inside the frame, or
 * alone.
 */
export function Waiting({ onRetry, alone = false }: { onRetry?: () => void; alone?: boolean }) {
  const Place = alone ? "main" : "div";
  return (
    <Place className={styles.page}>
      <WaitingHeading />
      <SkeletonText lines={6} {...(onRetry === undefined ? {} : { onRetry })} />
    </Place>
  );
}
