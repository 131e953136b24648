import { create } from "@bufbuild/protobuf";
import { PersonNameSchema } from "@pavise/schema/pavise/common/v1/person_pb";
import { CountryCode, Locale, RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { expect, test } from "vitest";
import { addressText, isPostalCode } from "./address.ts";
import { localeOf } from "./language.ts";
import { fullName, lastFour } from "./person.ts";
import { isPhone, phoneDigits, phoneText } from "./phones.ts";

test("numbers are written as at home, and compared by their digits", () => {
  expect(phoneText("+15125550177")).toBe("(512) 555-0177");
  expect(phoneText("+525512345678")).toBe("+525512345678");
  expect(phoneDigits("(512) 555-0177")).toBe(phoneDigits("+15125550177"));
  expect(["(512) 555-0177", "+52 55 1234 5678", "call me", "12"].map(isPhone)).toEqual([true, true, false, false]);
});

test("a place is a line in the reader's language", () => {
  const place = { city: "Ottawa", locality: RegionCode.QC, postalCode: "K1A 0B1" };
  expect(addressText(place, "fr-CA")).toBe("Ottawa, Québec K1A 0B1");
  expect(addressText({ ...place, city: "" }, "en-CA")).toBe("Quebec K1A 0B1");
  expect(isPostalCode("k1a0b1", CountryCode.CAN) && isPostalCode("78701-1234", CountryCode.USA)).toBe(true);
  expect(isPostalCode("78701", CountryCode.CAN) || isPostalCode("7870", CountryCode.USA)).toBe(false);
});

test("a name has its parts in order, and an identifier its last digits", () => {
  const name = create(PersonNameSchema, { title: "Dr.", firstName: "Ada", lastName: "Example", suffix: "III" });
  expect(fullName(name)).toBe("Dr. Ada Example III");
  expect(fullName(undefined)).toBe("");
  expect(lastFour("••••6789")).toBe("6789");
});

test("each language of a profile is one of the app's", () => {
  expect(localeOf(Locale.FR_CA)).toBe("fr-CA");
  expect([localeOf(Locale.UNSPECIFIED), localeOf(undefined)]).toEqual([undefined, undefined]);
});
