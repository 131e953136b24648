import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { decodeCart, emptyCart, encodeCart } from "@pavise/rules/cart.ts";
import { expect, test } from "vitest";
import { cartPeriod, toggled, withPeriod, withSupplement } from "./catalog.ts";

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
