// Amounts of money as people type them.

/** The separators of a locale's numbers. */
function separatorsOf(locale: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const one = (type: string) => parts.find((part) => part.type === type)?.value;
  return { decimal: one("decimal") ?? ".", group: one("group") ?? "," };
}

/** The text with plain spaces: locales separate groups with several kinds of them. */
function withPlainSpaces(text: string): string {
  return text.replaceAll(/\s/gu, " ");
}

/** The typed text as minor units, read in the locale; null when it is not a complete amount. */
export function minorOf(text: string, locale: string): bigint | null {
  const { decimal, group } = separatorsOf(locale);
  // A currency may stand on either side: "$5", "5 $", "5 USD", "CA$5".
  const number = withPlainSpaces(text)
    .replaceAll(/[\p{Sc}\p{L}]/gu, "")
    .trim();
  const [units = "", cents = "", ...more] = number.split(decimal);
  const groups = units.split(withPlainSpaces(group));
  const [first = "", ...others] = groups;
  // "22,45" is not 2245 where the comma separates thousands.
  const grouped = others.length === 0 || (/^\d{1,3}$/.test(first) && others.every((part) => /^\d{3}$/.test(part)));
  const digits = groups.join("");
  if (!grouped || !/^\d*$/.test(digits) || !/^\d{0,2}$/.test(cents)) return null;
  if (digits + cents === "" || more.length > 0) return null;
  return BigInt(`${digits === "" ? "0" : digits}${cents.padEnd(2, "0")}`);
}

/** Minor units as an amount of the currency, in the locale. */
export function amountOf(minor: bigint, locale: string, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  const cents = String(minor % 100n).padStart(2, "0");
  return format.format(`${minor / 100n}.${cents}` as Intl.StringNumericLiteral);
}
