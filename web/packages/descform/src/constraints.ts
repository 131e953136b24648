// The contract's validation rules of a field, as far as a form can check them before the server does.
import { getOption, hasOption, toJson, type DescExtension, type DescField, type Registry } from "@bufbuild/protobuf";

/** The checks of one value. */
export interface Constraints {
  readonly required: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly least?: bigint | number;
  readonly most?: bigint | number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly unique?: boolean;
  /** The checks of each item of a list. */
  readonly items?: Constraints;
}

type Json = { readonly [key: string]: Json | string | number | boolean | readonly unknown[] | null | undefined };

const NONE: Constraints = { required: false };

/** Reads constraints of fields from a registry with the validation rules; without those it finds none. */
export function constraintsOf(registry: Registry): (field: DescField) => Constraints {
  const extension = registry.getExtension("buf.validate.field");
  const known = new WeakMap<DescField, Constraints>();
  if (extension === undefined) return () => NONE;
  return (field) => {
    const before = known.get(field);
    if (before !== undefined) return before;
    const read = hasOption(field, extension)
      ? fromRules(rulesOf(field, extension, registry), field.presence === EXPLICIT)
      : NONE;
    known.set(field, read);
    return read;
  };
}

function rulesOf(field: DescField, extension: DescExtension, registry: Registry): Json {
  if (extension.message === undefined) return {};
  const rules = getOption(field, extension as DescExtension & { message: NonNullable<DescExtension["message"]> });
  return toJson(extension.message, rules as never, { registry }) as unknown as Json;
}

/** `presence` of a field that is either set or not: an unset field is not checked. */
const EXPLICIT = 1;

function fromRules(rules: Json, mayBeUnset = false): Constraints {
  const string = part(rules, "string");
  const repeated = part(rules, "repeated");
  const enumeration = part(rules, "enum");
  const number = ["int32", "int64", "uint32", "uint64", "double", "float"]
    .map((name) => part(rules, name))
    .find((one) => one !== undefined);
  const minLength = numberOf(string?.["minLen"]);
  const zeroOut = Array.isArray(enumeration?.["notIn"]) && (enumeration["notIn"] as unknown[]).includes(0);
  const pattern = typeof string?.["pattern"] === "string" ? string["pattern"] : undefined;
  // A pattern that refuses the empty text requires a text, as a least length does.
  const patterned = !mayBeUnset && rules["ignore"] === undefined && pattern !== undefined && !matches(pattern, "");
  const minItems = numberOf(repeated?.["minItems"]);
  const items = part(repeated ?? {}, "items");
  return drop({
    required: rules["required"] === true || zeroOut || (minLength ?? 0) > 0 || (minItems ?? 0) > 0 || patterned,
    minLength,
    maxLength: numberOf(string?.["maxLen"]) ?? numberOf(string?.["maxBytes"]),
    pattern,
    least: bound(number?.["gte"]) ?? after(number?.["gt"], 1),
    most: bound(number?.["lte"]) ?? after(number?.["lt"], -1),
    minItems,
    maxItems: numberOf(repeated?.["maxItems"]),
    unique: repeated?.["unique"] === true ? true : undefined,
    items: items === undefined ? undefined : fromRules(items),
  });
}

/** Whether a text matches. Patterns are RE2's: the server alone checks one that JavaScript cannot read. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

function drop(given: { [Key in keyof Constraints]: Constraints[Key] | undefined }): Constraints {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as Constraints;
}

function part(of: Json, name: string): Json | undefined {
  const value = of[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" || typeof value === "string" ? Number(value) : undefined;
}

/** 64-bit bounds are texts. */
function bound(value: unknown): bigint | number | undefined {
  if (typeof value === "string") return BigInt(value);
  return typeof value === "number" ? value : undefined;
}

function after(value: unknown, by: 1 | -1): bigint | number | undefined {
  const limit = bound(value);
  if (limit === undefined) return undefined;
  return typeof limit === "bigint" ? limit + BigInt(by) : limit + by;
}
