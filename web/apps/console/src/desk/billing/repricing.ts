// Repricings: the terms that can be sent, what they come to, and how far one is.
import { create } from "@bufbuild/protobuf";
import { daysBetween, type Day } from "@pavise/rpc/day.ts";
import { RepricingStatus, type Repricing } from "@pavise/schema/pavise/billing/v1/repricing_pb";
import { MoneySchema, type Currency, type Money } from "@pavise/schema/pavise/common/v1/money_pb";

/** The notice that the platform asks for, unless the operator sets another one, in days. */
export const NOTICE = 30;

/** The terms as they are typed. A text is empty, and an amount or a day is null, until it is given. */
export interface Typed {
  readonly offerId: string;
  readonly productId: string;
  readonly tierId: string;
  readonly currency: Currency;
  readonly oldAmount: bigint | null;
  readonly amount: bigint | null;
  readonly firstDay: Day | null;
}

/** Terms that can be sent. */
export interface Terms {
  readonly offerId: string;
  readonly productId: string;
  readonly tierId: string;
  readonly oldPrice: Money;
  readonly price: Money;
  readonly firstDay: Day;
}

/** The terms that can be sent; undefined while something is missing or the price stays the same. */
export function termsOf({
  offerId,
  productId,
  tierId,
  currency,
  oldAmount,
  amount,
  firstDay,
}: Typed): Terms | undefined {
  if (offerId === "" && productId === "") return undefined;
  if (!isPrice(oldAmount) || !isPrice(amount) || oldAmount === amount || firstDay === null) return undefined;
  return {
    offerId,
    productId,
    tierId: productId === "" ? "" : tierId,
    oldPrice: create(MoneySchema, { currency, amount: oldAmount }),
    price: create(MoneySchema, { currency, amount }),
    firstDay,
  };
}

function isPrice(amount: bigint | null): amount is bigint {
  return amount !== null && amount >= 0n;
}

/** The days between today and the new price, in which members know of it; below zero for a day that is over. */
export function noticeOf(firstDay: Day, today: Day): number {
  return daysBetween(today, firstDay);
}

/** The sums of so many items in a billing period, before and after. */
export function sumsOf(count: number, oldPrice: Money, price: Money): { before: Money; after: Money; more: Money } {
  const times = (money: Money) => ({ ...money, amount: money.amount * BigInt(count) });
  const [before, after] = [times(oldPrice), times(price)];
  return { before, after, more: { ...after, amount: after.amount - before.amount } };
}

/** Whether its worker still goes through subscriptions. */
export function isUnderWay({ status }: Pick<Repricing, "status">): boolean {
  return status === RepricingStatus.REQUESTED || status === RepricingStatus.WITHDRAWING;
}

type Counted = Pick<Repricing, "status" | "repriced" | "skipped" | "withdrawn">;

/** The subscriptions that were gone through, of all. A withdrawal knows all of them; else they were counted before. */
export function progressOf({ status, repriced, skipped, withdrawn }: Counted, found: number | undefined) {
  if (status === RepricingStatus.WITHDRAWING || status === RepricingStatus.WITHDRAWN)
    return { done: withdrawn, all: Math.max(repriced, withdrawn) };
  const done = repriced + skipped;
  return { done, all: found === undefined ? undefined : Math.max(found, done) };
}

/** Whether it can be withdrawn: until the day before its first one. */
export function canBeWithdrawn(
  { status, firstDay }: Pick<Repricing, "status"> & { readonly firstDay?: Day | undefined },
  today: Day,
): boolean {
  const stands = status === RepricingStatus.REQUESTED || status === RepricingStatus.ANNOUNCED;
  return stands && (firstDay === undefined || daysBetween(today, firstDay) > 0);
}
