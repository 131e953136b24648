/** Bars that compare numbers. The numbers themselves stand beside them. */
import type { Tone } from "@pavise/ui/Value.tsx";
import styles from "./plot.module.css";

/** A part of a bar. */
export interface BarPart {
  readonly value: number;
  readonly tone?: Tone;
}

/** A bar of parts, as long as their sum is of the most. */
export function Bar({ parts, most }: { parts: readonly BarPart[]; most: number }) {
  return (
    <span className={styles.bar} aria-hidden>
      {parts.map(({ value, tone }, index) =>
        value <= 0 || most <= 0 ? null : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a bar never move
          <span key={index} data-tone={tone} style={{ width: `${(100 * value) / most}%` }} />
        ),
      )}
    </span>
  );
}

/** Bars below each other, one for each number. */
export function Bars({ values, most, tone }: { values: readonly number[]; most: number; tone?: Tone }) {
  return (
    <span className={styles.bars} aria-hidden>
      {values.map((value, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the bars of a cell never move
        <Bar key={index} parts={[tone === undefined ? { value } : { value, tone }]} most={most} />
      ))}
    </span>
  );
}
