import { create } from "@bufbuild/protobuf";
import { InvoiceStatus } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { BillingDaySchema } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { expect, test } from "vitest";
import { dayIn, figuresOf } from "./billing-day.ts";

test("what was due is what is billed and what waits", () => {
  const { ACTIVE, PAID, FAILED, DELINQUENT, VOIDED, PARTIALLY_FUNDED } = InvoiceStatus;
  const counts = [
    { status: ACTIVE, invoices: 1 },
    { status: PAID, invoices: 20 },
    { status: PARTIALLY_FUNDED, invoices: 2 },
    { status: FAILED, invoices: 3 },
    { status: DELINQUENT, invoices: 4 },
    { status: VOIDED, invoices: 50 },
  ];
  expect(figuresOf(create(BillingDaySchema, { waiting: 5, counts }))).toEqual({
    due: 35,
    billed: 30,
    paid: 20,
    declined: 7,
    open: 3,
  });
});

test("an address without a day of the calendar means today", () => {
  const today = { year: 2027, month: 3, day: 10 };
  expect(dayIn("2027-02-28", today)).toEqual({ year: 2027, month: 2, day: 28 });
  for (const text of [undefined, "", "2027-02-30", "2027-13-01", "tomorrow", "0001-01-01"])
    expect(dayIn(text, today)).toEqual(today);
});
