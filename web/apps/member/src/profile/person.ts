// The member's name and national identifier as they are shown.
import { NationalIdentifierType, type PersonName } from "@pavise/schema/pavise/common/v1/person_pb";

/** The parts of a name in order; empty without a name. */
export function fullName(name: PersonName | undefined): string {
  if (name === undefined) return "";
  return [name.title, name.firstName, name.middleName, name.lastName, name.suffix].filter(Boolean).join(" ");
}

/** The identifiers that a person of each country has. Those of businesses are no choice. */
export const IDENTIFIERS = [
  NationalIdentifierType.SSN,
  NationalIdentifierType.ITIN,
  NationalIdentifierType.SIN,
] as const;

/** The last four characters, which answers leave of an identifier. */
export function lastFour(masked: string): string {
  return masked.replaceAll("•", "").slice(-4);
}
