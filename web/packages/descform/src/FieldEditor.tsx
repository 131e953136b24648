/** Edits one field of a message. The editor is found by name, by hint, by message type, by kind. */
import { useWords } from "@pavise/i18n/words.ts";
import {
  getOption,
  hasOption,
  ScalarType,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { useLingui } from "@lingui/react";
import { field_ui } from "@pavise/schema/pavise/contract/v1/options_pb";
import { Button, IconButton } from "@pavise/ui/Button.tsx";
import { Checkbox } from "@pavise/ui/Choices.tsx";
import { ComboBox } from "@pavise/ui/ComboBox.tsx";
import { DateField } from "@pavise/ui/DateField.tsx";
import { TextArea, TextField } from "@pavise/ui/Field.tsx";
import { IconClose, IconPlus } from "@pavise/ui/icons.tsx";
import { ManyChoice } from "@pavise/ui/ManyChoice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import type { ReactNode } from "react";
import {
  addEntry,
  addItem,
  asList,
  asMessage,
  asText,
  entrySlots,
  fieldSlot,
  itemSlots,
  newKey,
  removeEntry,
  removeItem,
  type Draft,
  type Slot,
} from "./draft.ts";
import { useFormContext } from "./form.ts";
import { leafOf, type Leaf } from "./leaves.ts";
import { zones } from "./time.ts";
import { isOutputOnly, isSecret, referenceOf } from "./value.ts";
import { enumSpelling, enumWords, fieldLabel, valueWords } from "./words.ts";
import styles from "./descform.module.css";

/** Edits the fields of a message, in the contract's order. */
export function MessageFields({ desc, slot, omit }: { desc: DescMessage; slot: Slot; omit?: ReadonlySet<string> }) {
  const shown = new Set<DescOneof>();
  return (
    <div className={styles.fields}>
      {desc.fields
        .filter((field) => !isOutputOnly(field) && !(omit?.has(field.name) ?? false))
        .map((field) => {
          if (field.oneof === undefined)
            return <FieldEditor key={field.name} field={field} slot={fieldSlot(slot, field)} />;
          if (shown.has(field.oneof)) return null;
          shown.add(field.oneof);
          return <OneofEditor key={field.oneof.name} oneof={field.oneof} parent={slot} />;
        })}
    </div>
  );
}

/** Edits one field. */
export function FieldEditor({ field, slot }: { field: DescField; slot: Slot }) {
  const { widgets } = useFormContext();
  const label = useLabel(field);
  const hint = widgetHint(field);
  const named = [`${field.parent.typeName}.${field.name}`, hint, field.message?.typeName ?? ""];
  const widget = named.map((name) => widgets.get(name)).find((found) => found !== undefined);
  if (widget !== undefined) return widget({ field, slot });
  if (field.fieldKind === "list" && field.enum !== undefined)
    return <ManyEditor field={field} desc={field.enum} slot={slot} />;
  if (field.fieldKind === "list") return <ListEditor field={field} slot={slot} />;
  if (field.fieldKind === "map") return <MapEditor field={field} slot={slot} />;
  return <OneEditor field={field} slot={slot} label={label} />;
}

function widgetHint(field: DescField): string {
  return hasOption(field, field_ui) ? getOption(field, field_ui).widget : "";
}

function useLabel(field: DescField): string {
  const w = useWords();
  return w(fieldLabel(field));
}

/** The fault at a path, in the reader's language. */
function useFault(path: string): string | undefined {
  const w = useWords();
  const fault = useFormContext().faults.get(path);
  return fault === undefined ? undefined : w(fault.code, { limit: fault.limit ?? "" });
}

type OneProps = { field: DescField; slot: Slot; label: string };

/** One value of a field, of a list's item or of a map's entry. */
function OneEditor({ field, slot, label }: OneProps) {
  const { constraints, offered, plain } = useFormContext();
  const { required } = constraints(field);
  const inList = field.fieldKind === "list" || field.fieldKind === "map";
  const optional = !required && !inList && !plain;
  if (field.message !== undefined) {
    const leaf = leafOf(field.message);
    if (leaf === undefined)
      return <GroupEditor desc={field.message} slot={slot} label={label} open={inList} required={required} />;
    return <LeafEditor leaf={leaf} desc={field.message} field={field} slot={slot} label={label} optional={optional} />;
  }
  if (field.enum !== undefined) {
    const only = offered(field);
    return <EnumEditor desc={field.enum} only={only} slot={slot} label={label} optional={optional} />;
  }
  return (
    <ScalarEditor
      type={field.scalar ?? ScalarType.STRING}
      field={field}
      slot={slot}
      label={label}
      optional={optional}
    />
  );
}

function ScalarEditor({ type, field, slot, label, optional }: OneProps & { type: ScalarType; optional: boolean }) {
  const { disabled, reference, constraints } = useFormContext();
  const error = useFault(slot.path);
  const rules = constraints(field);
  const maxLength = (field.fieldKind === "list" ? rules.items : rules)?.maxLength;
  const limited = type === ScalarType.STRING && maxLength !== undefined ? { maxLength } : {};
  const common = { label, error, optional, isDisabled: disabled, name: slot.path, ...limited };
  const named = type === ScalarType.STRING ? reference(field) : undefined;
  if (named !== undefined) return named({ slot, label, optional, error, disabled });
  if (type === ScalarType.BOOL) {
    return (
      <Checkbox isSelected={slot.get() === true} onChange={(on) => slot.set(on)} isDisabled={disabled}>
        {label}
      </Checkbox>
    );
  }
  if (type === ScalarType.BYTES) return <FileEditor slot={slot} label={label} error={error} />;
  const text = {
    value: asText(slot.get()),
    onChange: (value: string) => (value === "" ? slot.clear() : slot.set(value)),
  };
  const hint = widgetHint(field);
  if (hint === "password" || isSecret(field))
    return <TextField {...common} {...text} type="password" autoComplete="off" />;
  if (hint === "textarea") return <TextArea {...common} {...text} />;
  const numeric = type !== ScalarType.STRING;
  const mono = !numeric && (/(^|_)(id|ids|token|key)$/.test(field.name) || referenceOf(field) !== "");
  return (
    <TextField
      {...common}
      {...text}
      mono={mono}
      autoComplete="off"
      {...(numeric ? { inputMode: "decimal" as const } : {})}
    />
  );
}

/** Enumerations with more values than this use a combo box. */
const MANY = 12;

type EnumProps = {
  desc: DescEnum;
  only: ReadonlySet<number> | undefined;
  slot: Slot;
  label: string;
  optional: boolean;
};

function EnumEditor({ desc, only, slot, label, optional }: EnumProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { disabled, plain } = useFormContext();
  const error = useFault(slot.path);
  const choices = desc.values
    .filter(({ number }) => number !== 0 && only?.has(number) !== false)
    .map((value) => ({ id: String(value.number), label: w(valueWords(value)) }));
  const value = asText(slot.get()) || null;
  if (choices.length > MANY) {
    return (
      <ComboBox
        label={label}
        error={error}
        optional={optional}
        isDisabled={disabled}
        choices={choices}
        value={value}
        onChange={(chosen) => (chosen === null ? slot.clear() : slot.set(chosen))}
      />
    );
  }
  const all = optional || plain ? [{ id: "0", label: plain ? _("Any") : _("Not said") }, ...choices] : choices;
  return (
    <Select
      label={label}
      error={error}
      optional={optional}
      isDisabled={disabled}
      choices={all}
      value={value ?? (optional || plain ? "0" : null)}
      onChange={(chosen) => (chosen === "0" ? slot.clear() : slot.set(chosen))}
    />
  );
}

/** A list of an enumeration's values: one choice of any number of them. */
function ManyEditor({ field, desc, slot }: { field: DescField; desc: DescEnum; slot: Slot }) {
  const w = useWords();
  const { disabled, offered } = useFormContext();
  const error = useFault(slot.path);
  const only = offered(field);
  const chosen = asList(slot.get()).items.map(({ value }) => asText(value));
  return (
    <ManyChoice
      label={useLabel(field)}
      error={error}
      isDisabled={disabled}
      choices={desc.values
        .filter(({ number }) => number !== 0 && only?.has(number) !== false)
        .map((value) => ({ id: String(value.number), label: w(valueWords(value)) }))}
      value={chosen}
      onChange={(next) => slot.set({ items: next.map((value) => ({ key: newKey(), value })) })}
    />
  );
}

function FileEditor({ slot, label, error }: { slot: Slot; label: string; error: string | undefined }) {
  const { _ } = useLingui();
  const text = asText(slot.get());
  const read = async (file: File | undefined) => {
    if (file === undefined) slot.clear();
    else slot.set(base64Encode(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <label className={styles.file}>
      {label}
      <input
        type="file"
        name={slot.path}
        onChange={(event) => void read(event.target.files?.[0])}
        aria-invalid={error !== undefined}
      />
      {text === "" ? null : (
        <span className={styles.note}>{_("{size} bytes", { size: Math.floor((text.length * 3) / 4) })}</span>
      )}
      {error === undefined ? null : <span className={styles.fault}>{error}</span>}
    </label>
  );
}

type LeafProps = OneProps & { leaf: Leaf; desc: DescMessage; optional: boolean };

/** A message that the form shows as one value. */
function LeafEditor({ leaf, desc, field, slot, label, optional }: LeafProps) {
  const { disabled } = useFormContext();
  const error = useFault(slot.path);
  const common = { label, error, optional, isDisabled: disabled };
  switch (leaf) {
    case "wrapper": {
      const [inner] = desc.fields;
      return (
        <ScalarEditor
          type={inner?.scalar ?? ScalarType.STRING}
          field={field}
          slot={slot}
          label={label}
          optional={optional}
        />
      );
    }
    case "timestamp":
      return <MomentEditor slot={slot} {...common} />;
    case "date": {
      const [year = 0, month = 0, day = 0] = asText(slot.get()).split("-").map(Number);
      return (
        <DateField
          {...common}
          value={year > 0 ? { year, month, day } : null}
          onChange={(picked) => (picked === null ? slot.clear() : slot.set(isoDay(picked)))}
        />
      );
    }
    case "money":
      return <MoneyEditor desc={desc} slot={slot} {...common} />;
    default:
      return (
        <TextArea
          {...common}
          mono
          rows={leaf === "duration" ? 1 : 4}
          value={asText(slot.get())}
          onChange={(text) => (text === "" ? slot.clear() : slot.set(text))}
        />
      );
  }
}

function isoDay({ year, month, day }: { year: number; month: number; day: number }): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}

type CommonProps = { label: string; error: string | undefined; optional: boolean; isDisabled: boolean };

function MomentEditor({ slot, ...common }: CommonProps & { slot: Slot }) {
  const { _ } = useLingui();
  const { local = "", zone = new Intl.DateTimeFormat().resolvedOptions().timeZone } = asMessage(slot.get()) as {
    local?: string;
    zone?: string;
  };
  return (
    <div className={styles.pair}>
      <TextField
        {...common}
        type="datetime-local"
        value={local}
        onChange={(text) => (text === "" ? slot.clear() : slot.set({ local: text, zone }))}
      />
      <Select
        label={_("Time zone")}
        isDisabled={common.isDisabled || local === ""}
        choices={[...new Set([zone, ...zones()])].map((id) => ({ id, label: id.replaceAll("_", " ") }))}
        value={zone}
        onChange={(chosen) => slot.set({ local, zone: chosen })}
      />
    </div>
  );
}

function MoneyEditor({ desc, slot, ...common }: CommonProps & { desc: DescMessage; slot: Slot }) {
  const { _ } = useLingui();
  const draft = asMessage(slot.get()) as { currency?: string; amount?: string };
  const currencies = desc.fields.find(({ name }) => name === "currency")?.enum;
  const first = currencies?.values.find(({ number }) => number !== 0)?.number ?? 1;
  const { currency = String(first), amount = "" } = draft;
  return (
    <div className={styles.pair}>
      <TextField
        {...common}
        inputMode="decimal"
        value={amount}
        onChange={(text) => (text === "" ? slot.clear() : slot.set({ currency, amount: text }))}
      />
      <Select
        label={_("Currency")}
        isDisabled={common.isDisabled}
        choices={(currencies?.values ?? [])
          .filter(({ number }) => number !== 0)
          .map(({ number }) => ({
            id: String(number),
            label: currencies === undefined ? "" : enumSpelling(currencies, number),
          }))}
        value={currency}
        onChange={(chosen) => slot.set({ currency: chosen, amount })}
      />
    </div>
  );
}

/** A nested message. It is unset until the user adds it. */
function GroupEditor({
  desc,
  slot,
  label,
  open,
  required,
}: {
  desc: DescMessage;
  slot: Slot;
  label: string;
  open: boolean;
  required: boolean;
}) {
  const { _ } = useLingui();
  const error = useFault(slot.path);
  const there = slot.isSet() || open || required;
  if (!there) {
    return (
      <Button kind="quiet" className={styles.add} onPress={() => slot.set({})}>
        <IconPlus /> {_("Add: {what}", { what: label })}
      </Button>
    );
  }
  return (
    <Group
      label={label}
      error={error}
      end={open || required ? null : <Remove label={label} onPress={() => slot.clear()} />}
    >
      <MessageFields desc={desc} slot={slot} />
    </Group>
  );
}

function Group({
  label,
  error,
  end,
  children,
}: {
  label: string;
  error?: string | undefined;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        {label} {end}
      </legend>
      {error === undefined ? null : (
        <p className={styles.fault} role="alert">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}

function Remove({ label, onPress }: { label: string; onPress: () => void }) {
  const { _ } = useLingui();
  return (
    <IconButton label={_("Remove: {what}", { what: label })} onPress={onPress}>
      <IconClose />
    </IconButton>
  );
}

/** The initial draft of a new item. */
function fresh(field: DescField): Draft {
  if (field.message !== undefined) return ["timestamp", "money", undefined].includes(leafOf(field.message)) ? {} : "";
  return field.scalar === ScalarType.BOOL ? false : "";
}

function ListEditor({ field, slot }: { field: DescField; slot: Slot }) {
  const { _ } = useLingui();
  const { disabled } = useFormContext();
  const label = useLabel(field);
  const error = useFault(slot.path);
  const items = itemSlots(slot);
  const messages = field.message !== undefined && leafOf(field.message) === undefined;
  return (
    <Group label={label} error={error}>
      {items.length === 0 ? <p className={styles.note}>{_("None")}</p> : null}
      {items.map(({ key, slot: item }, index) => (
        <div key={key} className={styles.item} {...(messages ? { "data-message": "" } : {})}>
          <OneEditor field={field} slot={item} label={`${label} ${index + 1}`} />
          <Remove label={`${label} ${index + 1}`} onPress={() => removeItem(slot, key)} />
        </div>
      ))}
      <Button kind="quiet" className={styles.add} isDisabled={disabled} onPress={() => addItem(slot, fresh(field))}>
        <IconPlus /> {_("Add: {what}", { what: label })}
      </Button>
    </Group>
  );
}

function MapEditor({ field, slot }: { field: DescField; slot: Slot }) {
  const { _ } = useLingui();
  const label = useLabel(field);
  const error = useFault(slot.path);
  return (
    <Group label={label} error={error}>
      {entrySlots(slot).map(({ key, name, value }) => (
        <div key={key} className={styles.item}>
          <div className={styles.pair}>
            <TextField label={_("Name")} value={asText(name.get())} onChange={(text) => name.set(text)} />
            <OneEditor field={field} slot={value} label={_("Value")} />
          </div>
          <Remove label={asText(name.get())} onPress={() => removeEntry(slot, key)} />
        </div>
      ))}
      <Button kind="quiet" className={styles.add} onPress={() => addEntry(slot, fresh(field))}>
        <IconPlus /> {_("Add: {what}", { what: label })}
      </Button>
    </Group>
  );
}

/** A oneof: the choice of the field, then its editor. */
function OneofEditor({ oneof, parent }: { oneof: DescOneof; parent: Slot }) {
  const { _ } = useLingui();
  const w = useWords();
  const slots = oneof.fields.map((field) => ({ field, slot: fieldSlot(parent, field) }));
  const chosen = slots.find(({ slot }) => slot.isSet());
  return (
    <div className={styles.fields}>
      <Select
        label={w(fieldLabelOf(oneof.name))}
        choices={[
          { id: "-", label: _("Not said") },
          ...slots.map(({ field }) => ({ id: field.name, label: w(fieldLabel(field)) })),
        ]}
        value={chosen?.field.name ?? "-"}
        onChange={(name) => {
          const next = slots.find(({ field }) => field.name === name);
          if (next === undefined) chosen?.slot.clear();
          else next.slot.set(fresh(next.field));
        }}
      />
      {chosen === undefined ? null : <FieldEditor field={chosen.field} slot={chosen.slot} />}
    </div>
  );
}

function fieldLabelOf(name: string): string {
  return enumWords(name.toUpperCase());
}
