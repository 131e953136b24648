// Compiles a draft into a message or a list of faults. An invalid draft is never sent.
import {
  create,
  fromJson,
  isFieldSet,
  ScalarType,
  toJson,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { key as inWords } from "@pavise/i18n/key.ts";
import { brokenPattern, brokenRule } from "@pavise/rules/violation.ts";
import { matches, type Constraints } from "./constraints.ts";
import { asList, asMap, asMessage, newKey, type Draft, type DraftMessage } from "./draft.ts";
import { leafOf } from "./leaves.ts";
import { minorText } from "./minor.ts";
import { localOf, momentOf } from "./time.ts";

/** The fault at a path. The code is a translation key with `{limit}` in it. */
export interface Fault {
  readonly path: string;
  readonly code: string;
  readonly limit?: string | undefined;
}

/** A message, or the faults that prevent it. */
export type Compiled =
  | { readonly message: Message; readonly faults: readonly [] }
  | { readonly message: undefined; readonly faults: readonly Fault[] };

/** The contract's parts that a compilation needs. */
export interface CompileContext {
  readonly registry: Registry;
  readonly constraints: (field: DescField) => Constraints;
}

/** The texts of faults in English; they are the translation keys too. */
export const FAULTS = {
  required: inWords("This is needed."),
  number: inWords("This is not a whole number."),
  decimal: inWords("This is not a number."),
  range: inWords("This is too large for the field."),
  least: inWords("The least is {limit}."),
  most: inWords("The most is {limit}."),
  tooShort: inWords("At least {limit} characters."),
  tooLong: inWords("At most {limit} characters."),
  pattern: inWords("This does not have the expected form."),
  characters: inWords("Use only these characters: {limit}"),
  begins: inWords("Begin with one of these characters: {limit}"),
  email: inWords("Write an address such as ada@example.com."),
  choice: inWords("Choose one of the values that are offered."),
  tooFew: inWords("At least {limit}."),
  tooMany: inWords("At most {limit}."),
  twice: inWords("This is there twice."),
  date: inWords("This is not a day: write 2026-03-31."),
  moment: inWords("This is not a time on these clocks."),
  duration: inWords("Write seconds, such as 90s."),
  json: inWords("This cannot be read as JSON."),
  bytes: inWords("This is not base64."),
  currency: inWords("Choose a currency."),
} as const;

/** A fault that the server found: a rule in the app's words, else in the server's. */
export function faultOf({ path, description }: { readonly path: string; readonly description: string }): Fault {
  const broken = brokenRule(description);
  return broken === undefined ? { path, code: description } : { path, code: FAULTS[broken.rule], limit: broken.limit };
}

/** Makes the message of a draft. */
export function compile(desc: DescMessage, draft: Draft, context: CompileContext): Compiled {
  const faults: Fault[] = [];
  const message = fill(desc, asMessage(draft), "", {
    ...context,
    fault: (path, code, limit) => void faults.push({ path, code, limit }),
  });
  return faults.length === 0 ? { message: message.message, faults: [] } : { message: undefined, faults };
}

type Filling = CompileContext & { readonly fault: (path: string, code: string, limit?: string) => void };

function fill(desc: DescMessage, draft: DraftMessage, path: string, filling: Filling): ReflectMessage {
  const message = reflect(desc, create(desc), false);
  for (const field of desc.fields) {
    const at = path === "" ? field.name : `${path}.${field.name}`;
    const value = draft[field.localName];
    if (isBlank(value, field)) {
      if (filling.constraints(field).required) filling.fault(at, FAULTS.required);
      // An empty value of a field with presence is kept: it was set on purpose.
      if (value === undefined || !keepsEmpty(field)) continue;
    }
    setField(message, field, value, at, filling);
  }
  return message;
}

/** Whether the value is empty, as in a field that was not filled in. */
function isBlank(value: Draft, field: DescField): boolean {
  if (value === undefined || value === "") return true;
  if (field.fieldKind === "list") return asList(value).items.length === 0;
  if (field.fieldKind === "map") return asMap(value).entries.length === 0;
  return field.fieldKind === "enum" && value === "0";
}

function keepsEmpty(field: DescField): boolean {
  return (
    field.presence === 1 && (field.fieldKind === "enum" || (field.fieldKind === "scalar" && isTextual(field.scalar)))
  );
}

function isTextual(type: ScalarType): boolean {
  return type === ScalarType.STRING || type === ScalarType.BYTES;
}

function setField(message: ReflectMessage, field: DescField, value: Draft, path: string, filling: Filling): void {
  const rules = filling.constraints(field);
  if (field.fieldKind === "list") {
    const items = asList(value).items;
    countItems(items.length, rules, path, filling);
    const seen = new Set<string>();
    items.forEach((item, index) => {
      const at = `${path}[${index}]`;
      const said = JSON.stringify(item.value);
      if (rules.unique === true && seen.has(said)) filling.fault(at, FAULTS.twice);
      seen.add(said);
      const made = single(field, item.value, at, rules.items ?? { required: false }, filling);
      if (made !== undefined) message.get(field).add(made as never);
    });
  } else if (field.fieldKind === "map") {
    const seen = new Set<string>();
    for (const { name, value: entry } of asMap(value).entries) {
      const at = `${path}["${name}"]`;
      if (seen.has(name)) filling.fault(at, FAULTS.twice);
      seen.add(name);
      const key =
        field.mapKey === ScalarType.STRING ? name : scalar(field.mapKey, name, at, { required: false }, filling);
      const made = single(field, entry, at, { required: false }, filling);
      if (key !== undefined && made !== undefined) message.get(field).set(key as never, made as never);
    }
  } else {
    const made = single(field, value, path, rules, filling);
    if (made !== undefined) message.set(field, made as never);
  }
}

function countItems(count: number, rules: Constraints, path: string, filling: Filling): void {
  if (rules.minItems !== undefined && count < rules.minItems)
    filling.fault(path, FAULTS.tooFew, String(rules.minItems));
  if (rules.maxItems !== undefined && count > rules.maxItems)
    filling.fault(path, FAULTS.tooMany, String(rules.maxItems));
}

/** One value of a field, of a list's item or of a map's entry. */
function single(field: DescField, value: Draft, path: string, rules: Constraints, filling: Filling): unknown {
  if (field.message !== undefined) return messageValue(field.message, value, path, filling);
  if (field.enum !== undefined) return enumValue(value, path, rules, filling);
  return field.scalar === undefined ? undefined : scalar(field.scalar, value, path, rules, filling);
}

function enumValue(value: Draft, path: string, rules: Constraints, filling: Filling): number {
  const number = Number(typeof value === "string" && value !== "" ? value : 0);
  if (number === 0 && rules.required) filling.fault(path, FAULTS.required);
  return number;
}

const INTEGERS: Partial<Record<ScalarType, readonly [bigint, bigint]>> = Object.fromEntries(
  [
    [[ScalarType.INT32, ScalarType.SINT32, ScalarType.SFIXED32], -(2n ** 31n), 2n ** 31n - 1n],
    [[ScalarType.UINT32, ScalarType.FIXED32], 0n, 2n ** 32n - 1n],
    [[ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64], -(2n ** 63n), 2n ** 63n - 1n],
    [[ScalarType.UINT64, ScalarType.FIXED64], 0n, 2n ** 64n - 1n],
  ].flatMap(([types, least, most]) => (types as ScalarType[]).map((type) => [type, [least, most]])),
);

const WIDE = new Set([ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64, ScalarType.UINT64, ScalarType.FIXED64]);

function scalar(type: ScalarType, value: Draft, path: string, rules: Constraints, filling: Filling): unknown {
  if (type === ScalarType.BOOL) return value === true || value === "true";
  const text = typeof value === "string" ? value : "";
  if (type === ScalarType.STRING) {
    checkText(text, path, rules, filling);
    return text;
  }
  if (type === ScalarType.BYTES) {
    try {
      return base64Decode(text);
    } catch {
      filling.fault(path, FAULTS.bytes);
      return undefined;
    }
  }
  const limits = INTEGERS[type];
  if (limits === undefined) return decimal(text, path, rules, filling);
  if (!/^[+-]?\d+$/.test(text.trim())) {
    filling.fault(path, FAULTS.number);
    return undefined;
  }
  const number = BigInt(text.trim().replace(/^\+/, ""));
  if (number < limits[0] || number > limits[1]) filling.fault(path, FAULTS.range);
  else bounds(number, path, rules, filling);
  return WIDE.has(type) ? number : Number(number);
}

function decimal(text: string, path: string, rules: Constraints, filling: Filling): number | undefined {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isNaN(number) && text.trim() !== "NaN") {
    filling.fault(path, FAULTS.decimal);
    return undefined;
  }
  bounds(number, path, rules, filling);
  return number;
}

