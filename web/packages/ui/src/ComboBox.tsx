/** One of many choices, found by typing. */
import { useLingui } from "@lingui/react";
import { use, useEffect, useRef, type Key } from "react";
import { Button } from "react-aria-components/Button";
import {
  ComboBox as AriaComboBox,
  ComboBoxStateContext,
  ListBox,
  type ComboBoxProps as AriaComboBoxProps,
} from "react-aria-components/ComboBox";
import { Group } from "react-aria-components/Group";
import { Input } from "react-aria-components/Input";
import { Popover } from "react-aria-components/Popover";
import { classes } from "./classes.ts";
import { FieldLabel, FieldNotes, type Labelled } from "./Field.tsx";
import { IconDown } from "./icons.tsx";
import type { Choice } from "./choice.ts";
import { ChoiceItem } from "./Select.tsx";
import field from "./Field.module.css";
import styles from "./List.module.css";

export type ComboBoxProps<K extends string> = Omit<
  AriaComboBoxProps<Choice<K>>,
  | "className"
  | "style"
  | "children"
  | "items"
  | "defaultItems"
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
    onChange: (value: K | null) => void;
    placeholder?: string;
    /** The choices are already filtered by the typed text. */
    searched?: boolean;
  };

/** One of many choices. With `onInputChange` and `searched` the choices can come from the server. */
export function ComboBox<K extends string>(props: ComboBoxProps<K>) {
  const { label, help, error, optional, className, choices, value, onChange, placeholder, searched, ...rest } = props;
  const { _ } = useLingui();
  const items = searched ? { items: choices } : { defaultItems: choices };
  return (
    <AriaComboBox
      menuTrigger="focus"
      {...rest}
      {...items}
      value={value}
      onChange={(key: Key | null) => onChange(key as K | null)}
      isInvalid={Boolean(error) || rest.isInvalid === true}
      allowsEmptyCollection
      className={classes(field.field, className)}
    >
      <FieldLabel label={label} optional={optional === true} />
      <Group className={field.box ?? ""}>
        <Input className={field.input ?? ""} placeholder={placeholder ?? ""} />
        <Closing value={value} />
        <Button className={field.step ?? ""} aria-label={_("ui.open")}>
          <IconDown />
        </Button>
      </Group>
      <FieldNotes help={help} error={error} />
      <Popover className={classes(styles.popover, styles.matching)} offset={4}>
        <ListBox
          className={styles.list ?? ""}
          renderEmptyState={() => <div className={styles.nothing}>{_("ui.nothing")}</div>}
        >
          {(choice: Choice<K>) => <ChoiceItem choice={choice} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}

/** Closes the menu after a choice. A choice that the page makes also changes the text, which would open the menu again. */
function Closing({ value }: { value: string | null }) {
  const state = use(ComboBoxStateContext);
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    if (value === null) return undefined;
    const frame = requestAnimationFrame(() => latest.current?.setOpen(false));
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return null;
}
