/** A progress bar. */
import { ProgressBar as AriaProgressBar } from "react-aria-components/ProgressBar";
import { Label } from "react-aria-components/Label";
import { classes } from "./classes.ts";
import styles from "./Progress.module.css";

export { Skeleton, SkeletonText } from "./Skeleton.tsx";

export type ProgressBarProps = {
  label: string;
  /** From 0 to `most`; omitted for unknown progress. */
  value?: number;
  most?: number;
  /** The progress in words: "312 of 4,000". */
  words?: string;
};

/** The progress of a long task. */
export function ProgressBar({ label, value, most = 100, words }: ProgressBarProps) {
  const known = value === undefined ? { isIndeterminate: true } : { value };
  return (
    <AriaProgressBar
      {...known}
      maxValue={most}
      {...(words ? { valueLabel: words } : {})}
      className={styles.progress ?? ""}
    >
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
