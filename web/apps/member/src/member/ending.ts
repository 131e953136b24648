// What a member may do about the end of what he is billed for.
import { CancelReason, SubscriptionStatus, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import type { Date as Day } from "@pavise/schema/pavise/common/v1/date_pb";

type Ending = Pick<Subscription, "status" | "cancelReason" | "paidToDate">;
type Days = Pick<Subscription, "status" | "dueToEndOn" | "nextBillOn" | "paidToDate">;
type DayParts = Pick<Day, "year" | "month" | "day">;

/** Statuses from which a member can let it end. */
const CAN_END = new Set([SubscriptionStatus.ACTIVE, SubscriptionStatus.SUSPENDED, SubscriptionStatus.PRECANCEL]);

/** Whether he can let it end. */
export function canBeEnded({ status }: Ending): boolean {
  return CAN_END.has(status);
}

/** Whether he can take its end back: his own wish, until the last day that is paid for is over. */
export function canBeKept({ status, cancelReason, paidToDate }: Ending, now: DayParts): boolean {
  if (status !== SubscriptionStatus.PENDING_CANCEL || cancelReason !== CancelReason.MEMBER_REQUESTED_CANCEL) return false;
  return paidToDate === undefined || number(paidToDate) >= number(now);
}

/** Why the end of what is ending is not his to take back: it was not his wish, or its last day is over. Nothing for what does not end, or can be kept. */
export function whyNotKept(ending: Ending, now: DayParts): "notYours" | "passed" | undefined {
  if (ending.status !== SubscriptionStatus.PENDING_CANCEL || canBeKept(ending, now)) return undefined;
  return ending.cancelReason === CancelReason.MEMBER_REQUESTED_CANCEL ? "passed" : "notYours";
}

/** The last day that it covers, if it ends by itself: the server names the first on which it does not. */
export function lastDay({ dueToEndOn }: Pick<Subscription, "dueToEndOn">): DayParts | undefined {
  return dayBefore(new globalThis.Date(`${dueToEndOn}T00:00:00Z`));
}

/** The last day that it would cover if he let it end: of what is paid for, unless one was set that comes before. */
export function lastDayIfEnded(subscription: Days): DayParts | undefined {
  const [last, paid] = [lastDay(subscription), subscription.paidToDate];
  return last !== undefined && paid !== undefined && number(paid) < number(last) ? paid : (last ?? paid);
}

/** The last day that it would cover if he took his wish back: the one that was set apart from it, if any was. */
export function lastDayIfKept({ scheduledCancelOn: set }: Pick<Subscription, "scheduledCancelOn">): DayParts | undefined {
  return set && dayBefore(new globalThis.Date(globalThis.Date.UTC(set.year, set.month - 1, set.day)));
}

/** Whether it is billed once more before it ends, or never ends by itself. Nothing is billed while it is suspended. */
export function isBilledAgain(subscription: Days): boolean {
  const last = lastDay(subscription);
  if (subscription.nextBillOn === undefined || subscription.status === SubscriptionStatus.SUSPENDED) return false;
  return last === undefined || number(subscription.nextBillOn) <= number(last);
}

/** The day as the server counts it, in UTC. */
export function today(now = new globalThis.Date()): DayParts {
  return { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, day: now.getUTCDate() };
}

function dayBefore(day: globalThis.Date): DayParts | undefined {
  if (Number.isNaN(day.getTime())) return undefined;
  return today(new globalThis.Date(day.getTime() - 86_400_000));
}

/** A day as a number that sorts by day. */
export function number({ year, month, day }: DayParts): number {
  return (year * 100 + month) * 100 + day;
}
