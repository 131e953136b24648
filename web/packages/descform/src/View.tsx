/** Shows a message: facts first, then its parts; lists of parts as tables. */
import { useWords } from "@pavise/i18n/words.ts";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { Facts } from "@pavise/ui/Value.tsx";
import type { ReactNode } from "react";
import { Brief } from "./Brief.tsx";
import { leafOf } from "./leaves.ts";
import { fieldText, isSecret, type Saying } from "./value.ts";
import { fieldLabel } from "./words.ts";
import styles from "./view.module.css";

/** Replaces the text of single values: a link for an id, a dot for a status. */
export type Cell = (field: DescField, value: unknown, message: ReflectMessage) => ReactNode | undefined;

export type ViewProps = {
  desc: DescMessage;
  message: Message;
  saying: Saying;
  cell?: Cell;
  /** Fields that are shown elsewhere. */
  omit?: ReadonlySet<string>;
  level?: 2 | 3 | 4;
};

/** All fields of a message. */
export function MessageView({ desc, message, saying, cell, omit, level = 2 }: ViewProps) {
  return <Parts message={reflect(desc, message, false)} saying={saying} cell={cell} omit={omit} level={level} />;
}

type PartsProps = {
  message: ReflectMessage;
  saying: Saying;
  cell: Cell | undefined;
  omit: ReadonlySet<string> | undefined;
  level: number;
};

/** Fields of every record, shown after the record's own. */
const LAST = new Set(["version", "created_at", "updated_at"]);

/** Deeper messages are shown in one line. */
const DEEPEST = 4;

function Parts({ message, saying, cell, omit, level }: PartsProps) {
  const w = useWords();
  const shown = message.fields.filter(
    (field) => message.isSet(field) && !isSecret(field) && !(omit?.has(field.name) ?? false),
  );
  const parts = shown.filter((field) => isPart(field) && level <= DEEPEST);
  const facts = shown
    .filter((field) => !parts.includes(field))
    .toSorted((left, right) => Number(LAST.has(left.name)) - Number(LAST.has(right.name)));
  const Heading = `h${Math.min(level, 5)}` as "h2";
  return (
    <>
      {facts.length === 0 ? null : (
        <Facts
          facts={facts.map((field) => ({
            name: w(fieldLabel(field)),
            value: <Value field={field} message={message} saying={saying} cell={cell} />,
          }))}
        />
      )}
      {parts.map((field) => (
        <section key={field.name} className={styles.part}>
          <Heading className={styles.heading}>{w(fieldLabel(field))}</Heading>
          {field.fieldKind === "list" ? (
            <Rows field={field} items={[...message.get(field)] as ReflectMessage[]} saying={saying} cell={cell} />
          ) : (
            <Parts
              message={message.get(field) as ReflectMessage}
              saying={saying}
              cell={cell}
              omit={undefined}
              level={level + 1}
            />
          )}
        </section>
      ))}
    </>
  );
}

/** Whether a field's value is a message with fields of its own. */
function isPart(field: DescField): boolean {
  return (
    (field.fieldKind === "message" || field.fieldKind === "list") &&
    field.message !== undefined &&
    leafOf(field.message) === undefined
  );
}

function Value({
  field,
  message,
  saying,
  cell,
}: {
  field: DescField;
  message: ReflectMessage;
  saying: Saying;
  cell: Cell | undefined;
}) {
  if (field.fieldKind === "list") return <Brief record={message} field={field} saying={saying} cell={cell} />;
  return cell?.(field, message.get(field as never), message) ?? fieldText(message, field, saying);
}

/** A list of messages: a column for each field that any of them has. */
function Rows({
  field,
  items,
  saying,
  cell,
}: {
  field: DescField;
  items: ReflectMessage[];
  saying: Saying;
  cell: Cell | undefined;
}) {
  const w = useWords();
  const columns = (field.message?.fields ?? []).filter(
    (column) => !isSecret(column) && items.some((item) => item.isSet(column)),
  );
  return (
    <div className={styles.scroll} role="region" aria-label={w(fieldLabel(field))} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" {...(isNumeric(column) ? { "data-end": "" } : {})}>
                {w(fieldLabel(column))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.name} {...(isNumeric(column) ? { "data-end": "" } : {})}>
                  {item.isSet(column) ? <Value field={column} message={item} saying={saying} cell={cell} /> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether a column's values are aligned to the end, as numbers are. */
export function isNumeric(field: DescField): boolean {
  if (field.fieldKind === "message") return leafOf(field.message) === "money";
  return field.fieldKind === "scalar" && ![8, 9, 12].includes(field.scalar);
}
