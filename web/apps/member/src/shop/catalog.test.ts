import { create } from "@bufbuild/protobuf";
import { OfferSchema, OfferType } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { ProductSchema } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { decodeCart, emptyCart, encodeCart } from "@pavise/rules/cart.ts";
import { expect, test } from "vitest";
import { cartPeriod, choices, joinPlans, toggled, withPeriod, withSupplement } from "./catalog.ts";
import { onTrial } from "./trials.ts";

const chosen = toggled(emptyCart(), "legal", "family");

test("a size is chosen, changed and given back", () => {
  expect(chosen.tiers).toEqual({ legal: "family" });
  expect(toggled(chosen, "legal", "individual").tiers).toEqual({ legal: "individual" });
  expect(toggled(chosen, "legal", "family").products).toEqual([]);
});

test("another size begins without the supplements of the one before", () => {
  const added = withSupplement(chosen, "legal", "ride-share", true);
  expect(added.supplements).toEqual({ legal: ["ride-share"] });
  expect(withSupplement(added, "legal", "ride-share", false).supplements).toEqual({});
  expect(toggled(added, "legal", "individual").supplements).toEqual({});
});

test("the billing period goes through the address, also while nothing is chosen", () => {
  const annual = withPeriod(emptyCart(), BillingPeriod.ANNUAL);
  expect(cartPeriod(decodeCart(encodeCart(annual)))).toBe(BillingPeriod.ANNUAL);
  expect(toggled(annual, "legal", "family").billingPeriods).toEqual({ legal: "ANNUAL" });
  expect(cartPeriod(withPeriod(annual, BillingPeriod.MONTHLY))).toBe(BillingPeriod.MONTHLY);
});

function offer(id: string, type: OfferType, tierIds: string[]) {
  return create(OfferSchema, { id, type, products: [{ productId: "legal", tierIds }] });
}

test("what is on trial comes last, and only as far as nothing else sells it", () => {
  const products = [create(ProductSchema, { id: "legal", tiers: [{ id: "family" }, { id: "shield" }] })];
  const trial = offer("trial", OfferType.EXPERIMENTAL, ["family", "shield"]);
  const plans = joinPlans([trial, offer("usual", OfferType.STANDARD, ["family"])], products);
  expect(plans.map((plan) => plan.offer.id)).toEqual(["usual", "trial"]);
  expect(onTrial(plans).map(({ tiers }) => tiers.map(({ id }) => id))).toEqual([["shield"]]);
  const bought = (tier: string) => choices(toggled(emptyCart(), "legal", tier), plans).map(({ offerId }) => offerId);
  expect(bought("family")).toEqual(["usual"]);
  expect(bought("shield")).toEqual(["trial"]);
  expect(bought("gone")).toEqual([]);
});
