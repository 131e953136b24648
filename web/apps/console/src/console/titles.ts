// Titles and details of records, made from their fields.
import type { Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { leafOf } from "@pavise/descform/leaves.ts";
import { fieldText, type Saying } from "@pavise/descform/value.ts";
import { enumSpelling } from "@pavise/descform/words.ts";
import type { Entity } from "../contract/operation.ts";

/** A record in a list of choices. */
export interface Titled {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
}

/** Paths to the name of a record, the best first; `[]` takes every item of a list. */
const NAMES = [
  "name",
  "names",
  "friendly_names",
  "emails",
  "usernames",
  "invitee.email",
  "offers[].offer_name",
  "items[].description",
  "items[].name",
  "offer_name",
  "card",
  "bank_account",
  "friendly_id",
  "number",
  "title",
  "reference",
  "reason",
];
/** Fields that become the detail of a record when they are set. */
const DETAILS = ["realm", "family", "type", "totals.total", "total", "amount", "billing_period"];

/** The record's title and detail. */
export function titledOf(entity: Entity, id: string, message: Message, saying: Saying): Titled {
  const record = reflect(entity.desc, message, false);
  const title = NAMES.map((path) => textAt(record, path, saying)).find((text) => text !== "") ?? "";
  const status = textAt(record, "status", saying);
  const made = textAt(record, "created_at", saying);
  const details = [status, ...DETAILS.map((path) => textAt(record, path, saying)), made].filter(
    (text) => text !== "" && text !== title,
  );
  return { id, title: title === "" ? id : title, detail: details.slice(0, 3).join(" · ") };
}

function textAt(record: ReflectMessage, path: string, saying: Saying): string {
  const [head = "", ...rest] = path.split(".");
  const name = head.replace("[]", "");
  const field = record.fields.find((one) => one.name === name);
  if (field === undefined || !record.isSet(field)) return "";
  if (rest.length > 0) {
    const parts =
      field.fieldKind === "list" ? ([...record.get(field)] as ReflectMessage[]) : [record.get(field) as ReflectMessage];
    return [...new Set(parts.map((part) => textAt(part, rest.join("."), saying)))].filter(Boolean).join(", ");
  }
  if (field.fieldKind === "list" && field.message !== undefined)
    return localized([...record.get(field)] as ReflectMessage[], saying);
  if (field.message !== undefined && leafOf(field.message) === undefined)
    return cardText(record.get(field) as ReflectMessage, saying);
  return fieldText(record, field, saying);
}

/** Of texts in several languages the reader's; of e-mail addresses the first. */
function localized(parts: readonly ReflectMessage[], saying: Saying): string {
  const wanted = saying.locale.replace("-", "_");
  const inLocale = parts.find((part) => {
    const locale = part.fields.find(({ name }) => name === "locale");
    return (
      locale?.enum !== undefined && enumSpelling(locale.enum, part.get(locale) as number).replace("-", "_") === wanted
    );
  });
  const [first] = parts;
  const part = inLocale ?? first;
  return part === undefined
    ? ""
    : (["text", "address"].map((name) => textAt(part, name, saying)).find((text) => text !== "") ?? "");
}

/** A card or an account by its last four digits. */
function cardText(part: ReflectMessage, saying: Saying): string {
  const last = textAt(part, "last4", saying);
  const brand = textAt(part, "brand", saying) || textAt(part, "type", saying);
  return last === "" ? "" : `${brand} ···· ${last}`;
}
