// Amounts of money in minor units.

/** Minor units as decimal text: `2995n` is "29.95". */
export function minorText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, "0");
  return `${minor < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
