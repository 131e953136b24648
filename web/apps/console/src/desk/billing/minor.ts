// Amounts while they are typed.

/** The typed text as minor units, read in the locale; null when it is not a complete amount. */
export function minorOf(text: string, locale: string): bigint | null {
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
  const kept = [...text].filter((letter) => /\d/.test(letter) || letter === decimal).join("");
  const [units = "", cents = "", ...more] = kept.split(decimal);
  if (units + cents === "" || more.length > 0 || cents.length > 2) return null;
  return BigInt(`${units === "" ? "0" : units}${cents.padEnd(2, "0")}`);
}
