// The rules for the end of a subscription that a member may set or take back.
import { addDays, dayOf, type Day } from "@pavise/rpc/day.ts";
import { CancelReason, SubscriptionStatus, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";

type Ending = Pick<Subscription, "status" | "cancelReason" | "paidToDate">;
type Days = Pick<Subscription, "status" | "dueToEndOn" | "nextBillOn" | "paidToDate">;

/** Statuses from which a member can end the subscription. */
const CAN_END = new Set([SubscriptionStatus.ACTIVE, SubscriptionStatus.SUSPENDED, SubscriptionStatus.PRECANCEL]);

/** Whether the member can end the subscription. */
export function canBeEnded({ status }: Ending): boolean {
  return CAN_END.has(status);
}

/** Whether the member can take the end back: only their own request, until the last paid day is over. */
export function canBeKept({ status, cancelReason, paidToDate }: Ending, now: Day): boolean {
  if (status !== SubscriptionStatus.PENDING_CANCEL || cancelReason !== CancelReason.MEMBER_REQUESTED_CANCEL)
    return false;
  return paidToDate === undefined || number(paidToDate) >= number(now);
}

/** Why the member cannot take the end back: not their request, or the last day is over. Otherwise undefined. */
export function whyNotKept(ending: Ending, now: Day): "notYours" | "passed" | undefined {
  if (ending.status !== SubscriptionStatus.PENDING_CANCEL || canBeKept(ending, now)) return undefined;
  return ending.cancelReason === CancelReason.MEMBER_REQUESTED_CANCEL ? "passed" : "notYours";
}

/** The last covered day of a subscription that ends by itself; the server names the first day without cover. */
export function lastDay({ dueToEndOn }: Pick<Subscription, "dueToEndOn">): Day | undefined {
  return dueToEndOn === "" ? undefined : addDays(dayOf(dueToEndOn), -1);
}

/** The last covered day after an end request: the last paid day, or an earlier day that was set. */
export function lastDayIfEnded(subscription: Days): Day | undefined {
  const [last, paid] = [lastDay(subscription), subscription.paidToDate];
  return last !== undefined && paid !== undefined && number(paid) < number(last) ? paid : (last ?? paid);
}

/** The last covered day after the request is taken back: the separately set day, if any. */
export function lastDayIfKept({ scheduledCancelOn: set }: Pick<Subscription, "scheduledCancelOn">): Day | undefined {
  return set && addDays(set, -1);
}

/** The day on which a member who goes on without their group pays first. */
export function firstOwnDay({
  employerPaysUntil: last,
  nextBillOn,
}: Pick<Subscription, "employerPaysUntil" | "nextBillOn">): Day | undefined {
  return last ? addDays(last, 1) : nextBillOn;
}

/** Whether a billing follows before the end, or there is no end. A suspended subscription is not billed. */
export function isBilledAgain(subscription: Days): boolean {
  const last = lastDay(subscription);
  if (subscription.nextBillOn === undefined || subscription.status === SubscriptionStatus.SUSPENDED) return false;
  return last === undefined || number(subscription.nextBillOn) <= number(last);
}

/** The day as a number that sorts. */
export function number({ year, month, day }: Day): number {
  return (year * 100 + month) * 100 + day;
}
