// The states and provinces in which the platform sells, with their names in the visitor's language.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { CountryCode, RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import type { Choice } from "@pavise/ui/choice.ts";

const STATES: Readonly<Record<string, string>> = {
  AL: "Alabama",
  AK: "Alaska",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  FL: "Florida",
  GA: "Georgia",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
  DC: "District of Columbia",
};

const PROVINCES: Readonly<Record<string, string>> = {
  AB: "Alberta",
  BC: "British Columbia",
  MB: "Manitoba",
  NB: "New Brunswick",
  NL: "Newfoundland and Labrador",
  NS: "Nova Scotia",
  NT: "Northwest Territories",
  NU: "Nunavut",
  ON: "Ontario",
  PE: "Prince Edward Island",
  QC: "Quebec",
  SK: "Saskatchewan",
  YT: "Yukon",
};

/** The regions whose Spanish name differs from the English one. */
const ESTADOS: Readonly<Record<string, string>> = {
  HI: "Hawái",
  LA: "Luisiana",
  MI: "Míchigan",
  MS: "Misisipi",
  MO: "Misuri",
  NH: "Nuevo Hampshire",
  NJ: "Nueva Jersey",
  NM: "Nuevo México",
  NY: "Nueva York",
  NC: "Carolina del Norte",
  ND: "Dakota del Norte",
  OR: "Oregón",
  PA: "Pensilvania",
  SC: "Carolina del Sur",
  SD: "Dakota del Sur",
  TN: "Tennessee",
  TX: "Texas",
  WV: "Virginia Occidental",
  DC: "Distrito de Columbia",
};

const PROVINCES_FRANCAISES: Readonly<Record<string, string>> = {
  BC: "Colombie-Britannique",
  NB: "Nouveau-Brunswick",
  NL: "Terre-Neuve-et-Labrador",
  NS: "Nouvelle-Écosse",
  NT: "Territoires du Nord-Ouest",
  PE: "Île-du-Prince-Édouard",
  QC: "Québec",
};

/** The country of a locale's visitors. */
export function countryOf(locale: LocaleId): CountryCode {
  return locale.endsWith("CA") ? CountryCode.CAN : CountryCode.USA;
}

/** The regions of a country, the locale's unless another is named, by name. */
export function regionChoices(locale: LocaleId, country = countryOf(locale)): Choice[] {
  return Object.keys(country === CountryCode.CAN ? PROVINCES : STATES)
    .map((id) => ({ id, label: regionName(id, locale) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
}

/** The name of a region; its code when the name is unknown. */
export function regionName(id: string, locale: LocaleId): string {
  const own = locale === "es-US" ? ESTADOS[id] : locale === "fr-CA" ? PROVINCES_FRANCAISES[id] : undefined;
  return own ?? STATES[id] ?? PROVINCES[id] ?? id;
}

/** The contract's region; unspecified for an unknown code. */
export function regionCode(id: string): RegionCode {
  const code = (RegionCode as unknown as Record<string, RegionCode | undefined>)[id];
  return typeof code === "number" ? code : RegionCode.UNSPECIFIED;
}

/** Whether the platform sells in the region to the locale's visitors. */
export function isRegionOf(id: string, locale: LocaleId): boolean {
  return id in (locale.endsWith("CA") ? PROVINCES : STATES);
}
