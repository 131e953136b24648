// The platform's languages (000 §9), and the choice of a visitor's language.

/** The locales; the first is the default. */
export const LOCALES = ["en-US", "es-US", "en-CA", "fr-CA"] as const;

/** A locale. */
export type LocaleId = (typeof LOCALES)[number];

/** The name of each locale in its own language. */
export const LOCALE_NAMES: Readonly<Record<LocaleId, string>> = {
  "en-US": "English (United States)",
  "es-US": "Español (Estados Unidos)",
  "en-CA": "English (Canada)",
  "fr-CA": "Français (Canada)",
};

/** The query parameter with the locale. */
export const LOCALE_PARAMETER = "lang";
const STORED = "pavise.locale";

/** The same locale, or the first in the same language; undefined for an unsupported language. */
export function matching(wanted: string): LocaleId | undefined {
  const exact = LOCALES.find((locale) => locale.toLowerCase() === wanted.toLowerCase());
  const [language] = wanted.toLowerCase().split("-");
  return exact ?? LOCALES.find((locale) => locale.toLowerCase().startsWith(`${language}-`));
}

/** The locale of a visitor: from the address, else their stored choice, else their browser's preference. */
export function pickLocale(search: string, stored: string | null, browser: readonly string[]): LocaleId {
  const said = new URLSearchParams(search).get(LOCALE_PARAMETER);
  for (const wanted of [said, stored, ...browser]) {
    const locale = wanted ? matching(wanted) : undefined;
    if (locale) return locale;
  }
  return LOCALES[0];
}

/** The locale from the page's address, storage and browser. */
export function visitorLocale(): LocaleId {
  return pickLocale(window.location.search, localStorage.getItem(STORED), navigator.languages);
}

/** Stores a choice for the next visit. */
export function keepLocale(locale: LocaleId): void {
  localStorage.setItem(STORED, locale);
}
