// Prices as text: the amount in the locale's format, and the period that it pays for (000 §9).
import type { BillingPeriod } from "./billing-period.ts";
import type { CurrencyCode } from "./currency.ts";

/** An amount in minor units, as the contract has it. */
export interface Amount {
  readonly currency: CurrencyCode;
  readonly amount: bigint;
}

/** The format of a price. */
export interface PriceStyle {
  readonly locale: string;
  readonly period?: BillingPeriod | undefined;
}

const LABELS: Record<string, Record<BillingPeriod, string>> = {
  en: {
    DAILY: "day",
    WEEKLY: "week",
    MONTHLY: "month",
    QUARTERLY: "quarter",
    BIANNUAL: "half year",
    ANNUAL: "year",
    PAY_PERIOD: "pay period",
    ONE_TIME: "once",
  },
  es: {
    DAILY: "día",
    WEEKLY: "semana",
    MONTHLY: "mes",
    QUARTERLY: "trimestre",
    BIANNUAL: "semestre",
    ANNUAL: "año",
    PAY_PERIOD: "período de pago",
    ONE_TIME: "una vez",
  },
  fr: {
    DAILY: "jour",
    WEEKLY: "semaine",
    MONTHLY: "mois",
    QUARTERLY: "trimestre",
    BIANNUAL: "semestre",
    ANNUAL: "année",
    PAY_PERIOD: "période de paie",
    ONE_TIME: "une fois",
  },
};

/** The word for a billing period after a price; in English for a language without one. */
export function periodLabel(period: BillingPeriod, locale: string): string {
  const [language = ""] = locale.split("-");
  return (LABELS[language] ?? LABELS["en"] ?? {})[period] ?? period;
}

/** The price as text: `$29.95/month`. Empty for no price; a price of zero is shown. */
export function showPrice(price: Amount | undefined | null, { locale, period }: PriceStyle): string {
  if (price === undefined || price === null) return "";
  const shown = showAmount(price, locale);
  return period === undefined ? shown : `${shown}/${periodLabel(period, locale)}`;
}

/** An amount in the locale's format. It avoids floats: the decimals are set as text. */
export function showAmount({ currency, amount }: Amount, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  return format.format(
    decimalOf(amount, format.resolvedOptions().maximumFractionDigits ?? 2) as Intl.StringNumericLiteral,
  );
}

/** Minor units as decimal text: `2995n` with 2 digits is `29.95`. */
export function decimalOf(amount: bigint, digits: number): string {
  const sign = amount < 0n ? "-" : "";
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, "0");
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
