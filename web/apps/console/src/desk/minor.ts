// Amounts while they are typed.

/** What is typed so far as minor units, as the locale writes amounts; null for what is no amount yet. */
export function minorOf(text: string, locale: string): bigint | null {
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
  const kept = [...text].filter((letter) => /\d/.test(letter) || letter === decimal).join("");
  const [units = "", cents = "", ...more] = kept.split(decimal);
  if (units + cents === "" || more.length > 0 || cents.length > 2) return null;
  return BigInt(`${units === "" ? "0" : units}${cents.padEnd(2, "0")}`);
}
