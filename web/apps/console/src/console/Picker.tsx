/** Chooses a record by its title, where the contract asks for its id. */
import type { DescField } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { asText } from "@pavise/descform/draft.ts";
import type { ReferenceEditor } from "@pavise/descform/form.ts";
import type { Choice } from "@pavise/ui/choice.ts";
import { ComboBox, type Search } from "@pavise/ui/ComboBox.tsx";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useCallback, useRef, useState } from "react";
import type { Entity } from "../contract/operation.ts";
import { entityNamedBy } from "./references.ts";
import { findable, useConsole } from "./console.ts";
import { findRecords, recordById, UUID } from "./find.ts";
import { useSettled } from "./settled.ts";
import styles from "./console.module.css";

/** Id of the member whose records are offered; empty when the owner is not known. */
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

/** How long what was found is good, in milliseconds. */
const PATIENCE = 10_000;

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

type Looking = { of: string; value: string; typed: string | undefined; picked: Choice | undefined; open: boolean };

/** The records found for the typed text, and the title of the chosen record. */
function useChoices(
  entity: Entity,
  { of, value, typed, picked, open }: Looking,
): { current: Choice | undefined; choices: Choice[]; answer: Search } {
  const known = useConsole();
  const search = useSettled(typed ?? "");
  const found = useQuery({
    queryKey: ["found", entity.typeName, of, search],
    enabled: open,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findRecords(known, entity, search, of, signal),
  });
  const chosen = useQuery({
    queryKey: ["titled", entity.typeName, value, of],
    enabled: value !== "" && picked?.id !== value,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      UUID.test(value) ? ((await recordById(known, entity, value, of, signal)) ?? null) : null,
  });
  const titled = chosen.data ?? undefined;
  const current: Choice | undefined =
    value === ""
      ? undefined
      : picked?.id === value
        ? picked
        : titled === undefined
          ? { id: value, label: value }
          : { id: value, label: titled.title, detail: titled.detail };
  const matches = (found.data ?? []).map(({ id, title, detail }): Choice => ({ id, label: title, detail }));
  const choices =
    current === undefined || matches.some(({ id }) => id === current.id) || typed !== undefined
      ? matches
      : [current, ...matches];
  const answer: Search = {
    waits: found.isFetching && (found.data === undefined || found.isPlaceholderData),
    failed: found.isError && !found.isFetching,
    again: () => void found.refetch({ cancelRefetch: true }),
  };
  return { current, choices, answer };
}

/** A combo box for a record of an entity. It searches by name; an id can be typed or pasted too. */
export function Picker({ entity, label, value, onChange, error, placeholder, ...rest }: PickerProps) {
  const { _ } = useLingui();
  const known = useConsole();
  const queries = useQueryClient();
  const owner = use(OwnerContext);
  // The typed text until a record is chosen, then the title of that record.
  const [typed, setTyped] = useState<string>();
  const [picked, setPicked] = useState<Choice>();
  const [open, setOpen] = useState(false);
  // The box also changes its own text after a choice. Only typed text starts a search.
  const typing = useRef(false);
  // Number of the newest search: results of an older search are dropped.
  const attempt = useRef(0);
  const of = entity.name === "Identity" ? "" : owner;
  const { current, choices, answer } = useChoices(entity, { of, value, typed, picked, open });
  function choose(choice: Choice | undefined, id: string) {
    attempt.current += 1;
    setPicked(choice);
    setTyped(undefined);
    onChange(id);
  }
  /** Ends typing. A name of exactly one record chooses it. On blur any other text counts as an id for the server. */
  async function settle(left: boolean) {
    if (typed === undefined) return;
    const wanted = typed.trim();
    attempt.current += 1;
    const mine = attempt.current;
    const isId = wanted === "" || UUID.test(wanted);
    const queryFn = ({ signal }: { signal: AbortSignal }) => findRecords(known, entity, wanted, of, signal);
    const results = isId
      ? []
      : await queries
          .fetchQuery({ queryKey: ["found", entity.typeName, of, wanted], queryFn, staleTime: PATIENCE })
          .catch(() => []);
    if (attempt.current !== mine) return;
    const [only, ...others] = results;
    if (only !== undefined && others.length === 0)
      choose({ id: only.id, label: only.title, detail: only.detail }, only.id);
    else if (left || isId) choose(undefined, wanted);
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
        search={answer}
        value={typed === undefined && current !== undefined ? current.id : null}
        inputValue={typed ?? current?.label ?? ""}
        onInputChange={(text) => {
          if (typing.current) {
            attempt.current += 1;
            setTyped(text);
          }
          typing.current = false;
        }}
        onChange={(id) => {
          const choice = choices.find((one) => one.id === id);
          if (choice !== undefined) choose(choice, choice.id);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          void settle(true);
        }}
        onKeyDown={({ key }) => {
          if (key === "Enter") void settle(false);
        }}
      />
    </div>
  );
}
