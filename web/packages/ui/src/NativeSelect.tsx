/** A native select: the picker of a phone, and next to nothing to load. */
import { useLingui } from "@lingui/react";
import { useId, type ReactNode } from "react";
import { classes } from "./classes.ts";
import type { Choice } from "./choice.ts";
import { useViolation } from "./violations.ts";
import { IconDown } from "./icons.tsx";
import field from "./Field.module.css";
import styles from "./NativeSelect.module.css";

export type NativeSelectProps<K extends string> = {
  label: string;
  choices: readonly Choice<K>[];
  value: K | null;
  onChange: (value: K) => void;
  placeholder?: string;
  error?: ReactNode;
  /** The field's path in the request. */
  name?: string | undefined;
  className?: string | undefined;
  /** Replaces the box; the label is then for screen readers only. */
  icon?: ReactNode;
};

/** A native select in the look of the others. */
export function NativeSelect<K extends string>(props: NativeSelectProps<K>) {
  const { label, choices, value, onChange, placeholder, className, icon, name } = props;
  const { _ } = useLingui();
  const wrong = useViolation(name, value);
  const error = props.error ?? wrong;
  const id = useId();
  const select = (
    <select
      id={id}
      {...(name === undefined ? {} : { name })}
      className={icon ? styles.over : styles.select}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value as K)}
      aria-invalid={Boolean(error)}
      {...(error ? { "aria-describedby": `${id}-error` } : {})}
      {...(icon ? { "aria-label": label } : {})}
    >
      {value === null ? (
        <option value="" disabled>
          {placeholder ?? _("ui.choose")}
        </option>
      ) : null}
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id} disabled={choice.disabled === true}>
          {choice.label}
        </option>
      ))}
    </select>
  );
  if (icon) {
    return (
      <span className={classes(styles.icon, className)}>
        {icon}
        {select}
      </span>
    );
  }
  return (
    <div className={classes(field.field, className)}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <span className={styles.box} data-empty={value === null ? "" : undefined}>
        {select}
        <IconDown />
      </span>
      {error ? (
        <span id={`${id}-error`} className={field.error}>
          {error}
        </span>
      ) : null}
    </div>
  );
}
