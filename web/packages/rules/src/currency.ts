// The currency of a language: Canadian dollars in Canada, US dollars everywhere else (000 §9, 001 §9).

export type CurrencyCode = "USD" | "CAD";

/** The currency that a locale's visitors see; USD for an unknown or missing locale. */
export function currencyOf(locale: string | undefined): CurrencyCode {
  return locale === "en-CA" || locale === "fr-CA" ? "CAD" : "USD";
}
