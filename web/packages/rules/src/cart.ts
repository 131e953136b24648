// The cart of the purchase flow is one encoded query parameter of the page's address (001 §3, §5).
//
// The parameter's name and encoding are ours: `cart`, JSON as base64url. Default values are not written.
import type { BillingPeriod } from "./billing-period.ts";
import { currencyOf, type CurrencyCode } from "./currency.ts";

/** The name of the query parameter. */
export const CART_PARAMETER = "cart";

/** A person to cover besides the buyer. */
export interface CartPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly type: string;
}

/** The buyer, or the business. */
export interface CartParty {
  readonly address: { readonly address1: string; readonly locality: string; readonly postalCode: string };
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nationalIdentifier: string;
  readonly phoneNumber: string;
  readonly phoneType: string;
}

/** The content of the cart. Products, tiers and supplements are ids. */
export interface Cart {
  readonly additionalInfo: {
    readonly authorizedUsers: readonly CartPerson[];
    readonly authorizedUsersAssociate: readonly CartPerson[];
    readonly authorizedUsersSMB: readonly CartPerson[];
  };
  readonly bundles: readonly string[];
  readonly businessInfo: CartParty;
  readonly personalInfo: CartParty;
  readonly products: readonly string[];
  readonly region: string;
  readonly supplementOptions: Readonly<Record<string, string>>;
  /** The chosen supplements of each product. */
  readonly supplements: Readonly<Record<string, readonly string[]>>;
  /** The chosen tier of each product. */
  readonly tiers: Readonly<Record<string, string>>;
  readonly productOptions?: Readonly<Record<string, string>>;
  /** The billing period of each product. */
  readonly billingPeriods?: Readonly<Record<string, BillingPeriod>>;
  readonly locale?: string;
  readonly currency?: CurrencyCode;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** An empty cart. */
export function emptyCart(): Cart {
  const party: CartParty = {
    address: { address1: "", locality: "", postalCode: "" },
    email: "",
    firstName: "",
    lastName: "",
    nationalIdentifier: "",
    phoneNumber: "",
    phoneType: "cell",
  };
  return {
    additionalInfo: { authorizedUsers: [], authorizedUsersAssociate: [], authorizedUsersSMB: [] },
    bundles: [],
    businessInfo: party,
    personalInfo: party,
    products: [],
    region: "",
    supplementOptions: {},
    supplements: {},
    tiers: {},
  };
}

/** The cart without personal data: an address is kept, shared and logged. */
export function withoutPersons(cart: Cart): Cart {
  const { additionalInfo, businessInfo, personalInfo } = emptyCart();
  return { ...cart, additionalInfo, businessInfo, personalInfo };
}

/** The value of the parameter; empty for a cart of default values. */
export function encodeCart(cart: Cart): string {
  const selected = {
    ...cart,
    billingPeriods: pickKeys(cart.billingPeriods ?? {}, new Set(cart.products)),
    // The locale's own currency is the default and is not written.
    currency: cart.currency === currencyOf(cart.locale) ? undefined : cart.currency,
  };
  const kept = dropDefaults(selected as unknown as Json, emptyCart() as unknown as Json);
  return kept === undefined ? "" : base64url(JSON.stringify(kept));
}

/** The cart of a parameter's value. Parts that are unreadable or of another shape become defaults. */
export function decodeCart(value: string | null | undefined): Cart {
  if (value === null || value === undefined || value === "") return emptyCart();
  let parsed: unknown;
  try {
    parsed = JSON.parse(fromBase64url(value));
  } catch {
    return emptyCart();
  }
  return isRecord(parsed) ? readCart(parsed) : emptyCart();
}

/** The differences from the defaults; undefined without a difference. Empty texts, lists and parts are defaults too. */
function dropDefaults(value: Json | undefined, initial: Json | undefined): Json | undefined {
  if (value === undefined || value === null || value === "" || value === initial) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (typeof value !== "object") return value;
  const defaults = isRecord(initial) ? initial : {};
  const kept = Object.entries(value)
    .map(([key, part]) => [key, dropDefaults(part, defaults[key] as Json | undefined)] as const)
    .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function pickKeys<Value>(record: Readonly<Record<string, Value>>, keys: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.has(key)));
}

function readCart(from: Record<string, unknown>): Cart {
  const people = isRecord(from["additionalInfo"]) ? from["additionalInfo"] : {};
  const text = (name: string) => (typeof from[name] === "string" ? from[name] : undefined);
  const locale = text("locale");
  const currency = text("currency");
  return {
    additionalInfo: {
      authorizedUsers: readPeople(people["authorizedUsers"]),
      authorizedUsersAssociate: readPeople(people["authorizedUsersAssociate"]),
      authorizedUsersSMB: readPeople(people["authorizedUsersSMB"]),
    },
    bundles: readTexts(from["bundles"]),
    businessInfo: readParty(from["businessInfo"]),
    personalInfo: readParty(from["personalInfo"]),
    products: readTexts(from["products"]),
    region: text("region") ?? "",
    supplementOptions: readMap(from["supplementOptions"], asText),
    supplements: readMap(from["supplements"], (list) => (Array.isArray(list) ? readTexts(list) : undefined)),
    tiers: readMap(from["tiers"], asText),
    ...(from["productOptions"] === undefined ? {} : { productOptions: readMap(from["productOptions"], asText) }),
    ...(from["billingPeriods"] === undefined
      ? {}
      : { billingPeriods: readMap(from["billingPeriods"], asText) as Record<string, BillingPeriod> }),
    ...(locale === undefined ? {} : { locale }),
    ...(currency === "USD" || currency === "CAD" ? { currency } : {}),
  };
}

function readParty(from: unknown): CartParty {
  const initial = emptyCart().personalInfo;
  if (!isRecord(from)) return initial;
  const given = readMap(from, asText);
  const address = readMap(from["address"], asText);
  return {
    address: {
      address1: address["address1"] ?? "",
      locality: address["locality"] ?? "",
      postalCode: address["postalCode"] ?? "",
    },
    email: given["email"] ?? "",
    firstName: given["firstName"] ?? "",
    lastName: given["lastName"] ?? "",
    nationalIdentifier: given["nationalIdentifier"] ?? "",
    phoneNumber: given["phoneNumber"] ?? "",
    phoneType: given["phoneType"] ?? initial.phoneType,
  };
}

function readPeople(from: unknown): CartPerson[] {
  if (!Array.isArray(from)) return [];
  return from.filter(isRecord).map((person) => {
    const { firstName = "", lastName = "", type = "" } = readMap(person, asText);
    return { firstName, lastName, type };
  });
}

function readTexts(from: unknown): string[] {
  return Array.isArray(from) ? from.filter((one) => typeof one === "string") : [];
}

function readMap<Value>(from: unknown, read: (value: unknown) => Value | undefined): Record<string, Value> {
  if (!isRecord(from)) return {};
  return Object.fromEntries(
    Object.entries(from)
      .map(([key, value]) => [key, read(value)] as const)
      .filter((entry): entry is readonly [string, Value] => entry[1] !== undefined && entry[0] !== "__proto__"),
  );
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(value: string): string {
  const binary = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (one) => one.codePointAt(0) ?? 0));
}
