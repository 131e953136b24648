import { create } from "@bufbuild/protobuf";
import { emptyCart } from "@pavise/rules/cart.ts";
import { CountryCode, RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { ProfileSchema } from "@pavise/schema/pavise/members/v1/profile_pb";
import { expect, test } from "vitest";
import { EMPTY, type Draft } from "../app/draft.tsx";
import { knownFields, newIn } from "./known.ts";

const HOME = {
  address1: "1 Main Street",
  address2: "",
  city: "Austin",
  locality: RegionCode.TX,
  postalCode: "78701",
  country: CountryCode.USA,
};
const TEXAS = { ...emptyCart(), region: "TX" };
const ENTERED = { region: "TX", country: CountryCode.USA };

function ada() {
  return create(ProfileSchema, {
    id: "ada",
    version: 1n,
    name: { firstName: "Ada", lastName: "Example", preferredName: "Addie" },
    phoneNumbers: [
      { id: "1", number: "+15125550100" },
      { id: "2", number: "+15125550177", primary: true },
    ],
    addresses: [{ id: "1", address: HOME, primary: true }],
  });
}

const TYPED: Draft = {
  ...EMPTY,
  firstName: "Ada",
  lastName: "Example",
  phone: "1 512 555 0100",
  address1: "1 MAIN STREET ",
  city: "Austin",
  postalCode: "78701",
};

test("what the profile knows is filled in, and what is typed stays", () => {
  expect(knownFields(ada(), { ...EMPTY, lastName: "Lovelace" }, TEXAS)).toEqual({
    firstName: "Ada",
    phone: "(512) 555-0177",
    address1: "1 Main Street",
    address2: "",
    city: "Austin",
    postalCode: "78701",
  });
  expect(knownFields(create(ProfileSchema, { version: 1n }), EMPTY, TEXAS)).toEqual({
    firstName: "",
    lastName: "",
    phone: "",
  });
});

test("an address of another region is not filled in, nor is one mixed with another", () => {
  expect(knownFields(ada(), EMPTY, { region: "OH" })).not.toHaveProperty("city");
  expect(knownFields(ada(), { ...EMPTY, city: "Dallas" }, TEXAS)).not.toHaveProperty("address1");
});

test("the profile gets what it does not have, however it is written", () => {
  expect(newIn(ada(), { draft: TYPED, ...ENTERED })).toEqual({});
  const moved = { ...TYPED, lastName: "Lovelace", phone: "512-555-0199", address1: "2 Main Street" };
  expect(newIn(ada(), { draft: moved, ...ENTERED })).toMatchObject({
    name: { firstName: "Ada", lastName: "Lovelace", preferredName: "Addie" },
    phoneNumber: { number: "512-555-0199" },
    address: { address1: "2 Main Street", locality: RegionCode.TX },
  });
  expect(newIn(ada(), { draft: { ...TYPED, phone: "" }, ...ENTERED })).toEqual({});
});
