import { create } from "@bufbuild/protobuf";
import { Locale, CountryCode, RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { GroupEnrollmentSchema, JobTitle } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { EnrollmentOptionsSchema } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { PayType } from "@pavise/schema/pavise/groups/v1/group_enum_pb";
import { ProfileSchema } from "@pavise/schema/pavise/members/v1/profile_pb";
import { expect, test } from "vitest";
import { employeeOf, updateOf, wrongIn } from "./employee.ts";
import { isDeducted, isPaidByEmployee, localeIn, whoPays } from "./terms.ts";

const begun = create(GroupEnrollmentSchema, { id: "one" });
const profile = create(ProfileSchema, {
  name: { firstName: "Ada", lastName: "Stone" },
  phoneNumbers: [{ id: "1", number: "+15125550100" }],
  addresses: [
    { id: "1", address: { address1: "1 King Street", country: CountryCode.CAN, locality: RegionCode.ON } },
    {
      id: "2",
      address: {
        address1: "100 Main Street",
        city: "Dallas",
        postalCode: "75201",
        country: CountryCode.USA,
        locality: RegionCode.TX,
      },
    },
  ],
});
const terms = { payType: PayType.PAYROLL, countryIdentifier: CountryCode.USA, payPeriods: [{ id: "hourly" }] };
const options = create(EnrollmentOptionsSchema, terms);
const email = "ada@example.com";
const ada = employeeOf({ enrollment: begun, profile, email, options });

test("the form begins with what the profile knows, and with what was saved before", () => {
  expect(ada).toEqual({
    firstName: "Ada",
    lastName: "Stone",
    email,
    phone: "(512) 555-0100",
    address1: "100 Main Street",
    address2: "",
    city: "Dallas",
    postalCode: "75201",
    region: "TX",
    jobTitle: "UNSPECIFIED",
    payPeriodId: "hourly",
  });
  const saved = create(GroupEnrollmentSchema, {
    personalInfo: { firstName: "Eve", lastName: "Stone", email: "eve@example.com" },
    jobTitle: JobTitle.VP,
    payPeriodId: "gone",
  });
  const eve = employeeOf({ enrollment: saved, profile, email, options });
  expect([eve.firstName, eve.email, eve.phone, eve.jobTitle, eve.payPeriodId]).toEqual([
    "Eve",
    "eve@example.com",
    "",
    "VP",
    "hourly",
  ]);
});

test("of several rhythms of pay the employee names one, and of none where nothing is deducted", () => {
  const several = create(EnrollmentOptionsSchema, { ...terms, payPeriods: [{ id: "a" }, { id: "b" }] });
  expect(employeeOf({ enrollment: begun, profile, email, options: several }).payPeriodId).toBe("");
  const alone = create(EnrollmentOptionsSchema, { ...terms, payType: PayType.SELF_PAY });
  expect(employeeOf({ enrollment: begun, profile, email, options: alone }).payPeriodId).toBe("");
});

test("what is missing or misspelt is named by its field", () => {
  const country = CountryCode.USA;
  expect(wrongIn(ada, { country, asksPayPeriod: true })).toEqual({});
  const empty = employeeOf({ enrollment: begun, profile: undefined, email: "", options });
  expect(wrongIn({ ...empty, payPeriodId: "" }, { country, asksPayPeriod: true })).toEqual({
    firstName: "details.missing",
    lastName: "details.missing",
    address1: "details.missing",
    city: "details.missing",
    region: "details.missing",
    email: "account.email.wrong",
    postalCode: "details.zip.wrong",
    payPeriodId: "details.missing",
  });
  expect(wrongIn(ada, { country: CountryCode.CAN, asksPayPeriod: false })).toEqual({
    postalCode: "details.postalCode.wrong",
  });
});

test("the request has the trimmed texts, and a locale of the employer's country", () => {
  const sent = updateOf({ ...ada, firstName: " Ada ", jobTitle: "CO_OWNER" }, CountryCode.USA, "fr-CA");
  expect(sent).toMatchObject({
    personalInfo: { firstName: "Ada", email },
    address: { locality: RegionCode.TX, country: CountryCode.USA, postalCode: "75201" },
    jobTitle: JobTitle.CO_OWNER,
    payPeriodId: "hourly",
    locale: Locale.EN_US,
  });
});

test("the employer's country decides the currency, and the reader the language where it is spoken", () => {
  expect([localeIn(CountryCode.CAN, "fr-CA"), localeIn(CountryCode.CAN, "es-US")]).toEqual(["fr-CA", "en-CA"]);
  expect([localeIn(CountryCode.USA, "es-US"), localeIn(CountryCode.USA, "en-CA")]).toEqual(["es-US", "en-US"]);
});

test("who pays decides what is asked", () => {
  const types = [PayType.SELF_PAY, PayType.PAYROLL, PayType.FRINGE, PayType.PARTIAL_FRINGE, PayType.UNSPECIFIED];
  expect(types.map(isDeducted)).toEqual([false, true, false, true, false]);
  expect(types.map(isPaidByEmployee)).toEqual([true, false, false, false, true]);
  expect(types.map(whoPays)).toEqual([
    "enroll.pays.self",
    "enroll.pays.payroll",
    "enroll.pays.fringe",
    "enroll.pays.partialFringe",
    "enroll.pays.self",
  ]);
});
