import { create } from "@bufbuild/protobuf";
import { CancelReason, SubscriptionSchema, SubscriptionStatus } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { expect, test } from "vitest";
import { canBeEnded, canBeKept, today, whyNotKept } from "./ending.ts";

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
  const paidTo = (day: typeof NOW) => subscription(SubscriptionStatus.PENDING_CANCEL, CancelReason.MEMBER_REQUESTED_CANCEL, day);
  expect(canBeKept(paidTo(NOW), NOW)).toBe(true);
  expect(canBeKept(paidTo({ year: 2026, month: 2, day: 1 }), NOW)).toBe(true);
  expect(canBeKept(paidTo({ year: 2026, month: 1, day: 30 }), NOW)).toBe(false);
});

test("why an end stays is told apart", () => {
  const ending = (reason: CancelReason, day?: typeof NOW) => subscription(SubscriptionStatus.PENDING_CANCEL, reason, day);
  expect(whyNotKept(ending(CancelReason.MEMBER_REQUESTED_CANCEL, NOW), NOW)).toBeUndefined();
  expect(whyNotKept(ending(CancelReason.MEMBER_REQUESTED_CANCEL, { year: 2026, month: 1, day: 30 }), NOW)).toBe("passed");
  expect(whyNotKept(ending(CancelReason.NO_LONGER_EMPLOYED, NOW), NOW)).toBe("notYours");
  expect(whyNotKept(ending(CancelReason.UNSPECIFIED), NOW)).toBe("notYours");
  expect(whyNotKept(subscription(SubscriptionStatus.ACTIVE), NOW)).toBeUndefined();
});

test("what is over or ends already is not ended", () => {
  expect(canBeEnded(subscription(SubscriptionStatus.ACTIVE))).toBe(true);
  expect(canBeEnded(subscription(SubscriptionStatus.PENDING_CANCEL))).toBe(false);
  expect(canBeEnded(subscription(SubscriptionStatus.CANCELLED))).toBe(false);
});

test("a day is the server's", () => {
  expect(today(new Date("2026-01-31T23:59:59Z"))).toEqual(NOW);
});
