/** Placeholders while content is loading. */
import { useLingui } from "@lingui/react";
import type { CSSProperties } from "react";
import { Slow, type SlowProps } from "./Slow.tsx";
import styles from "./Progress.module.css";

/** The placeholder of a word. */
export function Skeleton({
  width = "60%",
  height,
}: {
  width?: CSSProperties["width"];
  height?: CSSProperties["height"];
}) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden />;
}

const LINES = ["42%", "88%", "76%", "81%", "55%"];

/** The placeholder of a text; tells screen readers that it is loading, and everybody if it takes long. */
export function SkeletonText({ lines = 3, onRetry }: { lines?: number } & SlowProps) {
  const { _ } = useLingui();
  return (
    <>
      <Slow onRetry={onRetry} />
      <div className={styles.block} role="status" aria-label={_("ui.loading")}>
        {Array.from({ length: lines }, (_unused, line) => (
          <Skeleton key={line} width={LINES[line % LINES.length]} {...(line === 0 ? { height: 20 } : {})} />
        ))}
      </div>
    </>
  );
}
