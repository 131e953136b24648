// The terms of an employer in words for employees, and what follows from them.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { CountryCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { PayType } from "@pavise/schema/pavise/groups/v1/group_enum_pb";

/** The message id that says who pays. */
export function whoPays(payType: PayType): string {
  switch (payType) {
    case PayType.PAYROLL:
      return "enroll.pays.payroll";
    case PayType.FRINGE:
      return "enroll.pays.fringe";
    case PayType.PARTIAL_FRINGE:
      return "enroll.pays.partialFringe";
    default:
      return "enroll.pays.self";
  }
}

/** Whether plans are paid by deductions from the employee's pay. */
export function isDeducted(payType: PayType): boolean {
  return payType === PayType.PAYROLL || payType === PayType.PARTIAL_FRINGE;
}

/** Whether the employee pays with a payment method of their own. */
export function isPaidByEmployee(payType: PayType): boolean {
  return !isDeducted(payType) && payType !== PayType.FRINGE;
}

/**
 * The locale of the enrollment: the reader's language as it is spoken in the employer's country, or English. It decides the
 * currency of the order, so that a visitor who reads French still buys in the currency of an employer in the United States.
 */
export function localeIn(country: CountryCode, locale: LocaleId): LocaleId {
  if (country === CountryCode.CAN) return locale === "fr-CA" ? locale : "en-CA";
  return locale === "es-US" ? locale : "en-US";
}
