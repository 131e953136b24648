/** Chooses a record by what people call it, where the contract asks for its id. */
import type { DescField } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { asText } from "@pavise/descform/draft.ts";
import type { ReferenceEditor } from "@pavise/descform/form.ts";
import type { Choice } from "@pavise/ui/choice.ts";
import { ComboBox } from "@pavise/ui/ComboBox.tsx";
import { useQuery } from "@tanstack/react-query";
import { createContext, use, useCallback, useEffect, useRef, useState } from "react";
import type { Entity } from "../contract/operation.ts";
import { entityNamedBy } from "./Cells.tsx";
import { useConsole } from "./console.ts";
import { findable, findRecords, recordById, UUID } from "./find.ts";
import styles from "./console.module.css";

/** Whose records are meant; empty where that is not known. */
export const OwnerContext = createContext("");

/** The editors of fields that name records of the contract's entities. */
export function usePickers(): (field: DescField) => ReferenceEditor | undefined {
  const known = useConsole();
  return useCallback(
    (field) => {
      const entity = entityNamedBy(known.contract, field);
      if (entity === undefined || !findable(known, entity)) return undefined;
      return ({ slot, label, optional, error, disabled }) => (
        <Picker
          entity={entity}
          label={label}
          optional={optional}
          error={error}
          isDisabled={disabled}
          value={asText(slot.get())}
          onChange={(id) => (id === "" ? slot.clear() : slot.set(id))}
        />
      );
    },
    [known],
  );
}

/** How long somebody has stopped typing before it is looked for, in milliseconds. */
const PAUSE = 180;

/** What was typed, once typing stopped. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

type PickerProps = {
  entity: Entity;
  label: string;
  /** The id of the chosen record; empty for none. */
  value: string;
  onChange: (id: string) => void;
  optional?: boolean;
  error?: string | undefined;
  isDisabled?: boolean;
  autoFocus?: boolean;
  placeholder?: string;
};

/** A record of an entity, looked for by its name. An id can be typed or pasted, too. */
export function Picker({ entity, label, value, onChange, error, placeholder, ...rest }: PickerProps) {
  const { _ } = useLingui();
  const known = useConsole();
  const owner = use(OwnerContext);
  // What is typed until something is chosen; then the title of what was.
  const [typed, setTyped] = useState<string>();
  const [picked, setPicked] = useState<Choice>();
  const [open, setOpen] = useState(false);
  // The box changes its own text too, after a choice: only what somebody types is a search.
  const typing = useRef(false);
  const of = entity.name === "Identity" ? "" : owner;
  const search = useSettled(typed ?? "");
  const found = useQuery({
    queryKey: ["found", entity.desc.typeName, of, search],
    enabled: open,
    queryFn: ({ signal }) => findRecords(known, entity, search, of, signal),
  });
  const chosen = useQuery({
    queryKey: ["titled", entity.desc.typeName, value, of],
    enabled: value !== "" && picked?.id !== value,
    staleTime: 60_000,
    queryFn: async ({ signal }) => (UUID.test(value) ? ((await recordById(known, entity, value, of, signal)) ?? null) : null),
  });
  const titled = chosen.data ?? undefined;
  const current: Choice | undefined =
    value === "" ? undefined : picked?.id === value ? picked : titled === undefined ? { id: value, label: value } : { id: value, label: titled.title, detail: titled.detail };
  const matches = (found.data ?? []).map(({ id, title, detail }): Choice => ({ id, label: title, detail }));
  const choices = current === undefined || matches.some(({ id }) => id === current.id) || typed !== undefined ? matches : [current, ...matches];
  function choose(choice: Choice | undefined, id: string) {
    setPicked(choice);
    setTyped(undefined);
    onChange(id);
  }
  function leave() {
    setOpen(false);
    if (typed === undefined) return;
    const text = typed.trim();
    const [only, ...others] = matches;
    // A name that means one record means that record; anything else is taken for an id, and the server says whether it is one.
    if (text !== "" && !UUID.test(text) && search === typed && only !== undefined && others.length === 0) choose(only, only.id);
    else choose(undefined, text);
  }
  return (
    <div className={styles.picker} onInputCapture={() => (typing.current = true)}>
      <ComboBox
        {...rest}
        searched
        allowsCustomValue
        label={label}
        error={error}
        placeholder={placeholder ?? _("Name, address or id")}
        choices={choices}
        value={typed === undefined && current !== undefined ? current.id : null}
        inputValue={typed ?? current?.label ?? ""}
        onInputChange={(text) => {
          if (typing.current) setTyped(text);
          typing.current = false;
        }}
        onChange={(id) => {
          const choice = choices.find((one) => one.id === id);
          if (choice !== undefined) choose(choice, choice.id);
        }}
        onFocus={() => setOpen(true)}
        onBlur={leave}
      />
    </div>
  );
}
