import { expect, test } from "vitest";
import {
  featureKeys,
  findProduct,
  listPriceTiers,
  selectProduct,
  selectTier,
  type ProductChoice,
} from "./selection.ts";

const product = (
  id: string,
  group: string,
  tiers: ProductChoice["tiers"],
  where: Partial<ProductChoice> = {},
): ProductChoice => ({
  id,
  group,
  tiers,
  countries: [],
  markets: [],
  localities: [],
  ...where,
});
const monthly = (id: string, initial: bigint, renewal?: bigint) => ({
  id,
  name: id,
  prices: [{ billingPeriod: "MONTHLY", initial, renewal }] as const,
});

const legal = product("legal", "LEGAL", [monthly("Family", 2995n, 2495n), monthly("Individual", 2495n, 2595n)]);
const texan = product("texan", "LEGAL", [monthly("Individual", 1995n)], {
  localities: ["TX"],
  countries: ["USA"],
  markets: ["Consumer"],
});
const identity = product("identity", "IDENTITY", [
  monthly("Standard", 1495n),
  monthly("Plus 3B", 2195n),
  monthly("Family 3B", 1995n),
  { id: "Yearly", name: "Yearly", prices: [{ billingPeriod: "ANNUAL", initial: 100n }] },
]);

test("a product is found by group and tier name, in the locality when one is named", () => {
  const offers = [
    { id: "texas", localities: ["TX"], products: [texan] },
    { id: "all", localities: [], products: [legal, identity] },
  ];
  expect(findProduct(offers, "LEGAL", "Individual")?.product.id).toBe("texan");
  expect(findProduct(offers, "LEGAL", "Individual", "OK")?.product.id).toBe("legal");
  expect(findProduct(offers, "LEGAL", "Family", "TX")?.offer.id).toBe("all");
  expect(findProduct(offers, "IDENTITY", "Individual")).toBeUndefined();
});

test("price tiers rise by initial or by renewal price", () => {
  const query = { billingPeriod: "MONTHLY", country: "USA", market: "Consumer" } as const;
  const names = (by: "initial" | "renewal") => listPriceTiers([legal], { ...query, by }).map(({ tier }) => tier.name);
  expect(names("initial")).toEqual(["Individual", "Family"]);
  expect(names("renewal")).toEqual(["Family", "Individual"]);
});

test("only tiers with a price in the period, of products available there, are listed", () => {
  const all = [legal, texan, identity];
  const list = (query: Partial<Parameters<typeof listPriceTiers>[1]>) =>
    listPriceTiers(all, { billingPeriod: "MONTHLY", by: "initial", country: "USA", market: "Consumer", ...query }).map(
      ({ product: { id }, tier }) => `${id}/${tier.name}`,
    );
  expect(list({ billingPeriod: "ANNUAL" })).toEqual(["identity/Yearly"]);
  expect(list({})).toContain("texan/Individual");
  expect(list({ country: "CAN" })).not.toContain("texan/Individual");
  expect(list({ market: "Group" })).not.toContain("texan/Individual");
  expect(list({ region: "OK" })).not.toContain("texan/Individual");
  expect(list({ region: "TX" })).toContain("texan/Individual");
});

test("the cheapest monthly tier is selected, unless one is preferred or only 3B counts", () => {
  expect(selectTier(identity)?.name).toBe("Standard");
  expect(selectTier(identity, { name: "Plus 3B" })?.name).toBe("Plus 3B");
  expect(selectTier(identity, { name: "No such" })?.name).toBe("Standard");
  expect(selectTier(identity, { only3B: true })?.name).toBe("Family 3B");
  expect(selectTier(identity, { name: "Standard", only3B: true })?.name).toBe("Family 3B");
  expect(selectTier(product("none", "X", []))).toBeUndefined();
});

test("the cheapest product of a group is selected where it is sold", () => {
  expect(selectProduct([legal, texan], "LEGAL", "TX")?.id).toBe("texan");
  expect(selectProduct([legal, texan], "LEGAL", "OK")?.id).toBe("legal");
  expect(selectProduct([legal, texan], "IDENTITY", "OK")).toBeUndefined();
});

test("businessPlus in the Legal family is a home business feature", () => {
  expect(featureKeys("Legal", "businessPlus")).toEqual(["homeBusiness_v4", "homeBusiness_v2"]);
  expect(featureKeys("Identity", "businessPlus")).toEqual(["businessPlus"]);
  expect(featureKeys("Legal", "gunOwners")).toEqual(["gunOwners"]);
});
