// The employee's own data on an enrollment: the form, its faults, and the request that is made from it.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";
import { CountryCode, RegionCode, type Address } from "@pavise/schema/pavise/common/v1/place_pb";
import { JobTitle, type GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import type { EnrollmentOptions } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import type { UpdateGroupEnrollmentRequestSchema } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { wrongName } from "../app/names.ts";
import { regionCode } from "../app/regions.ts";
import { LOCALES } from "../app/words.ts";
import { isPostalCode } from "../profile/address.ts";
import { phoneText } from "../profile/phones.ts";
import { isDeducted, localeIn } from "./terms.ts";

/** The fields of one line. */
export type Line = "firstName" | "lastName" | "email" | "phone" | "address1" | "address2" | "city" | "postalCode";

/** The form. The job title is a name of the contract. */
export type Employee = Record<Line, string> & { region: string; jobTitle: string; payPeriodId: string };

/** The rhythms of pay from which the employee has to choose. */
export function payPeriodsOf({ payType, payPeriods }: Pick<EnrollmentOptions, "payType" | "payPeriods">) {
  return isDeducted(payType) ? payPeriods : [];
}

type Known = {
  enrollment: GroupEnrollment;
  profile: Profile | undefined;
  /** The address that the member signs in with. */
  email: string;
  options: Pick<EnrollmentOptions, "payType" | "payPeriods" | "countryIdentifier">;
};

/** The first values of the form: those that were saved, else those of the profile. */
export function employeeOf({ enrollment, profile, email, options }: Known): Employee {
  const person = enrollment.personalInfo;
  const phone = person ? person.phoneNumber : primaryOf(profile?.phoneNumbers ?? [])?.number;
  const here = profile?.addresses.filter(({ address }) => address?.country === options.countryIdentifier) ?? [];
  const periods = payPeriodsOf(options);
  const isOffered = periods.some(({ id }) => id === enrollment.payPeriodId);
  return {
    firstName: person?.firstName ?? profile?.name?.firstName ?? "",
    lastName: person?.lastName ?? profile?.name?.lastName ?? "",
    email: person?.email ?? email,
    phone: phone ? phoneText(phone) : "",
    ...linesOf(enrollment.address ?? primaryOf(here)?.address),
    jobTitle: JobTitle[enrollment.jobTitle] ?? "UNSPECIFIED",
    // The server knows the only rhythm of a group, but not the only one of a division.
    payPeriodId: isOffered ? enrollment.payPeriodId : periods.length === 1 ? (periods[0]?.id ?? "") : "",
  };
}

function linesOf(address: Address | undefined) {
  return {
    address1: address?.address1 ?? "",
    address2: address?.address2 ?? "",
    city: address?.city ?? "",
    postalCode: address?.postalCode ?? "",
    region: RegionCode[address?.locality || -1] ?? "",
  };
}

/** The primary item of a list, else the first. */
function primaryOf<T extends { readonly primary: boolean }>(items: readonly T[]): T | undefined {
  return items.find(({ primary }) => primary) ?? items[0];
}

/** The message id of each field's fault. */
export type Wrong = Partial<Record<keyof Employee, string>>;

type Asked = { country: CountryCode; asksPayPeriod: boolean };

/** The faults of the form; empty when it can be sent. */
export function wrongIn(employee: Employee, { country, asksPayPeriod }: Asked): Wrong {
  const wrong: Wrong = {};
  for (const field of ["firstName", "lastName"] as const) {
    const fault = wrongName(employee[field]);
    if (fault !== undefined) wrong[field] = fault;
  }
  for (const field of ["address1", "city", "region"] as const)
    if (employee[field].trim() === "") wrong[field] = "details.missing";
  if (!isEmail(employee.email.trim())) wrong.email = "account.email.wrong";
  if (!/^[0-9+(). -]{0,24}$/.test(employee.phone.trim())) wrong.phone = "details.phone.wrong";
  if (!isPostalCode(employee.postalCode, country))
    wrong.postalCode = country === CountryCode.CAN ? "details.postalCode.wrong" : "details.zip.wrong";
  if (asksPayPeriod && employee.payPeriodId === "") wrong.payPeriodId = "details.missing";
  return wrong;
}

/** The address of the form. */
export function addressOf(employee: Employee, country: CountryCode) {
  return {
    address1: employee.address1.trim(),
    address2: employee.address2.trim(),
    city: employee.city.trim(),
    locality: regionCode(employee.region),
    postalCode: employee.postalCode.trim().toUpperCase(),
    country,
  };
}

type Update = Pick<
  MessageInitShape<typeof UpdateGroupEnrollmentRequestSchema>,
  "personalInfo" | "address" | "jobTitle" | "payPeriodId" | "locale"
>;

/** The change of the enrollment that the form makes. */
export function updateOf(employee: Employee, country: CountryCode, locale: LocaleId): Update {
  const phoneNumber = employee.phone.trim();
  return {
    personalInfo: {
      firstName: employee.firstName.trim(),
      lastName: employee.lastName.trim(),
      email: employee.email.trim(),
      phoneNumber,
      phoneType: phoneNumber === "" ? PhoneType.UNSPECIFIED : PhoneType.CELL,
    },
    address: addressOf(employee, country),
    jobTitle: JobTitle[employee.jobTitle as keyof typeof JobTitle] ?? JobTitle.UNSPECIFIED,
    payPeriodId: employee.payPeriodId,
    locale: LOCALES[localeIn(country, locale)],
  };
}
