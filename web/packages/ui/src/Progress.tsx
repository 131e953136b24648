/** That something is going on, and how far it is. */
import { useLingui } from "@lingui/react";
import type { CSSProperties } from "react";
import { ProgressBar as AriaProgressBar } from "react-aria-components/ProgressBar";
import { Label } from "react-aria-components/Label";
import { classes } from "./classes.ts";
import styles from "./Progress.module.css";

export type ProgressBarProps = {
  label: string;
  /** From 0 to `most`; left out when nobody knows. */
  value?: number;
  most?: number;
  /** In words: "312 of 4,000". */
  words?: string;
};

/** How far a long work is. */
export function ProgressBar({ label, value, most = 100, words }: ProgressBarProps) {
  const known = value === undefined ? { isIndeterminate: true } : { value };
  return (
    <AriaProgressBar {...known} maxValue={most} {...(words ? { valueLabel: words } : {})} className={styles.progress ?? ""}>
      {({ percentage, valueText, isIndeterminate }) => (
        <>
          <div className={styles.words}>
            <Label>{label}</Label>
            <span className={styles.value}>{isIndeterminate ? "" : valueText}</span>
          </div>
          <div className={styles.track}>
            <div
              className={classes(styles.fill, isIndeterminate && styles.unknown)}
              style={isIndeterminate ? undefined : { width: `${percentage ?? 0}%` }}
            />
          </div>
        </>
      )}
    </AriaProgressBar>
  );
}

/** Where a word will be. */
export function Skeleton({ width = "60%", height }: { width?: CSSProperties["width"]; height?: CSSProperties["height"] }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden />;
}

const LINES = ["42%", "88%", "76%", "81%", "55%"];

/** Where a text will be; says to a screen reader that it is on its way. */
export function SkeletonText({ lines = 3 }: { lines?: number }) {
  const { _ } = useLingui();
  return (
    <div className={styles.block} role="status" aria-label={_("ui.loading")}>
      {Array.from({ length: lines }, (_unused, line) => (
        <Skeleton key={line} width={LINES[line % LINES.length]} {...(line === 0 ? { height: 20 } : {})} />
      ))}
    </div>
  );
}
