/** Any number of choices from a list: one control, however many there are. */
import { useLingui } from "@lingui/react";
import { useId } from "react";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Button } from "./Button.tsx";
import type { Choice } from "./choice.ts";
import { classes } from "./classes.ts";
import { IconCheck, IconWarning } from "./icons.tsx";
import field from "./Field.module.css";
import styles from "./List.module.css";

export type ManyChoiceProps<K extends string> = {
  label: string;
  choices: readonly Choice<K>[];
  value: readonly K[];
  onChange: (value: K[]) => void;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** The choices with their ticks, how many are chosen, and buttons for all and none. Keys move and tick. */
export function ManyChoice<K extends string>(props: ManyChoiceProps<K>) {
  const { label, choices, value, onChange, error, isDisabled = false } = props;
  const { _ } = useLingui();
  const id = useId();
  const all = choices.map((choice) => choice.id);
  return (
    <div className={field.field} data-ticks="">
      <span className={field.label} id={id}>
        {label}
      </span>
      <div className={styles.many}>
        <span role="status">{_("ui.many.count", { count: value.length, all: all.length })}</span>
        <Button kind="quiet" isDisabled={isDisabled} onPress={() => onChange(all)}>
          {_("ui.many.all")}
        </Button>
        <Button kind="quiet" isDisabled={isDisabled} onPress={() => onChange([])}>
          {_("ui.many.none")}
        </Button>
      </div>
      <ListBox
        aria-labelledby={id}
        className={classes(field.box, styles.bounded)}
        selectionMode="multiple"
        layout="grid"
        selectedKeys={new Set(value)}
        disabledKeys={isDisabled ? all : []}
        onSelectionChange={(chosen) => onChange(all.filter((one) => chosen === "all" || chosen.has(one)))}
      >
        {choices.map((choice) => (
          <ListBoxItem key={choice.id} id={choice.id} textValue={choice.label} className={styles.ticked ?? ""}>
            {({ isSelected }) => (
              <>
                <span className={field.mark}>{isSelected ? <IconCheck size={12} /> : null}</span>
                {choice.label}
              </>
            )}
          </ListBoxItem>
        ))}
      </ListBox>
      {error === undefined ? null : (
        <p className={field.error} role="alert">
          <IconWarning />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}
