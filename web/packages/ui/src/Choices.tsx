/** Checkboxes, radio buttons, switches. */
import type { ReactNode } from "react";
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  type CheckboxGroupProps as AriaCheckboxGroupProps,
  type CheckboxProps as AriaCheckboxProps,
} from "react-aria-components/CheckboxGroup";
import {
  Radio as AriaRadio,
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
} from "react-aria-components/RadioGroup";
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from "react-aria-components/Switch";
import { classes } from "./classes.ts";
import { FieldLabel, FieldNotes, type Labelled } from "./Field.tsx";
import { IconCheck, IconDash } from "./icons.tsx";
import styles from "./Field.module.css";

type Worded = { children?: ReactNode; detail?: ReactNode; className?: string | undefined };

function Words({ children, detail }: Pick<Worded, "children" | "detail">) {
  if (!children) return null;
  return (
    <span className={styles.words}>
      <span>{children}</span>
      {detail ? <span className={styles.detail}>{detail}</span> : null}
    </span>
  );
}

export type CheckboxProps = Omit<AriaCheckboxProps, "className" | "style" | "children"> & Worded;

/** A checkbox. */
export function Checkbox({ children, detail, className, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className={classes(styles.choice, className)}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.mark}>
            {isIndeterminate ? <IconDash size={12} /> : isSelected ? <IconCheck size={12} /> : null}
          </span>
          <Words detail={detail}>{children}</Words>
        </>
      )}
    </AriaCheckbox>
  );
}

export type CheckboxGroupProps = Omit<AriaCheckboxGroupProps, "className" | "style" | "children"> &
  Labelled & { children: ReactNode; beside?: boolean };

/** A group of checkboxes. */
export function CheckboxGroup({
  label,
  help,
  error,
  optional,
  className,
  children,
  beside,
  ...rest
}: CheckboxGroupProps) {
  return (
    <AriaCheckboxGroup {...rest} isInvalid={Boolean(error)} className={classes(styles.field, className)}>
      <FieldLabel label={label} optional={optional === true} />
      <div className={beside ? styles.row : styles.group}>{children}</div>
      <FieldNotes help={help} error={error} />
    </AriaCheckboxGroup>
  );
}

export type RadioGroupProps<K extends string> = Omit<
  AriaRadioGroupProps,
  "className" | "style" | "children" | "value" | "onChange"
> &
  Labelled & { value: K | null; onChange: (value: K) => void; children: ReactNode; beside?: boolean };

/** A group of radio buttons. */
export function RadioGroup<K extends string>({
  label,
  help,
  error,
  optional,
  className,
  children,
  beside,
  value,
  onChange,
  ...rest
}: RadioGroupProps<K>) {
  return (
    <AriaRadioGroup
      {...rest}
      value={value}
      onChange={(picked) => onChange(picked as K)}
      isInvalid={Boolean(error)}
      className={classes(styles.field, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <div className={beside ? styles.row : styles.group}>{children}</div>
      <FieldNotes help={help} error={error} />
    </AriaRadioGroup>
  );
}

export type RadioProps = Worded & { value: string; isDisabled?: boolean };

/** A radio button. */
export function Radio({ children, detail, className, ...rest }: RadioProps) {
  return (
    <AriaRadio {...rest} className={classes(styles.choice, className)}>
      <span className={classes(styles.mark, styles.ring)} />
      <Words detail={detail}>{children}</Words>
    </AriaRadio>
  );
}

export type SwitchProps = Omit<AriaSwitchProps, "className" | "style" | "children"> & Worded;

/** A switch, with an immediate effect. */
export function Switch({ children, detail, className, ...rest }: SwitchProps) {
  return (
    <AriaSwitch {...rest} className={classes(styles.choice, className)}>
      <span className={styles.track} />
      <Words detail={detail}>{children}</Words>
    </AriaSwitch>
  );
}
