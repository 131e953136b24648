/** A list in one line: of texts in several languages the reader's, of other items what tells them apart. */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { Fragment, type ReactNode } from "react";
import { leafOf } from "./leaves.ts";
import { forReader, isOutputOnly, isSecret, oneText, type Saying } from "./value.ts";
import type { Cell } from "./View.tsx";
import { fieldLabel } from "./words.ts";

type BriefProps = {
  record: ReflectMessage;
  field: DescField & { fieldKind: "list" };
  saying: Saying;
  cell: Cell | undefined;
};

/** The list in one line. */
export function Brief({ record, field, saying, cell }: BriefProps) {
  const items = [...record.get(field)];
  if (field.message === undefined || leafOf(field.message) !== undefined)
    return joined(
      items.map((item) => cell?.(field, item, record) ?? oneText(field, item, saying)),
      ", ",
    );
  const messages = items as ReflectMessage[];
  if (isLocalized(field.message)) {
    const read = forReader(messages, saying);
    const text = read?.fields.find(({ name }) => name === "text");
    return read === undefined || text === undefined ? null : oneText(text, read.get(text), saying);
  }
  return joined(
    primaryFirst(messages).map((item) => joined(partsOf(item, saying, cell), " · ")),
    ", ",
  );
}

/** Whether the items are one text in several languages. */
function isLocalized(desc: DescMessage): boolean {
  const names = tellingFields(desc).map(({ name }) => name);
  return names.length === 2 && names.includes("locale") && names.includes("text");
}

/** The fields by which people tell an item from another one: neither its id, nor what the service noted of it. */
export function tellingFields(desc: DescMessage): DescField[] {
  const telling = desc.fields.filter(
    (field) => !isSecret(field) && !isOutputOnly(field) && field.name !== "id" && field.name !== "primary",
  );
  return telling.length === 0 ? desc.fields.filter((field) => !isSecret(field)) : telling;
}

function partsOf(item: ReflectMessage, saying: Saying, cell: Cell | undefined): ReactNode[] {
  return tellingFields(item.desc)
    .filter((field) => item.isSet(field))
    .map((field) => partOf(item, field, saying, cell))
    .filter((part) => part !== "");
}

function partOf(item: ReflectMessage, field: DescField, saying: Saying, cell: Cell | undefined): ReactNode {
  if (field.fieldKind === "list") return <Brief record={item} field={field} saying={saying} cell={cell} />;
  const value: unknown = item.get(field);
  // "Yes" would not say to what.
  if (value === true) return saying.translate(fieldLabel(field));
  return cell?.(field, value, item) ?? oneText(field, value, saying);
}

/** The items, the one that is marked as primary first. */
function primaryFirst(items: readonly ReflectMessage[]): ReflectMessage[] {
  const mark = items[0]?.fields.find(({ name }) => name === "primary");
  if (mark === undefined) return [...items];
  return items.toSorted((one, other) => Number(other.get(mark) === true) - Number(one.get(mark) === true));
}

function joined(parts: readonly ReactNode[], by: string) {
  return parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 ? by : ""}
      {part}
    </Fragment>
  ));
}
