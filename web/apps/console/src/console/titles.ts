// Titles and details of records, made from the templates of the contract.
import type { Message } from "@bufbuild/protobuf";
import type { DescField } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { fieldText, forReader, type Saying } from "@pavise/descform/value.ts";
import type { Entity } from "../contract/operation.ts";

/** A record in a list of choices. */
export interface Titled {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
}

/** The title of the record that a field names by its id; empty when it is not known. */
export type TitleOf = (field: DescField, id: string) => string;

const UNKNOWN: TitleOf = () => "";

/** The separator of a template's parts. */
const BETWEEN = " · ";
/** The details of a record whose entity has no display. */
const DETAILS = "{status} · {created_at}";

/** The record's title; its id if it has none. */
export function titleText(
  entity: Entity,
  id: string,
  message: Message,
  saying: Saying,
  titleOf: TitleOf = UNKNOWN,
): string {
  const title = filledIn(entity.display?.title ?? "", reflect(entity.desc, message, false), saying, titleOf);
  return title === "" ? id : title;
}

/** The record's title and detail. */
export function titledOf(
  entity: Entity,
  id: string,
  message: Message,
  saying: Saying,
  titleOf: TitleOf = UNKNOWN,
): Titled {
  const record = reflect(entity.desc, message, false);
  return {
    id,
    title: titleText(entity, id, message, saying, titleOf),
    detail: filledIn(entity.display?.subtitle ?? DETAILS, record, saying, titleOf),
  };
}

/** A template with a record's values. A part is left out unless each of its fields is set. */
export function filledIn(template: string, record: ReflectMessage, saying: Saying, titleOf: TitleOf = UNKNOWN): string {
  const parts = template.split(BETWEEN).map((part) => {
    let complete = true;
    const text = part.replaceAll(/\{([^}]*)\}/g, (_all, paths: string) => {
      const value = paths
        .split("|")
        .map((path) => textAt(record, path, saying, titleOf))
        .find((one) => one !== "");
      complete &&= value !== undefined;
      return value ?? "";
    });
    return complete ? text : "";
  });
  return parts.filter((part) => part !== "").join(BETWEEN);
}

/** The text at a path: `number`, `card.last4`, `names.text`, `items[].name`, `owner_id.title`. */
function textAt(record: ReflectMessage, path: string, saying: Saying, titleOf: TitleOf): string {
  const [head = "", ...rest] = path.split(".");
  const field = record.fields.find(({ name }) => name === head.replace("[]", ""));
  if (field === undefined || !record.isSet(field)) return "";
  if (rest.length === 0) return fieldText(record, field, saying);
  if (field.message === undefined) return rest.join(".") === "title" ? titleOf(field, String(record.get(field))) : "";
  const below = (inner: ReflectMessage) => textAt(inner, rest.join("."), saying, titleOf);
  if (field.fieldKind !== "list") return below(record.get(field) as ReflectMessage);
  const items = [...record.get(field)] as ReflectMessage[];
  const taken = head.endsWith("[]") ? items : items.filter((item) => item === forReader(items, saying));
  return [...new Set(taken.map(below))].filter((text) => text !== "").join(", ");
}
