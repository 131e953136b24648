/** Numbers and amounts in the locale's format: fr-CA takes "1 999,95". */
import { useLingui } from "@lingui/react";
import { useState } from "react";
import { Button } from "react-aria-components/Button";
import { Group } from "react-aria-components/Group";
import { Input } from "react-aria-components/Input";
import {
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
} from "react-aria-components/NumberField";
import { amountOf, minorOf } from "./amount.ts";
import { classes } from "./classes.ts";
import { useViolation } from "./violations.ts";
import { FieldLabel, FieldNotes, TextField, type Labelled, type TextFieldProps } from "./Field.tsx";
import { IconDash, IconPlus } from "./icons.tsx";
import styles from "./Field.module.css";

export type NumberFieldProps = Omit<AriaNumberFieldProps, "className" | "style" | "children"> &
  Labelled & {
    /** Shows buttons that step up and down. */
    steps?: boolean;
    placeholder?: string;
  };

/** A number. */
export function NumberField({
  label,
  help,
  error,
  optional,
  className,
  steps,
  placeholder,
  ...rest
}: NumberFieldProps) {
  const { _ } = useLingui();
  const wrong = useViolation(rest.name, rest.value);
  const said = error ?? wrong;
  return (
    <AriaNumberField
      {...rest}
      isInvalid={Boolean(said) || rest.isInvalid === true}
      className={classes(styles.field, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <Group className={styles.box ?? ""}>
        <Input className={classes(styles.input, styles.number)} placeholder={placeholder ?? ""} />
        {steps ? (
          <>
            <Button slot="decrement" className={styles.step ?? ""} aria-label={_("ui.less")}>
              <IconDash />
            </Button>
            <Button slot="increment" className={styles.step ?? ""} aria-label={_("ui.more")}>
              <IconPlus />
            </Button>
          </>
        ) : null}
      </Group>
      <FieldNotes help={help} error={said} />
    </AriaNumberField>
  );
}

export type MoneyFieldProps = Omit<TextFieldProps, "value" | "onChange" | "defaultValue" | "type" | "inputMode"> & {
  /** The amount in minor units: 2995 is $29.95. Null while the typed text is no amount. */
  value: bigint | null;
  onChange: (amount: bigint | null) => void;
  /** ISO 4217. */
  currency: string;
};

/** An amount of money in integer minor units. The typed text stays as it is until the field is left. */
export function MoneyField({ value, onChange, currency, error, onBlur, ...rest }: MoneyFieldProps) {
  const { i18n, _ } = useLingui();
  const { locale } = i18n;
  const [typed, setTyped] = useState<string>();
  const [left, setLeft] = useState(false);
  // A value from elsewhere replaces the typed text.
  const text = typed !== undefined && minorOf(typed, locale) === value ? typed : undefined;
  const unreadable = left && value === null && text !== undefined && text.trim() !== "";
  return (
    <TextField
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={text ?? (value === null ? "" : amountOf(value, locale, currency))}
      onChange={(next) => {
        setTyped(next);
        setLeft(false);
        onChange(minorOf(next, locale));
      }}
      onBlur={(event) => {
        onBlur?.(event);
        setLeft(true);
        // An amount is written out. Any other text stays, so that it can be corrected.
        if (value !== null) setTyped(undefined);
      }}
      error={
        error ?? (unreadable ? _("ui.amount.unreadable", { example: amountOf(2995n, locale, currency) }) : undefined)
      }
    />
  );
}
