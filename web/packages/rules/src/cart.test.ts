import { expect, test } from "vitest";
import { decodeCart, emptyCart, encodeCart, withoutPersons, type Cart } from "./cart.ts";

/** The parameter's JSON, decoded. */
const written = (cart: Cart) => {
  const value = encodeCart(cart);
  return value === "" ? undefined : JSON.parse(Buffer.from(value, "base64url").toString("utf8"));
};

const full: Cart = {
  additionalInfo: {
    authorizedUsers: [{ firstName: "Zoë", lastName: "Ünal", type: "SPOUSE" }],
    authorizedUsersAssociate: [],
    authorizedUsersSMB: [{ firstName: "Max", lastName: "Roe", type: "CO_OWNER" }],
  },
  bundles: ["family-bundle"],
  businessInfo: { ...emptyCart().businessInfo, email: "shop@example.com" },
  personalInfo: {
    ...emptyCart().personalInfo,
    firstName: "Ada",
    address: { address1: "1 Main St", locality: "TX", postalCode: "75001" },
  },
  products: ["legal", "identity"],
  region: "TX",
  supplementOptions: { identity: "two-adults" },
  supplements: { legal: ["gunOwners"], identity: [] },
  tiers: { legal: "individual", identity: "family" },
  productOptions: { legal: "online" },
  billingPeriods: { legal: "ANNUAL", identity: "MONTHLY" },
  locale: "fr-CA",
  currency: "USD",
};

test("an untouched cart is no parameter at all", () => {
  expect(encodeCart(emptyCart())).toBe("");
  expect(decodeCart("")).toEqual(emptyCart());
});

test("a cart comes back as it went, but for empty supplement lists", () => {
  expect(decodeCart(encodeCart(full))).toEqual({ ...full, supplements: { legal: ["gunOwners"] } });
});

test("the value needs no escaping in an address", () => {
  expect(encodeCart(full)).toMatch(/^[A-Za-z0-9_-]+$/);
});

test("empty and default parts are dropped", () => {
  expect(written({ ...emptyCart(), products: ["legal"], region: "TX" })).toEqual({ products: ["legal"], region: "TX" });
  expect(
    written({ ...emptyCart(), personalInfo: { ...emptyCart().personalInfo, firstName: "Ada", phoneType: "cell" } }),
  ).toEqual({
    personalInfo: { firstName: "Ada" },
  });
});

test("another phone type than the default is kept", () => {
  const cart = { ...emptyCart(), personalInfo: { ...emptyCart().personalInfo, phoneType: "work" } };
  expect(decodeCart(encodeCart(cart)).personalInfo.phoneType).toBe("work");
});

test("billing periods of products that are not selected are dropped", () => {
  const cart: Cart = { ...emptyCart(), products: ["legal"], billingPeriods: { legal: "ANNUAL", identity: "WEEKLY" } };
  expect(written(cart)).toEqual({ products: ["legal"], billingPeriods: { legal: "ANNUAL" } });
  expect(encodeCart({ ...emptyCart(), billingPeriods: { legal: "ANNUAL" } })).toBe("");
});

test("empty supplement lists are dropped", () => {
  expect(written({ ...emptyCart(), supplements: { legal: [], identity: ["a"] } })).toEqual({
    supplements: { identity: ["a"] },
  });
  expect(encodeCart({ ...emptyCart(), supplements: { legal: [] } })).toBe("");
});

test("the currency follows the locale unless it is chosen", () => {
  expect(encodeCart({ ...emptyCart(), currency: "USD" })).toBe("");
  expect(written({ ...emptyCart(), locale: "fr-CA", currency: "CAD" })).toEqual({ locale: "fr-CA" });
});

test("what says who somebody is can be left out of the address", () => {
  const shared = withoutPersons(full);
  expect(JSON.stringify(written(shared))).not.toMatch(/Ada|Zoë|Main St|example\.com|Max/);
  expect(shared.products).toEqual(full.products);
});

test.each(["%", "AAAA", "bnVsbA", "W10", "eyJwcm9kdWN0cyI6NX0", "x".repeat(5000)])(
  "rubbish is an empty cart: %s",
  (value) => {
    expect(decodeCart(value)).toEqual(emptyCart());
  },
);

test("parts of a wrong shape are left out", () => {
  const value = Buffer.from(
    JSON.stringify({ products: ["a", 5], tiers: { a: 1, b: "x" }, currency: "EUR", additionalInfo: 3 }),
  ).toString("base64url");
  expect(decodeCart(value)).toEqual({ ...emptyCart(), products: ["a"], tiers: { b: "x" } });
});
