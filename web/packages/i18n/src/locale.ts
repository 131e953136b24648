// The languages that the platform speaks (000 §9), and which of them a visitor gets.

/** The locales, the first for whoever speaks none of them. */
export const LOCALES = ["en-US", "es-US", "en-CA", "fr-CA"] as const;

/** One of them. */
export type LocaleId = (typeof LOCALES)[number];

/** What each calls itself. */
export const LOCALE_NAMES: Readonly<Record<LocaleId, string>> = {
  "en-US": "English (United States)",
  "es-US": "Español (Estados Unidos)",
  "en-CA": "English (Canada)",
  "fr-CA": "Français (Canada)",
};

/** The query parameter that says a locale. */
export const LOCALE_PARAMETER = "lang";
const STORED = "pavise.locale";

/** The same locale, or the first that is in the same language; undefined for a language that is not spoken. */
export function matching(wanted: string): LocaleId | undefined {
  const exact = LOCALES.find((locale) => locale.toLowerCase() === wanted.toLowerCase());
  const [language] = wanted.toLowerCase().split("-");
  return exact ?? LOCALES.find((locale) => locale.toLowerCase().startsWith(`${language}-`));
}

/** The locale of a visitor: what the address says, else what he chose before, else what his browser prefers. */
export function pickLocale(search: string, stored: string | null, browser: readonly string[]): LocaleId {
  const said = new URLSearchParams(search).get(LOCALE_PARAMETER);
  for (const wanted of [said, stored, ...browser]) {
    const locale = wanted ? matching(wanted) : undefined;
    if (locale) return locale;
  }
  return LOCALES[0];
}

/** The same from where the page is. */
export function visitorLocale(): LocaleId {
  return pickLocale(window.location.search, localStorage.getItem(STORED), navigator.languages);
}

/** Keeps a choice for the next visit. */
export function keepLocale(locale: LocaleId): void {
  localStorage.setItem(STORED, locale);
}
