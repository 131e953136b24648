/** Numbers and amounts in the locale's format: fr-CA takes "1 999,95". */
import { useLingui } from "@lingui/react";
import { Button } from "react-aria-components/Button";
import { Group } from "react-aria-components/Group";
import { Input } from "react-aria-components/Input";
import {
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
} from "react-aria-components/NumberField";
import { classes } from "./classes.ts";
import { useViolation } from "./FieldErrors.tsx";
import { FieldLabel, FieldNotes, type Labelled } from "./Field.tsx";
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

export type MoneyFieldProps = Omit<
  NumberFieldProps,
  "value" | "onChange" | "defaultValue" | "formatOptions" | "steps"
> & {
  /** The amount in minor units: 2995 is $29.95. Null while the field is empty. */
  value: bigint | null;
  onChange: (amount: bigint | null) => void;
  /** ISO 4217. */
  currency: string;
};

/** An amount of money in integer minor units. */
export function MoneyField({ value, onChange, currency, ...rest }: MoneyFieldProps) {
  return (
    <NumberField
      {...rest}
      value={value === null ? Number.NaN : Number(value) / 100}
      onChange={(typed) => onChange(Number.isNaN(typed) ? null : BigInt(Math.round(typed * 100)))}
      formatOptions={{ style: "currency", currency, currencyDisplay: "narrowSymbol" }}
    />
  );
}
