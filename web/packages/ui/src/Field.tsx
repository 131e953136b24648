/** Labelled text controls. */
import type { ReactNode } from "react";
import { useLingui } from "@lingui/react";
import { FieldError } from "react-aria-components/FieldError";
import { Group } from "react-aria-components/Group";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea as AriaTextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField";
import { useViolation } from "./violations.ts";
import { classes } from "./classes.ts";
import { IconWarning } from "./icons.tsx";
import styles from "./Field.module.css";

/** The properties of every labelled control. */
export type Labelled = {
  label: string;
  /** A hint under the control. */
  help?: ReactNode;
  /** The error under the control; it makes the control invalid. */
  error?: ReactNode;
  /** Marks the label as optional. */
  optional?: boolean;
  className?: string | undefined;
};

/** The label of a control. */
export function FieldLabel({ label, optional }: Pick<Labelled, "label" | "optional">) {
  const { _ } = useLingui();
  return (
    <Label className={styles.label ?? ""}>
      {label}
      {optional ? <span className={styles.optional}> · {_("ui.optional")}</span> : null}
    </Label>
  );
}

/** The notes under a control: the error in place of the hint. */
export function FieldNotes({ help, error }: Pick<Labelled, "help" | "error">) {
  return (
    <>
      {help && !error ? (
        <Text slot="description" className={styles.help ?? ""}>
          {help}
        </Text>
      ) : null}
      <FieldError className={styles.error ?? ""}>
        {({ validationErrors }) => (
          <>
            <IconWarning />
            <span>{error ?? validationErrors.join(" ")}</span>
          </>
        )}
      </FieldError>
    </>
  );
}

export type TextFieldProps = Omit<AriaTextFieldProps, "className" | "style" | "children"> &
  Labelled & {
    placeholder?: string;
    /** For text that is not prose: ids, tokens. */
    mono?: boolean;
    /** Shown before or after the typed text. */
    before?: ReactNode;
    after?: ReactNode;
  };

/** One line of text. */
export function TextField({
  label,
  help,
  error,
  optional,
  className,
  placeholder,
  mono,
  before,
  after,
  ...rest
}: TextFieldProps) {
  const wrong = useViolation(rest.name, rest.value);
  const said = error ?? wrong;
  return (
    <AriaTextField
      {...rest}
      isInvalid={Boolean(said) || rest.isInvalid === true}
      className={classes(styles.field, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <Group className={styles.box ?? ""}>
        {before ? <span className={styles.affix}>{before}</span> : null}
        <Input className={classes(styles.input, mono && styles.mono)} placeholder={placeholder ?? ""} />
        {after}
      </Group>
      <FieldNotes help={help} error={said} />
    </AriaTextField>
  );
}

export type TextAreaProps = Omit<TextFieldProps, "before" | "after"> & { rows?: number };

/** Several lines of text. */
export function TextArea({
  label,
  help,
  error,
  optional,
  className,
  placeholder,
  mono,
  rows = 3,
  ...rest
}: TextAreaProps) {
  const wrong = useViolation(rest.name, rest.value);
  const said = error ?? wrong;
  return (
    <AriaTextField
      {...rest}
      isInvalid={Boolean(said) || rest.isInvalid === true}
      className={classes(styles.field, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <Group className={styles.box ?? ""}>
        <AriaTextArea
          className={classes(styles.input, styles.area, mono && styles.mono)}
          placeholder={placeholder ?? ""}
          rows={rows}
        />
      </Group>
      <FieldNotes help={help} error={said} />
    </AriaTextField>
  );
}