function bounds(number: bigint | number, path: string, { least, most }: Constraints, filling: Filling): void {
  if (least !== undefined && number < least) filling.fault(path, FAULTS.least, String(least));
  if (most !== undefined && number > most) filling.fault(path, FAULTS.most, String(most));
}

function checkText(text: string, path: string, rules: Constraints, filling: Filling): void {
  const length = [...text].length;
  if (rules.minLength !== undefined && length < rules.minLength)
    filling.fault(path, FAULTS.tooShort, String(rules.minLength));
  if (rules.maxLength !== undefined && length > rules.maxLength)
    filling.fault(path, FAULTS.tooLong, String(rules.maxLength));
  if (rules.pattern !== undefined && !matches(rules.pattern, text)) {
    const { rule, limit } = brokenPattern(rules.pattern, text);
    filling.fault(path, FAULTS[rule], limit);
  }
}

function messageValue(desc: DescMessage, value: Draft, path: string, filling: Filling): ReflectMessage | undefined {
  const leaf = leafOf(desc);
  if (leaf === undefined) return fill(desc, asMessage(value), path, filling);
  const message = reflect(desc, create(desc), false);
  const set = (name: string, part: unknown) => {
    const field = desc.fields.find((one) => one.name === name);
    if (field !== undefined) message.set(field, part as never);
  };
  switch (leaf) {
    case "wrapper": {
      const field = desc.fields[0];
      if (field?.fieldKind !== "scalar") return undefined;
      const made = scalar(field.scalar, value, path, { required: false }, filling);
      if (made === undefined) return undefined;
      message.set(field, made as never);
      return message;
    }
    case "timestamp": {
      const { local = "", zone = "UTC" } = asMessage(value) as { local?: string; zone?: string };
      const moment = momentOf(local, zone);
      if (moment === undefined) return void filling.fault(path, FAULTS.moment);
      set("seconds", moment.seconds);
      set("nanos", moment.nanos);
      return message;
    }
    case "date": {
      const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typeof value === "string" ? value : "");
      if (match === null || momentOf(`${match[0]}T00:00`, "UTC") === undefined)
        return void filling.fault(path, FAULTS.date);
      ["year", "month", "day"].forEach((name, index) => set(name, Number(match[index + 1])));
      return message;
    }
    case "money":
      return money(message, asMessage(value), path, filling, set);
    default:
      return fromText(desc, typeof value === "string" ? value : "", leaf, path, filling);
  }
}

