import { emptyCart } from "@pavise/rules/cart.ts";
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";
import { AuthorizedUserType } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { expect, test } from "vitest";
import { EMPTY, type Draft, type Person } from "../app/draft.tsx";
import { orderOf, wrongIn } from "./details.ts";

const ADA: Draft = {
  ...EMPTY,
  firstName: " Ada ",
  lastName: "Example",
  address1: "1 Main Street",
  city: "Austin",
  postalCode: "78701",
};
const FAMILY = { seats: 8, business: false };

function person(key: string, firstName: string): Person {
  return { key, firstName, lastName: "Example", type: "SPOUSE", birthDate: null };
}

test("what is missing or misspelt is named by its field", () => {
  expect(wrongIn(EMPTY, { ...FAMILY, business: true, canadian: false })).toEqual({
    firstName: "details.missing",
    lastName: "details.missing",
    address1: "details.missing",
    city: "details.missing",
    business: "details.missing",
    postalCode: "details.zip.wrong",
  });
  expect(wrongIn({ ...ADA, phone: "call me" }, { ...FAMILY, canadian: false })).toEqual({
    phone: "details.phone.wrong",
  });
  expect(wrongIn(ADA, { ...FAMILY, canadian: true })).toEqual({ postalCode: "details.postalCode.wrong" });
  expect(wrongIn({ ...ADA, postalCode: "k1a 0b1" }, { ...FAMILY, canadian: true })).toEqual({});
});

test("whoever the plan has no room for is neither asked for nor sent", () => {
  const draft = { ...ADA, people: [person("one", "Charles"), person("two", "")] };
  expect(wrongIn(draft, { seats: 8, business: false, canadian: false })).toEqual({ people: "details.missing" });
  expect(wrongIn(draft, { seats: 1, business: false, canadian: false })).toEqual({});
  expect(wrongIn(draft, { seats: 0, business: false, canadian: false })).toEqual({});
  const wanted = { seats: 1, business: false, onlyBusiness: false };
  const order = orderOf({
    draft,
    email: "ada@example.com",
    cart: { ...emptyCart(), region: "TX" },
    choices: [],
    wanted,
    locale: "en-US",
  });
  expect(order.authorizedUsers).toEqual([
    { type: AuthorizedUserType.SPOUSE, firstName: "Charles", lastName: "Example", birthDate: undefined },
  ]);
  expect(order.personalInfo).toEqual({
    firstName: "Ada",
    lastName: "Example",
    email: "ada@example.com",
    phoneNumber: "",
    phoneType: PhoneType.UNSPECIFIED,
  });
  expect(order.businessInfo).toBeUndefined();
});
