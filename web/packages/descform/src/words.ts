// Names of the contract as words: `payment_method_id` is "Payment method". The words are translation keys too.
import { getOption, hasOption, type DescEnum, type DescEnumValue, type DescField } from "@bufbuild/protobuf";
import { spelling, Tone, value_ui } from "@pavise/schema/pavise/contract/v1/options_pb";

/** Abbreviations in capitals. */
const CAPITALS = new Set([
  "id",
  "ids",
  "api",
  "url",
  "jwt",
  "sms",
  "usa",
  "ip",
  "iin",
  "rest",
  "csv",
  "pdf",
  "csr",
  "pplsi",
]);

/** `payment_method`, `PaymentMethod` or `PAYMENT_METHOD` as "Payment method". */
export function words(name: string): string {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((part) => part.toLowerCase())
    .map((part) => (CAPITALS.has(part) ? part.toUpperCase().replace("IDS", "IDs") : part));
  const text = parts.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The label of a field: its name in words, without "ID" where an entity is meant. */
export function fieldLabel(field: DescField): string {
  if (field.name === "id") return "ID";
  const bare = field.name
    .replace(/([^aeiou])y_ids$/, "$1ies")
    .replace(/_ids$/, "s")
    .replace(/_id$/, "");
  // When another field has the bare name, the label keeps "ID".
  return words(field.parent.fields.some((other) => other !== field && other.name === bare) ? field.name : bare);
}

/** The documented spelling of a value, as in REST, paths and journals. */
export function spellingOf(value: DescEnumValue): string {
  if (hasOption(value, spelling)) return getOption(value, spelling);
  return value.parent.sharedPrefix === undefined
    ? value.name
    : value.name.slice(value.parent.sharedPrefix.length).toUpperCase();
}

/** The documented spelling of an enumeration's value by its number; the number when the value is unknown. */
export function enumSpelling(desc: DescEnum, number: number): string {
  const value = desc.value[number];
  return value === undefined ? String(number) : spellingOf(value);
}

/** A spelling in words: `PARTIALLY_FUNDED` is "Partially funded"; `GroupAdmin`, `USD` and `CA_2` stay what they are. */
export function enumWords(text: string): string {
  return /^([A-Z]{4,}|[A-Z]+(_[A-Z]+)+)$/.test(text) ? words(text) : text;
}

/** The words of a value: those that the contract says, else its spelling in words. */
export function valueWords(value: DescEnumValue): string {
  const said = hasOption(value, value_ui) ? getOption(value, value_ui).words : "";
  return said === "" ? enumWords(spellingOf(value)) : said;
}

/** The words of an enumeration's value by its number; the number when the value is unknown. */
export function numberWords(desc: DescEnum, number: number): string {
  const value = desc.value[number];
  return value === undefined ? String(number) : valueWords(value);
}

/** The words of an enumeration's value by its spelling; the spelling in words when the value is unknown. */
export function spellingWords(desc: DescEnum | undefined, text: string): string {
  const value = desc?.values.find((one) => one.number !== 0 && spellingOf(one) === text);
  return value === undefined ? enumWords(text) : valueWords(value);
}

/** The tone of an enumeration's value by its number. */
export function toneOf(desc: DescEnum, number: number): Tone {
  const value = desc.value[number];
  return value !== undefined && hasOption(value, value_ui) ? getOption(value, value_ui).tone : Tone.UNSPECIFIED;
}

/** The name of an operation as a title: "Purchase order". */
export function title(name: string): string {
  return words(name);
}
