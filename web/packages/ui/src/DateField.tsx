/** A day, typed part by part in the order of the locale. */
import { CalendarDate, type DateValue } from "@internationalized/date";
import {
  DateField as AriaDateField,
  DateInput,
  DateSegment,
  type DateFieldProps as AriaDateFieldProps,
} from "react-aria-components/DateField";
import { classes } from "./classes.ts";
import { useViolation } from "./violations.ts";
import { FieldLabel, FieldNotes, type Labelled } from "./Field.tsx";
import styles from "./Field.module.css";

/** A day as the contract has it. */
export type Day = { year: number; month: number; day: number };

export type DateFieldProps = Omit<
  AriaDateFieldProps<DateValue>,
  "className" | "style" | "children" | "value" | "onChange" | "defaultValue" | "minValue" | "maxValue"
> &
  Labelled & {
    value: Day | null;
    onChange: (day: Day | null) => void;
    earliest?: Day;
    latest?: Day;
  };

function calendar(day: Day | null | undefined): CalendarDate | null {
  return day ? new CalendarDate(day.year, day.month, day.day) : null;
}

/** A day without a time. */
export function DateField({
  label,
  help,
  error,
  optional,
  className,
  value,
  onChange,
  earliest,
  latest,
  ...rest
}: DateFieldProps) {
  const wrong = useViolation(rest.name, value);
  const said = error ?? wrong;
  return (
    <AriaDateField
      {...rest}
      value={calendar(value)}
      onChange={(typed) => onChange(typed ? { year: typed.year, month: typed.month, day: typed.day } : null)}
      minValue={calendar(earliest)}
      maxValue={calendar(latest)}
      isInvalid={Boolean(said) || rest.isInvalid === true}
      className={classes(styles.field, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <div className={styles.box}>
        <DateInput className={styles.segments ?? ""}>
          {(segment) => <DateSegment segment={segment} className={styles.segment ?? ""} />}
        </DateInput>
      </div>
      <FieldNotes help={help} error={said} />
    </AriaDateField>
  );
}
