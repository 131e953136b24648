// Postal addresses as people write them.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { CountryCode, RegionCode, type Address } from "@pavise/schema/pavise/common/v1/place_pb";
import { regionName } from "../app/regions.ts";

const ZIP = /^[0-9]{5}(-[0-9]{4})?$/;
const CANADIAN = /^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$/;

/** Whether a text is a postal code of the country. */
export function isPostalCode(text: string, country: CountryCode): boolean {
  return (country === CountryCode.CAN ? CANADIAN : ZIP).test(text.trim());
}

/** The line with the place: city, region, postal code. */
export function addressText(
  { city, locality, postalCode }: Pick<Address, "city" | "locality" | "postalCode">,
  locale: LocaleId,
) {
  const region = regionName(RegionCode[locality] ?? "", locale);
  return [city, [region, postalCode].filter(Boolean).join(" ")].filter(Boolean).join(", ");
}
