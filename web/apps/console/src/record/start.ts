// The start of an action on a record: what its form is filled in with.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { draftOf } from "@pavise/descform/compile.ts";
import { asMessage, type DraftMessage } from "@pavise/descform/draft.ts";
import { textOf } from "../console/calls.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { startsFromRecord } from "../contract/start.ts";

/** The part of another message's draft that this message has too: fields of the same name and kind. */
function shared(desc: DescMessage, from: DescMessage, draft: DraftMessage): DraftMessage {
  const same = desc.fields.filter((field) => {
    const other = from.fields.find(({ name }) => name === field.name);
    return (
      other !== undefined &&
      other.fieldKind === field.fieldKind &&
      other.message === field.message &&
      other.enum === field.enum &&
      other.scalar === field.scalar
    );
  });
  return Object.fromEntries(
    same.flatMap(({ localName }) => (draft[localName] === undefined ? [] : [[localName, draft[localName]]])),
  );
}

/** The request fields known from the record: its ids, and the current value of a field that is replaced. */
export function startOf(
  operation: Operation,
  entity: Entity,
  id: string,
  message: Message,
  registry: Parameters<typeof draftOf>[2],
) {
  const names = new Map<string, string>();
  if (operation.idField !== undefined) names.set(operation.idField.name, id);
  const owner = textOf(message, entity.desc, "owner_id");
  if (operation.ownerField !== "" && owner !== "") names.set(operation.ownerField, owner);
  const group = textOf(message, entity.desc, "group_id");
  if (operation.groupField !== "" && group !== "") names.set(operation.groupField, group);
  // Path fields that the record has, such as the brand of an offer, are known too.
  for (const [, name = ""] of operation.rest[0]?.path.matchAll(/\{(\w+)[^}]*\}/g) ?? []) {
    const value = textOf(message, entity.desc, name);
    if (!names.has(name) && value !== "") names.set(name, value);
  }
  const current = asMessage(draftOf(entity.desc, message, registry));
  const { fields } = operation.method.input;
  const draft: Record<string, DraftMessage[string]> = {};
  for (const field of fields) {
    const same = entity.desc.fields.find(({ name }) => name === field.name);
    const alike =
      same !== undefined &&
      same.fieldKind === field.fieldKind &&
      same.message === field.message &&
      same.enum === field.enum &&
      same.scalar === field.scalar;
    if (names.has(field.name)) draft[field.localName] = names.get(field.name) ?? "";
    else if (operation.fresh.has(field.name) || (operation.adds && field.fieldKind === "list")) continue;
    // A replacement of the whole record starts from its current fields: fields left out would be cleared.
    else if (field.fieldKind === "message" && field.message.name === `${entity.name}Draft`)
      draft[field.localName] = shared(field.message, entity.desc, current);
    // A call that replaces a field starts from its current value.
    else if (alike && startsFromRecord(operation, field, same) && current[same.localName] !== undefined)
      draft[field.localName] = current[same.localName];
  }
  // A part that the record lacks is left out until the user adds it.
  const known = new Set(names.keys());
  return { known, initial: draft };
}