function money(
  message: ReflectMessage,
  draft: DraftMessage,
  path: string,
  filling: Filling,
  set: (name: string, part: unknown) => void,
): ReflectMessage | undefined {
  const currency = Number(draft["currency"] ?? 0);
  const text = typeof draft["amount"] === "string" ? draft["amount"].trim() : "";
  const match = /^([+-]?)(\d+)(?:\.(\d{1,2}))?$/.exec(text);
  if (match === null) return void filling.fault(path, text === "" ? FAULTS.required : FAULTS.decimal);
  if (currency === 0) return void filling.fault(path, FAULTS.currency);
  const minor = BigInt(match[2] ?? "0") * 100n + BigInt((match[3] ?? "").padEnd(2, "0"));
  if (minor > 2n ** 63n - 1n) return void filling.fault(path, FAULTS.range);
  set("currency", currency);
  set("amount", match[1] === "-" ? -minor : minor);
  return message;
}

function fromText(
  desc: DescMessage,
  text: string,
  leaf: "duration" | "json",
  path: string,
  filling: Filling,
): ReflectMessage | undefined {
  try {
    const json = (leaf === "json" ? JSON.parse(text) : text.trim()) as JsonValue;
    return reflect(desc, fromJson(desc, json, { registry: filling.registry }), false);
  } catch {
    return void filling.fault(path, leaf === "json" ? FAULTS.json : FAULTS.duration);
  }
}

/** The draft of a message, the start of a form. `compile` makes the same message from it. */
export function draftOf(desc: DescMessage, message: Message, registry: Registry): DraftMessage {
  return readMessage(reflect(desc, message, false), registry);
}

function readMessage(message: ReflectMessage, registry: Registry): DraftMessage {
  const draft: Record<string, Draft> = {};
  for (const field of message.fields) {
    if (!isFieldSet(message.message, field)) continue;
    if (field.fieldKind === "list") {
      draft[field.localName] = {
        items: [...message.get(field)].map((item) => ({ key: newKey(), value: read(field, item, registry) })),
      };
    } else if (field.fieldKind === "map") {
      draft[field.localName] = {
        entries: [...message.get(field)].map(([name, value]) => ({
          key: newKey(),
          name: String(name),
          value: read(field, value, registry),
        })),
      };
    } else {
      draft[field.localName] = read(field, message.get(field), registry);
    }
  }
  return draft;
}

function read(field: DescField, value: unknown, registry: Registry): Draft {
  if (field.message !== undefined) return readLeaf(value as ReflectMessage, registry);
  if (typeof value === "boolean") return value;
  return value instanceof Uint8Array ? base64Encode(value) : String(value);
}

function readLeaf(message: ReflectMessage, registry: Registry): Draft {
  const part = (name: string) => {
    const field = message.fields.find((one) => one.name === name);
    return field === undefined ? undefined : message.get(field);
  };
  switch (leafOf(message.desc)) {
    case undefined:
      return readMessage(message, registry);
    case "wrapper": {
      const [field] = message.fields;
      return field === undefined ? undefined : read(field, message.get(field), registry);
    }
    case "timestamp":
      return { local: localOf(part("seconds") as bigint, part("nanos") as number, "UTC"), zone: "UTC" };
    case "date":
      return [
        String(part("year")).padStart(4, "0"),
        ...[part("month"), part("day")].map((one) => String(one).padStart(2, "0")),
      ].join("-");
    case "money":
      return { currency: String(part("currency")), amount: minorText(part("amount") as bigint) };
    case "duration":
      return String(toJson(message.desc, message.message, { registry }));
    case "json":
      return JSON.stringify(toJson(message.desc, message.message, { registry }));
  }
}
