// A page that could not be shown: a part of the app was not reached, or it broke.
import { useLingui } from "@lingui/react";
import { BrokenPart } from "@pavise/ui/Boundary.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Site } from "./Frame.tsx";
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
  return (
    <div className={styles.page}>
      <PageTitle>{_("broken.title")}</PageTitle>
      <BrokenPart error={error} onRetry={reset} />
    </div>
  );
}
