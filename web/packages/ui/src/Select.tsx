/** A select with one or several choices. */
import { useLingui } from "@lingui/react";
import type { Key, ReactNode } from "react";
import { Button } from "react-aria-components/Button";
import { Popover } from "react-aria-components/Popover";
import {
  ListBox,
  ListBoxItem,
  Select as AriaSelect,
  SelectValue,
  type SelectProps as AriaSelectProps,
} from "react-aria-components/Select";
import { Text } from "react-aria-components/Text";
import type { Choice } from "./choice.ts";
import { classes } from "./classes.ts";
import { FieldLabel, FieldNotes, type Labelled } from "./Field.tsx";
import { IconCheck, IconDown } from "./icons.tsx";
import field from "./Field.module.css";
import styles from "./List.module.css";

/** A choice in a list. */
export function ChoiceItem({ choice }: { choice: Choice }) {
  return (
    <ListBoxItem
      id={choice.id}
      textValue={choice.label}
      isDisabled={choice.disabled === true}
      className={styles.item ?? ""}
    >
      {({ isSelected }) => (
        <>
          <Text slot="label">{choice.label}</Text>
          {isSelected ? <IconCheck className={styles.mark} /> : <span />}
          {choice.detail ? (
            <Text slot="description" className={styles.detail ?? ""}>
              {choice.detail}
            </Text>
          ) : null}
        </>
      )}
    </ListBoxItem>
  );
}

export type SelectProps<K extends string> = Omit<
  AriaSelectProps<Choice<K>>,
  | "className"
  | "style"
  | "children"
  | "items"
  | "value"
  | "onChange"
  | "defaultValue"
  | "selectedKey"
  | "onSelectionChange"
  | "selectionMode"
> &
  Labelled & {
    choices: readonly Choice<K>[];
    value: K | null;
    onChange: (value: K) => void;
    placeholder?: string;
    empty?: ReactNode;
  };

/** A select with one choice. */
export function Select<K extends string>(props: SelectProps<K>) {
  const { label, help, error, optional, className, choices, value, onChange, placeholder, empty, ...rest } = props;
  const { _ } = useLingui();
  const invalid = Boolean(error) || rest.isInvalid === true;
  return (
    <AriaSelect
      {...rest}
      value={value}
      onChange={(key: Key | null) => {
        if (key !== null) onChange(key as K);
      }}
      isInvalid={invalid}
      placeholder={placeholder ?? _("ui.choose")}
      className={classes(field.field, invalid && styles.invalid, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <Button className={styles.value ?? ""}>
        <SelectValue className={styles.chosen ?? ""} />
        <IconDown />
      </Button>
      <FieldNotes help={help} error={error} />
      <Popover className={classes(styles.popover, styles.matching)} offset={4}>
        <ListBox
          items={choices}
          className={styles.list ?? ""}
          renderEmptyState={() => <div className={styles.nothing}>{empty ?? _("ui.nothing")}</div>}
        >
          {(choice) => <ChoiceItem choice={choice} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
