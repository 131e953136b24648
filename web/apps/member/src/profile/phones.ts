// Telephone numbers as people write them.
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";

/** The kinds of a person's numbers, the likeliest first. */
export const KINDS = [PhoneType.CELL, PhoneType.HOME, PhoneType.WORK] as const;

/** A number of the United States or Canada as it is written there; another one as it is kept. */
export function phoneText(number: string): string {
  const [, area, office, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number) ?? [];
  return area === undefined ? number : `(${area}) ${office}-${line}`;
}

/** The digits by which two ways of writing a number are compared. */
export function phoneDigits(number: string): string {
  const digits = number.replaceAll(/\D/g, "");
  return digits.length === 11 && digits.startsWith("1") ? digits.slice(1) : digits;
}

/** Whether a text can be a number: the server knows the ranges of each country. */
export function isPhone(text: string): boolean {
  return /^[0-9+(). -]{7,24}$/.test(text);
}
