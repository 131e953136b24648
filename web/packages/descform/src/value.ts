// Values of messages as text in the reader's locale, for cells, exports and comparisons.
import {
  getOption,
  hasOption,
  toJson,
  type DescField,
  type Message,
  type Registry,
  type DescMessage,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { field as fieldOption } from "@pavise/schema/pavise/contract/v1/options_pb";
import { leafOf } from "./leaves.ts";
import { minorText } from "./minor.ts";
import { enumSpelling, fieldLabel, numberWords } from "./words.ts";

/** The context of a text. */
export interface Saying {
  readonly locale: string;
  readonly registry: Registry;
  /** Translates the contract's words into the reader's language. */
  readonly translate: (words: string) => string;
}

/** Whether a field is personal data. */
export function isPersonal(field: DescField): boolean {
  return hasOption(field, fieldOption) && getOption(field, fieldOption).pii;
}

/** Whether a field never leaves the service. */
export function isSecret(field: DescField): boolean {
  return hasOption(field, fieldOption) && getOption(field, fieldOption).secret;
}

/** Whether only the service sets a field. */
export function isOutputOnly(field: DescField): boolean {
  return hasOption(field, fieldOption) && getOption(field, fieldOption).outputOnly;
}

/** The entity type that the id in a field names; empty for none. */
export function referenceOf(field: DescField): string {
  return hasOption(field, fieldOption) ? getOption(field, fieldOption).reference : "";
}

/** A field's value as text; empty when it is not set. */
export function fieldText(message: ReflectMessage, field: DescField, saying: Saying): string {
  if (!message.isSet(field)) return "";
  if (field.fieldKind === "list") return [...message.get(field)].map((item) => oneText(field, item, saying)).join(", ");
  if (field.fieldKind === "map")
    return [...message.get(field)].map(([key, value]) => `${String(key)}: ${oneText(field, value, saying)}`).join(", ");
  return oneText(field, message.get(field), saying);
}

/** One value of a field, of a list's item or of a map's entry. */
export function oneText(field: DescField, value: unknown, saying: Saying): string {
  if (field.enum !== undefined) return value === 0 ? "" : saying.translate(numberWords(field.enum, value as number));
  if (field.message !== undefined) return messageText(value as ReflectMessage, saying);
  if (typeof value === "boolean") return saying.translate(value ? "Yes" : "No");
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return typeof value === "bigint" || typeof value === "number"
    ? new Intl.NumberFormat(saying.locale).format(value)
    : String(value);
}

/** A message as text: leaves in the locale's format, others as their values in order. */
export function messageText(message: ReflectMessage, saying: Saying): string {
  const part = (name: string) => {
    const found = message.fields.find((one) => one.name === name);
    return found === undefined ? undefined : message.get(found);
  };
  switch (leafOf(message.desc)) {
    case "timestamp":
      return new Intl.DateTimeFormat(saying.locale, { dateStyle: "medium", timeStyle: "medium" }).format(
        Number(part("seconds") as bigint) * 1000,
      );
    case "date":
      // A masked day has its year alone.
      if (part("month") === 0) return String(part("year"));
      return new Intl.DateTimeFormat(saying.locale, { dateStyle: "medium", timeZone: "UTC" }).format(
        Date.UTC(part("year") as number, (part("month") as number) - 1, part("day") as number),
      );
    case "money":
      return moneyText(message, saying.locale);
    case "wrapper": {
      const [only] = message.fields;
      return only === undefined ? "" : oneText(only, message.get(only), saying);
    }
    case "duration":
    case "json":
      return JSON.stringify(toJson(message.desc, message.message, { registry: saying.registry })).replaceAll('"', "");
    default:
      return message.fields
        .filter((field) => !isSecret(field))
        .map((field) => fieldText(message, field, saying))
        .filter((text) => text !== "")
        .join(" · ");
  }
}

/** Of items in several languages the one in the reader's, else the first. */
export function forReader(items: readonly ReflectMessage[], saying: Saying): ReflectMessage | undefined {
  const wanted = saying.locale.replace("-", "_");
  const inLocale = items.find((item) => {
    const locale = item.fields.find(({ name }) => name === "locale");
    return (
      locale?.enum !== undefined && enumSpelling(locale.enum, item.get(locale) as number).replace("-", "_") === wanted
    );
  });
  return inLocale ?? items[0];
}

function moneyText(message: ReflectMessage, locale: string): string {
  const [currency, amount] = message.fields;
  if (currency?.enum === undefined || amount === undefined) return "";
  const code = enumSpelling(currency.enum, message.get(currency) as number);
  const minor = minorText(message.get(amount) as bigint);
  if (!/^[A-Z]{3}$/.test(code)) return minor;
  return new Intl.NumberFormat(locale, { style: "currency", currency: code, currencyDisplay: "narrowSymbol" }).format(
    minor as Intl.StringNumericLiteral,
  );
}

/** A value that differs between two versions of a message. */
export interface Difference {
  readonly path: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Fields that every change changes, left out of the comparison. */
const ALWAYS = new Set(["version", "updated_at"]);

/** The differences between two versions, value by value. */
export function differences(
  desc: DescMessage,
  before: Message | undefined,
  after: Message | undefined,
  saying: Saying,
): Difference[] {
  const [old, now] = [before, after].map((message) => flat(desc, message, saying));
  const paths = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
  return paths
    .map((path) => ({
      path,
      label: (now?.get(path) ?? old?.get(path))?.label ?? path,
      before: old?.get(path)?.text ?? "",
      after: now?.get(path)?.text ?? "",
    }))
    .filter((one) => one.before !== one.after && !ALWAYS.has(one.path));
}

function flat(
  desc: DescMessage,
  message: Message | undefined,
  saying: Saying,
): Map<string, { label: string; text: string }> {
  const values = new Map<string, { label: string; text: string }>();
  const visit = (one: ReflectMessage, path: string, label: string) => {
    for (const field of one.fields) {
      if (!one.isSet(field) || isSecret(field)) continue;
      const at = path === "" ? field.name : `${path}.${field.name}`;
      const called = `${label === "" ? "" : `${label} › `}${saying.translate(fieldLabel(field))}`;
      if (field.fieldKind === "list" && field.message !== undefined && leafOf(field.message) === undefined) {
        [...one.get(field)].forEach((item, index) =>
          visit(item as ReflectMessage, `${at}[${index}]`, `${called} ${index + 1}`),
        );
      } else if (field.fieldKind === "message" && leafOf(field.message) === undefined) {
        visit(one.get(field) as ReflectMessage, at, called);
      } else {
        values.set(at, { label: called, text: fieldText(one, field, saying) });
      }
    }
  };
  if (message !== undefined) visit(reflect(desc, message, false), "", "");
  return values;
}
