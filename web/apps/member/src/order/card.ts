// Cards of the TEST vendor. A number is never sent: it is only looked up here for the vendor's token.
import type { Day } from "@pavise/rpc/day.ts";
import { CardType } from "@pavise/schema/pavise/billing/v1/payment_method_pb";

/** A card of the test vendor, and the result that it causes. */
export type TestCard = { number: string; brand: CardType; does: "approves" | "noMoney" | "expired" | "refuses" };

/** The cards that the payment page offers. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4111111111111111", brand: CardType.VISA, does: "approves" },
  { number: "5555555555554444", brand: CardType.MASTERCARD, does: "approves" },
  { number: "4000000000000002", brand: CardType.VISA, does: "noMoney" },
  { number: "4000000000000003", brand: CardType.VISA, does: "expired" },
  { number: "4000000000000004", brand: CardType.VISA, does: "refuses" },
];

/** Further cards that the test vendor accepts. */
const FURTHER: readonly { number: string; brand: CardType }[] = [
  { number: "378282246310005", brand: CardType.AMEX },
  { number: "6011111111111117", brand: CardType.DISCOVER },
  { number: "4000000000000005", brand: CardType.VISA },
  { number: "4000000000000006", brand: CardType.VISA },
  { number: "4000000000000007", brand: CardType.VISA },
  { number: "4000000000000008", brand: CardType.VISA },
];

/** The digits in groups of four, as on a card. */
export function grouped(number: string): string {
  return number
    .replaceAll(/\D/g, "")
    .slice(0, 19)
    .replaceAll(/(\d{4})(?=\d)/g, "$1 ");
}

/** The vendor's token for a typed number, with the parts that may be stored; undefined for an unknown number. */
export function tokenOf(typed: string): { token: string; brand: CardType; last4: string } | undefined {
  const number = typed.replaceAll(/\D/g, "");
  const card = [...TEST_CARDS, ...FURTHER].find((one) => one.number === number);
  return card ? { token: `test_${number}`, brand: card.brand, last4: number.slice(-4) } : undefined;
}

/** Month and year of "12 / 29"; undefined for invalid or past dates. */
export function expiryOf(typed: string, today: Day): { month: number; year: number } | undefined {
  const [, monthText, yearText] = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(typed) ?? [];
  if (!monthText || !yearText) return undefined;
  const month = Number(monthText);
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText);
  if (month < 1 || month > 12 || year > 2099) return undefined;
  const over = year < today.year || (year === today.year && month < today.month);
  return over ? undefined : { month, year };
}

/** "1229" becomes "12 / 29" while it is typed. */
export function groupedExpiry(typed: string, before: string): string {
  const digits = typed.replaceAll(/\D/g, "").slice(0, 4);
  // Deleting the slash deletes the digit before it.
  if (typed.length < before.length && digits.length === 2) return digits;
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}
