import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { InvoiceSchema, InvoiceStatus, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import {
  SubscriptionSchema,
  SubscriptionStatus,
  SuspendReason,
} from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { DisputeStatus, TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { expect, test } from "vitest";
import { isRefused, nextOf, waitsForPayment, wasTried } from "./refusals.ts";

const DAY = { year: 2027, month: 3, day: 4 };

function invoice(init: Exclude<MessageInitShape<typeof InvoiceSchema>, Invoice>) {
  const openAmount = { amount: 2995n };
  return create(InvoiceSchema, { status: InvoiceStatus.FAILED, subscriptionId: "s", openAmount, ...init });
}

function plan(status: SubscriptionStatus, suspendedFor = SuspendReason.UNSPECIFIED) {
  return create(SubscriptionSchema, { status, suspendedFor });
}

test("a refused bill is told until it is settled", () => {
  expect(isRefused(invoice({}))).toBe(true);
  expect(isRefused(invoice({ status: InvoiceStatus.DELINQUENT }))).toBe(true);
  // A part was paid after the refusal.
  const partly = { status: InvoiceStatus.PARTIALLY_FUNDED };
  expect(isRefused(invoice({ ...partly, lastRefusedOn: DAY }))).toBe(true);
  expect(isRefused(invoice(partly))).toBe(false);
  expect(isRefused(invoice({ status: InvoiceStatus.ACTIVE }))).toBe(false);
  for (const status of [InvoiceStatus.PAID, InvoiceStatus.FORGIVEN, InvoiceStatus.VOIDED])
    expect(isRefused(invoice({ status, lastRefusedOn: DAY }))).toBe(false);
});

test("a purchase tells of its refusal on its own page", () => {
  expect(isRefused(invoice({ subscriptionId: "", orderId: "o" }))).toBe(false);
});

test("who pays by invoice was refused nothing", () => {
  expect(wasTried(invoice({ status: InvoiceStatus.DELINQUENT }))).toBe(false);
  expect(wasTried(invoice({ payments: [{ status: TransactionStatus.DECLINED }] }))).toBe(true);
  // No card could be asked on the day.
  expect(wasTried(invoice({ lastRefusedOn: DAY }))).toBe(true);
});

test("the next try is told, unless something comes before it", () => {
  const next = (init: Parameters<typeof invoice>[0]) => nextOf(invoice(init), DAY);
  expect(next({ dueToCollectOn: DAY })).toMatchObject({ kind: "again", on: DAY });
  expect(next({})).toEqual({ kind: "over" });
  const held = { dueToCollectOn: DAY, heldUntil: DAY };
  expect(next(held)).toMatchObject({ kind: "held", on: DAY });
  const disputed = { ...held, disputeStatus: DisputeStatus.OPEN };
  expect(next(disputed)).toEqual({ kind: "bank" });
  const payments = [{ status: TransactionStatus.DECLINED }, { status: TransactionStatus.TIMEDOUT }];
  expect(next({ ...disputed, payments })).toEqual({ kind: "underWay" });
});

test("a hold is over on the day after its last", () => {
  const held = invoice({ dueToCollectOn: DAY, heldUntil: { ...DAY, day: 3 } });
  expect(nextOf(held, { ...DAY, day: 3 }).kind).toBe("held");
  expect(nextOf(held, DAY).kind).toBe("again");
});

test("a plan that staff suspended does not wait for the payment", () => {
  expect(waitsForPayment(plan(SubscriptionStatus.SUSPENDED, SuspendReason.PAYMENT))).toBe(true);
  expect(waitsForPayment(plan(SubscriptionStatus.SUSPENDED))).toBe(false);
  expect(waitsForPayment(plan(SubscriptionStatus.ACTIVE, SuspendReason.PAYMENT))).toBe(false);
  expect(waitsForPayment(undefined)).toBe(false);
});
