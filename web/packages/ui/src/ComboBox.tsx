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
import { useLate } from "./Slow.tsx";
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
    /** The search that the choices come from. */
    search?: Search | undefined;
  };

/** A search for choices: whether its answer is awaited or was refused, and how to ask again. */
export interface Search {
  readonly waits: boolean;
  readonly failed: boolean;
  readonly again: () => void;
}

/** The choice that asks again. */
const AGAIN = "\u0000again";

/** The list says that nothing was found, that it still waits, or that no answer came; the last two are a choice that asks again. */
function useSearch(search: Search | undefined): { said: string; again: Choice | undefined } {
  const { _ } = useLingui();
  const late = useLate(search?.waits === true);
  const title = search?.failed === true ? _("ui.search.failed") : late ? _("ui.slow.title") : undefined;
  return {
    said: search?.waits === true ? _("ui.loading") : _("ui.nothing"),
    again: title === undefined ? undefined : { id: AGAIN, label: title, detail: _("ui.error.retry") },
  };
}

/** One of many choices. With `onInputChange` and `searched` the choices can come from the server. */
export function ComboBox<K extends string>(props: ComboBoxProps<K>) {
  const { label, help, error, optional, className, choices, value, onChange, placeholder, searched, ...others } = props;
  const { search, ...rest } = others;
  const { _ } = useLingui();
  const { said, again } = useSearch(search);
  const shown = again === undefined ? choices : [again as Choice<K>, ...choices];
  const items = searched ? { items: shown } : { defaultItems: choices };
  return (
    <AriaComboBox
      menuTrigger="focus"
      {...rest}
      {...items}
      value={value}
      onChange={(key: Key | null) => (key === AGAIN ? search?.again() : onChange(key as K | null))}
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
        <ListBox className={styles.list ?? ""} renderEmptyState={() => <div className={styles.nothing}>{said}</div>}>
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
