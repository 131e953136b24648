// The content of a form while it is filled in: the raw text of every field, in the shape of its message.
//
// A draft is plain and immutable. Only `compile` interprets it, so that typed text is never lost, and
// unreadable text is never sent.
import type { DescField } from "@bufbuild/protobuf";

/** A value of the form: text and ticks at the leaves. */
export type Draft = string | boolean | DraftMessage | DraftList | DraftMap | undefined;

/** The fields of a message by local name. Absent fields are unset. */
export interface DraftMessage {
  readonly [field: string]: Draft;
}

/** A list; the key of an item stays the same when others come and go. */
export interface DraftList {
  readonly items: readonly { readonly key: number; readonly value: Draft }[];
}

/** A map; two entries may have the same name while the user types. */
export interface DraftMap {
  readonly entries: readonly { readonly key: number; readonly name: string; readonly value: Draft }[];
}

/** A place in a draft: a field, a list's item, a map's entry, a wrapper's value, a member of a oneof. */
export interface Slot {
  /** The path as the server names it: `offers[0].tier_id`. */
  readonly path: string;
  get(): Draft;
  set(value: Draft): void;
  clear(): void;
  isSet(): boolean;
  /** Changes the current value, even if it changed since the slot was made. */
  update(change: (value: Draft) => Draft): void;
}

let lastKey = 0;

/** A unique key for an item. */
export function newKey(): number {
  lastKey += 1;
  return lastKey;
}

/** The slot of the whole form. */
export function rootSlot(value: Draft, update: (change: (value: Draft) => Draft) => void): Slot {
  return slot("", () => value, update);
}

/** The slot of a field. Setting a member of a oneof clears the others. */
export function fieldSlot(parent: Slot, field: DescField): Slot {
  const siblings = field.oneof?.fields.filter((other) => other !== field).map((other) => other.localName) ?? [];
  const path = parent.path === "" ? field.name : `${parent.path}.${field.name}`;
  const read = () => asMessage(parent.get())[field.localName];
  return slot(path, read, (change) =>
    parent.update((whole) => {
      const message = asMessage(whole);
      const value = change(message[field.localName]);
      const dropped = value === undefined ? [field.localName] : siblings;
      const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !dropped.includes(name)));
      return value === undefined ? kept : { ...kept, [field.localName]: value };
    }),
  );
}

/** The slots of a list's items, in order. */
export function itemSlots(list: Slot): { readonly key: number; readonly slot: Slot }[] {
  return asList(list.get()).items.map(({ key }, index) => ({
    key,
    slot: slot(
      `${list.path}[${index}]`,
      () => asList(list.get()).items.find((item) => item.key === key)?.value,
      (change) =>
        list.update((whole) => ({
          items: asList(whole).items.map((item) => (item.key === key ? { key, value: change(item.value) } : item)),
        })),
    ),
  }));
}

/** Adds an item at the end. */
export function addItem(list: Slot, value: Draft): void {
  list.update((whole) => ({ items: [...asList(whole).items, { key: newKey(), value }] }));
}

/** Removes an item. */
export function removeItem(list: Slot, key: number): void {
  list.update((whole) => ({ items: asList(whole).items.filter((item) => item.key !== key) }));
}

/** Moves an item up or down. */
export function moveItem(list: Slot, key: number, by: -1 | 1): void {
  list.update((whole) => {
    const items = [...asList(whole).items];
    const from = items.findIndex((item) => item.key === key);
    const to = from + by;
    const [moved] = to >= 0 && to < items.length ? items.splice(from, 1) : [];
    if (moved !== undefined) items.splice(to, 0, moved);
    return { items };
  });
}

/** The slots of a map's entries: one for the name, one for the value. */
export function entrySlots(map: Slot): { readonly key: number; readonly name: Slot; readonly value: Slot }[] {
  const entry = (key: number) => asMap(map.get()).entries.find((one) => one.key === key);
  const change = (key: number, how: (one: DraftMap["entries"][number]) => DraftMap["entries"][number]) =>
    map.update((whole) => ({ entries: asMap(whole).entries.map((one) => (one.key === key ? how(one) : one)) }));
  return asMap(map.get()).entries.map(({ key, name }) => {
    const path = `${map.path}["${name}"]`;
    return {
      key,
      name: slot(
        path,
        () => entry(key)?.name,
        (how) => change(key, (one) => ({ ...one, name: String(how(one.name) ?? "") })),
      ),
      value: slot(
        path,
        () => entry(key)?.value,
        (how) => change(key, (one) => ({ ...one, value: how(one.value) })),
      ),
    };
  });
}

/** Adds an entry at the end. */
export function addEntry(map: Slot, value: Draft): void {
  map.update((whole) => ({ entries: [...asMap(whole).entries, { key: newKey(), name: "", value }] }));
}

/** Removes an entry. */
export function removeEntry(map: Slot, key: number): void {
  map.update((whole) => ({ entries: asMap(whole).entries.filter((one) => one.key !== key) }));
}

export function asMessage(value: Draft): DraftMessage {
  return typeof value === "object" && !("items" in value && Array.isArray(value.items)) ? (value as DraftMessage) : {};
}

export function asList(value: Draft): DraftList {
  return typeof value === "object" && Array.isArray((value as DraftList).items) ? (value as DraftList) : { items: [] };
}

export function asMap(value: Draft): DraftMap {
  return typeof value === "object" && Array.isArray((value as DraftMap).entries)
    ? (value as DraftMap)
    : { entries: [] };
}

export function asText(value: Draft): string {
  return typeof value === "string" ? value : "";
}

function slot(path: string, get: () => Draft, update: Slot["update"]): Slot {
  return {
    path,
    get,
    update,
    set: (value) => update(() => value),
    clear: () => update(() => undefined),
    isSet: () => get() !== undefined,
  };
}
