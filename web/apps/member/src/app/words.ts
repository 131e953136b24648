// The contract's terms in words for members: languages, regions, periods, statuses.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import type { BillingPeriod as PeriodName } from "@pavise/rules/billing-period.ts";
import { currencyOf } from "@pavise/rules/currency.ts";
import { showPrice } from "@pavise/rules/price.ts";
import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { Currency, type Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { Locale, type LocalizedText } from "@pavise/schema/pavise/common/v1/place_pb";

/** The contract's name of a locale. */
export const LOCALES: Readonly<Record<LocaleId, Locale>> = {
  "en-US": Locale.EN_US,
  "es-US": Locale.ES_US,
  "en-CA": Locale.EN_CA,
  "fr-CA": Locale.FR_CA,
};

/** The currency that a locale's visitors see (000 §9). */
export function currencyFor(locale: LocaleId): Currency {
  return Currency[currencyOf(locale)];
}

/** The text in the locale; else in the same language; else the first. */
export function localized(texts: readonly Pick<LocalizedText, "locale" | "text">[], locale: LocaleId): string {
  const wanted = LOCALES[locale];
  const english = texts.find((text) => text.locale === Locale.EN_US);
  return (texts.find((text) => text.locale === wanted) ?? english ?? texts[0])?.text ?? "";
}

/** The contract's spelling of a billing period. */
export function periodName(period: BillingPeriod): PeriodName | undefined {
  return period === BillingPeriod.UNSPECIFIED ? undefined : (BillingPeriod[period] as PeriodName);
}

/** An amount in words: `$29.95`, with a period `$29.95/month`. */
export function priceText(money: Money | undefined, locale: string, period?: BillingPeriod): string {
  if (!money || money.currency === Currency.UNSPECIFIED) return "";
  const currency = money.currency === Currency.CAD ? ("CAD" as const) : ("USD" as const);
  return showPrice(
    { currency, amount: money.amount },
    { locale, period: period === undefined ? undefined : periodName(period) },
  );
}
