/** That something is going on, and how far it is. */
import { ProgressBar as AriaProgressBar } from "react-aria-components/ProgressBar";
import { Label } from "react-aria-components/Label";
import { classes } from "./classes.ts";
import styles from "./Progress.module.css";

export { Skeleton, SkeletonText } from "./Skeleton.tsx";

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
