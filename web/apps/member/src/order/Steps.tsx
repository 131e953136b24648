// The progress of a purchase.
import { useLingui } from "@lingui/react";
import styles from "./Steps.module.css";

const STEPS = [
  { id: "account", label: "steps.account" },
  { id: "details", label: "steps.details" },
  { id: "payment", label: "steps.payment" },
  { id: "done", label: "steps.done" },
] as const;

/** The steps of a purchase. */
export function Steps({ current }: { current: (typeof STEPS)[number]["id"] }) {
  return <StepList steps={STEPS} current={current} />;
}

type StepListProps = { steps: readonly { id: string; label: string }[]; current: string };

/** Steps in order; the current one is underlined. */
export function StepList({ steps, current }: StepListProps) {
  const { _ } = useLingui();
  const at = steps.findIndex(({ id }) => id === current);
  return (
    <ol className={styles.steps} aria-label={_("steps.label")}>
      {steps.map(({ id, label }, index) => (
        <li
          key={id}
          className={styles.step}
          {...(index === at ? { "aria-current": "step" as const } : {})}
          data-done={index < at ? "" : undefined}
        >
          <span>{index + 1}</span>
          <span>{_(label)}</span>
        </li>
      ))}
    </ol>
  );
}
