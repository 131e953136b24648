import { create } from "@bufbuild/protobuf";
import { OfferSchema } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { ProductSchema } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { DependentType, GroupEnrollmentSchema } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { expect, test } from "vitest";
import { choices, type Plan } from "../shop/catalog.ts";
import { cartOf, choosable, coveredBy, dependentsOf, offersOf, peopleOf } from "./chosen.ts";

const TIER = { id: "family" } as Plan["tiers"][number];

function plan(offerId: string, productId: string, business = false): Plan {
  const product = create(ProductSchema, { id: productId, business });
  return { offer: create(OfferSchema, { id: offerId }), product, tiers: [TIER], supplements: [] };
}

const enrollment = create(GroupEnrollmentSchema, {
  address: { locality: RegionCode.TX },
  offers: [
    {
      offerId: "employees",
      selections: [
        { productId: "legal", tierId: "family", supplementIds: ["gun"] },
        { productId: "identity", tierId: "family" },
      ],
      billingPeriod: BillingPeriod.MONTHLY,
    },
  ],
  dependents: [
    { id: "1", type: DependentType.SPOUSE, firstName: "Max", lastName: "Stone", email: "max@example.com" },
    { id: "2", type: DependentType.DEPENDENT, firstName: "Eve", lastName: "Stone" },
  ],
});

test("the offers of an enrollment become a cart, and the cart the same offers", () => {
  const plans = [plan("employees", "legal"), plan("employees", "identity")];
  const cart = cartOf(enrollment);
  expect([cart.region, cart.tiers, cart.supplements]).toEqual([
    "TX",
    { legal: "family", identity: "family" },
    { legal: ["gun"] },
  ]);
  expect(offersOf(choices(cart, plans))).toEqual([
    {
      offerId: "employees",
      selections: [
        { productId: "legal", tierId: "family", supplementIds: ["gun"] },
        { productId: "identity", tierId: "family", supplementIds: [] },
      ],
      billingPeriod: BillingPeriod.MONTHLY,
    },
  ]);
  expect([cartOf(undefined).products, cartOf(undefined).region]).toEqual([[], ""]);
});

test("a product that two offers sell is chosen once, and plans for businesses are not sold", () => {
  const plans = [plan("first", "legal"), plan("second", "legal"), plan("second", "shop", true)];
  expect(choosable(plans).map(({ offer }) => offer.id)).toEqual(["first"]);
});

test("people go into the form and back, and keep their ids and addresses", () => {
  const [max, eve] = peopleOf(enrollment);
  expect([max?.type, eve?.type, eve?.birthDate]).toEqual(["SPOUSE", "DEPENDENT", null]);
  const born = { year: 2015, month: 2, day: 3 };
  const added = { key: "new", firstName: " Ida ", lastName: "Stone", type: "DEPENDENT", birthDate: born };
  expect(dependentsOf([max!, added], enrollment)).toEqual([
    {
      id: "1",
      email: "max@example.com",
      type: DependentType.SPOUSE,
      firstName: "Max",
      lastName: "Stone",
      birthDate: undefined,
    },
    { id: "", email: "", type: DependentType.DEPENDENT, firstName: "Ida", lastName: "Stone", birthDate: born },
  ]);
});

test("smaller plans cover whom they have a place for", () => {
  const people = peopleOf(enrollment);
  const names = (covered: typeof people) => covered.map(({ firstName }) => firstName);
  expect(names([...coveredBy(people, { seats: 1 })])).toEqual(["Max"]);
  expect(names([...coveredBy(people, { seats: 8, relations: new Set(["DEPENDENT"]) })])).toEqual(["Eve"]);
  expect(coveredBy(people, { seats: 0 })).toEqual([]);
});
