import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CancelReason, SubscriptionSchema, SubscriptionStatus } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { expect, test } from "vitest";
import {
  canBeEnded,
  canBeKept,
  firstOwnDay,
  isBilledAgain,
  lastDay,
  lastDayIfEnded,
  lastDayIfKept,
  whyNotKept,
} from "./ending.ts";

type Init = MessageInitShape<typeof SubscriptionSchema>;

const NOW = { year: 2026, month: 1, day: 31 };

function subscription(status: SubscriptionStatus, cancelReason = CancelReason.UNSPECIFIED, paidToDate?: typeof NOW) {
  return create(SubscriptionSchema, { status, cancelReason, ...(paidToDate ? { paidToDate } : {}) });
}

test("only one's own wish is taken back", () => {
  const ending = (reason: CancelReason) => subscription(SubscriptionStatus.PENDING_CANCEL, reason);
  expect(canBeKept(ending(CancelReason.MEMBER_REQUESTED_CANCEL), NOW)).toBe(true);
  expect(canBeKept(ending(CancelReason.NO_LONGER_EMPLOYED), NOW)).toBe(false);
  expect(canBeKept(ending(CancelReason.UNSPECIFIED), NOW)).toBe(false);
  expect(canBeKept(subscription(SubscriptionStatus.CANCELLED, CancelReason.MEMBER_REQUESTED_CANCEL), NOW)).toBe(false);
});

test("the last day that is paid for is the last on which it is", () => {
  const paidTo = (day: typeof NOW) =>
    subscription(SubscriptionStatus.PENDING_CANCEL, CancelReason.MEMBER_REQUESTED_CANCEL, day);
  expect(canBeKept(paidTo(NOW), NOW)).toBe(true);
  expect(canBeKept(paidTo({ year: 2026, month: 2, day: 1 }), NOW)).toBe(true);
  expect(canBeKept(paidTo({ year: 2026, month: 1, day: 30 }), NOW)).toBe(false);
});

test("why an end stays is told apart", () => {
  const ending = (reason: CancelReason, day?: typeof NOW) =>
    subscription(SubscriptionStatus.PENDING_CANCEL, reason, day);
  expect(whyNotKept(ending(CancelReason.MEMBER_REQUESTED_CANCEL, NOW), NOW)).toBeUndefined();
  expect(whyNotKept(ending(CancelReason.MEMBER_REQUESTED_CANCEL, { year: 2026, month: 1, day: 30 }), NOW)).toBe(
    "passed",
  );
  expect(whyNotKept(ending(CancelReason.NO_LONGER_EMPLOYED, NOW), NOW)).toBe("notYours");
  expect(whyNotKept(ending(CancelReason.UNSPECIFIED), NOW)).toBe("notYours");
  expect(whyNotKept(subscription(SubscriptionStatus.ACTIVE), NOW)).toBeUndefined();
});

test("what is over or ends already is not ended", () => {
  expect(canBeEnded(subscription(SubscriptionStatus.ACTIVE))).toBe(true);
  expect(canBeEnded(subscription(SubscriptionStatus.PENDING_CANCEL))).toBe(false);
  expect(canBeEnded(subscription(SubscriptionStatus.CANCELLED))).toBe(false);
});

const endsOn = (dueToEndOn: string) => lastDay(create(SubscriptionSchema, { dueToEndOn }));
const billed = (dueToEndOn: string) => isBilledAgain(create(SubscriptionSchema, { nextBillOn: NOW, dueToEndOn }));
const ifEnded = (init: Init) => lastDayIfEnded(create(SubscriptionSchema, init));

test("the last day is the one before it is over, across months and years", () => {
  expect(endsOn("2026-02-01")).toEqual(NOW);
  expect(endsOn("2026-01-01")).toEqual({ year: 2025, month: 12, day: 31 });
  expect(endsOn("2028-03-01")).toEqual({ year: 2028, month: 2, day: 29 });
  expect(endsOn("")).toBeUndefined();
});

test("what ends before its next bill is not billed again", () => {
  expect(billed("")).toBe(true);
  expect(billed("2026-02-01")).toBe(true);
  expect(billed("2026-01-31")).toBe(false);
  expect(isBilledAgain(create(SubscriptionSchema, {}))).toBe(false);
});

test("his own end is on the last day that is paid for, unless a day was set before that", () => {
  expect(ifEnded({ paidToDate: NOW })).toEqual(expect.objectContaining(NOW));
  expect(ifEnded({ paidToDate: NOW, dueToEndOn: "2026-03-01" })).toEqual(expect.objectContaining(NOW));
  expect(ifEnded({ paidToDate: NOW, dueToEndOn: "2026-01-20" })).toEqual({ ...NOW, day: 19 });
  expect(ifEnded({ dueToEndOn: "2026-01-20" })).toEqual({ ...NOW, day: 19 });
  expect(ifEnded({})).toBeUndefined();
});

test("what was set apart from his wish stays when he takes it back", () => {
  expect(lastDayIfKept(create(SubscriptionSchema, { scheduledCancelOn: { year: 2026, month: 2, day: 1 } }))).toEqual(
    NOW,
  );
  expect(lastDayIfKept(create(SubscriptionSchema, {}))).toBeUndefined();
});

test("who goes on pays first after the employer's last day, or on the usual day", () => {
  const day = { year: 2026, month: 12, day: 31 };
  expect(firstOwnDay(create(SubscriptionSchema, { employerPaysUntil: day, nextBillOn: NOW }))).toEqual({
    year: 2027,
    month: 1,
    day: 1,
  });
  expect(firstOwnDay(create(SubscriptionSchema, { nextBillOn: NOW }))).toMatchObject(NOW);
});
