// The columns of an entity's grid: first those that the contract names, then the others.
import type { DescField } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { Brief } from "@pavise/descform/Brief.tsx";
import type { Cell } from "@pavise/descform/View.tsx";
import { isNumeric } from "@pavise/descform/View.tsx";
import { leafOf } from "@pavise/descform/leaves.ts";
import { fieldText, isPersonal, isSecret, type Saying } from "@pavise/descform/value.ts";
import { fieldLabel } from "@pavise/descform/words.ts";
import type { GridColumn } from "@pavise/ui/Grid.tsx";
import type { ReactNode } from "react";
import type { Entity } from "../contract/operation.ts";

/** A record in a grid. */
export interface Row {
  readonly id: string;
  readonly record: ReflectMessage;
}

/** A column with its field. */
export type FieldColumn = GridColumn<Row> & { readonly field: DescField; readonly personal: boolean };

/** The default width of a column, by the kind of its values. */
function widthOf(field: DescField): number {
  if (field.name === "id") return 310;
  if (field.name === "status") return 190;
  if (field.name.endsWith("_id")) return 200;
  if (field.message !== undefined && field.fieldKind === "list") return 260;
  if (field.message !== undefined) return leafOf(field.message) === "timestamp" ? 200 : 150;
  return field.enum === undefined ? 170 : 140;
}

/** Fields in the order of their columns: those of the display, then what an entity is found by, then the rest. */
function ordered(entity: Entity): DescField[] {
  const first = entity.display?.columns ?? [];
  const rank = (field: DescField) => {
    const place = first.indexOf(field.name);
    if (place >= 0) return place - first.length;
    if (entity.lookups.some((lookup) => lookup.split(".")[0] === field.name)) return 10;
    if (field.enum !== undefined) return 20;
    if (field.message !== undefined && leafOf(field.message) !== undefined) return 30;
    return field.fieldKind === "scalar" ? 40 : 100;
  };
  return entity.desc.fields
    .filter((field) => !isSecret(field))
    .toSorted((left, right) => rank(left) - rank(right) || left.number - right.number);
}

/** All columns of an entity. */
export function columnsOf(entity: Entity, saying: Saying, cell: Cell): FieldColumn[] {
  return ordered(entity).map((field) => ({
    id: field.name,
    header: saying.translate(fieldLabel(field)),
    field,
    personal: isPersonal(field) || (field.message?.fields.some(isPersonal) ?? false),
    width: widthOf(field),
    end: isNumeric(field),
    sortable: true,
    cell: ({ record }) => (record.isSet(field) ? cellOf(record, field, saying, cell) : null),
  }));
}

/** A field's value in a cell. */
function cellOf(record: ReflectMessage, field: DescField, saying: Saying, cell: Cell): ReactNode {
  if (field.fieldKind === "list") return <Brief record={record} field={field} saying={saying} cell={cell} />;
  const own = field.fieldKind === "map" ? undefined : cell(field, record.get(field), record);
  return own ?? fieldText(record, field, saying);
}

/** The columns that are hidden by default. */
export function hiddenAtFirst(entity: Entity, columns: readonly FieldColumn[]): Set<string> {
  const shown = new Set(entity.display?.columns);
  return new Set(columns.filter(({ id }) => !shown.has(id)).map(({ id }) => id));
}

/** Rows sorted by a column's values. */
export function sorted(
  rows: readonly Row[],
  column: FieldColumn | undefined,
  descending: boolean,
  saying: Saying,
): readonly Row[] {
  if (column === undefined) return rows;
  const { field } = column;
  const value = ({ record }: Row): number | string => {
    if (!record.isSet(field)) return "";
    const raw = record.get(field);
    if (typeof raw === "number" || typeof raw === "bigint")
      return field.enum === undefined ? Number(raw) : fieldText(record, field, saying);
    const leaf = field.message === undefined ? undefined : leafOf(field.message);
    if (leaf === "timestamp" || leaf === "money") {
      const inner = raw as ReflectMessage;
      const part = inner.fields.find(({ name }) => name === (leaf === "money" ? "amount" : "seconds"));
      return part === undefined ? 0 : Number(inner.get(part));
    }
    return fieldText(record, field, saying);
  };
  const order = new Intl.Collator(saying.locale, { numeric: true });
  return rows.toSorted((left, right) => {
    const [one, other] = [value(left), value(right)];
    const by =
      typeof one === "number" && typeof other === "number" ? one - other : order.compare(String(one), String(other));
    return descending ? -by : by;
  });
}
