// The state of a form: the draft, its faults, and its message once it has no faults.
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from "react";
import type { DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import { compile, faultOf, type Fault } from "./compile.ts";
import { constraintsOf, type Constraints } from "./constraints.ts";
import { rootSlot, type Draft, type DraftMessage, type Slot } from "./draft.ts";

/** A fault for display: an English text that is a translation key, with its limit; or the server's own words. */
export interface ShownFault {
  readonly path: string;
  readonly code: string;
  readonly limit?: string | undefined;
}

/** A custom editor of a field. */
export type Widget = (props: { slot: Slot; field: DescField }) => ReactNode;

/** The editor of a field that names another record: the record is searched instead of its id being typed. */
export type ReferenceEditor = (props: {
  slot: Slot;
  label: string;
  optional: boolean;
  error: string | undefined;
  disabled: boolean;
}) => ReactNode;

/** The context of a form's editors. */
export interface FormContext {
  readonly registry: Registry;
  readonly constraints: (field: DescField) => Constraints;
  readonly faults: ReadonlyMap<string, ShownFault>;
  /** By full field name, by widget hint or by message type, in this order. */
  readonly widgets: ReadonlyMap<string, Widget>;
  /** The editor of a field that names another record; undefined where the id is typed. */
  readonly reference: (field: DescField) => ReferenceEditor | undefined;
  /** The values of an enumeration that a field offers, by their numbers; undefined for all. */
  readonly offered: (field: DescField) => ReadonlySet<number> | undefined;
  readonly disabled: boolean;
  /** Labels do not mark optional fields: in a filter every field is optional. */
  readonly plain: boolean;
}

export const FormContextProvider = createContext<FormContext | undefined>(undefined);

/** The form that surrounds an editor. */
export function useFormContext(): FormContext {
  const context = use(FormContextProvider);
  if (context === undefined) throw new Error("a field editor outside of a form");
  return context;
}

/** A form for a message type. */
export interface Form {
  readonly desc: DescMessage;
  readonly slot: Slot;
  readonly draft: Draft;
  readonly context: FormContext;
  /** Whether the form was changed since it began. */
  readonly touched: boolean;
  /** The message; undefined after the faults were shown. */
  check(): Message | undefined;
  /** Shows the faults that the server found. */
  refuse(faults: readonly { path: string; description: string }[]): void;
  reset(draft: DraftMessage): void;
}

const NO_WIDGETS: ReadonlyMap<string, Widget> = new Map();
const NO_REFERENCE = () => undefined;
const ALL = () => undefined;

/** The options of a form besides its type. */
export type FormOptions = Partial<Pick<FormContext, "disabled" | "plain" | "widgets" | "reference" | "offered">>;

/** The state of a form. */
export function useForm(desc: DescMessage, initial: DraftMessage, registry: Registry, options: FormOptions = {}): Form {
  const [draft, setDraft] = useState<Draft>(initial);
  const [touched, setTouched] = useState(false);
  const [faults, setFaults] = useState<ReadonlyMap<string, ShownFault>>(new Map());
  const constraints = useMemo(() => constraintsOf(registry), [registry]);
  const { disabled = false, plain = false, widgets = NO_WIDGETS, reference = NO_REFERENCE, offered = ALL } = options;
  const context = useMemo(
    () => ({ registry, constraints, faults, widgets, reference, offered, disabled, plain }),
    [registry, constraints, faults, widgets, reference, offered, disabled, plain],
  );
  const update = useCallback((change: (value: Draft) => Draft) => {
    setTouched(true);
    setDraft((before) => change(before) ?? {});
  }, []);
  const show = (found: readonly Fault[]) => setFaults(new Map(found.map((fault) => [fault.path, fault])));
  return {
    desc,
    slot: rootSlot(draft, update),
    draft,
    context,
    touched,
    check() {
      const compiled = compile(desc, draft, { registry, constraints });
      show(compiled.faults);
      return compiled.message;
    },
    refuse: (found) => show(found.map(faultOf)),
    reset(next) {
      setDraft(next);
      setFaults(new Map());
      setTouched(false);
    },
  };
}
