import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { InvoiceSchema, InvoiceStatus } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { expect, test } from "vitest";
import { isRefundable, leftOf, leftOfPayment } from "./refund.ts";

const usd = (amount: bigint) => ({ currency: 1, amount });
const invoiceOf = (said: MessageInitShape<typeof InvoiceSchema>) =>
  create(InvoiceSchema, {
    status: InvoiceStatus.PAID,
    payments: [
      { id: "one", amount: usd(2000n), status: TransactionStatus.APPROVED },
      { id: "two", amount: usd(995n), status: TransactionStatus.APPROVED },
      { id: "declined", amount: usd(995n), status: TransactionStatus.DECLINED },
    ],
    ...said,
  });

test("what was declined was not paid, and cannot be given back", () => {
  const invoice = invoiceOf({});
  expect(leftOf(invoice)).toEqual({ paid: 2995n, given: 0n, underWay: 0n, left: 2995n });
  expect(leftOfPayment(invoice, invoice.payments[2]!).left).toBe(0n);
});

test("what was given back, and what is not decided yet, is not left", () => {
  const invoice = invoiceOf({
    refunds: [
      { id: "a", paymentId: "one", amount: usd(500n), status: TransactionStatus.APPROVED },
      { id: "b", paymentId: "one", amount: usd(300n), status: TransactionStatus.TIMEDOUT },
      { id: "c", paymentId: "two", amount: usd(995n), status: TransactionStatus.DECLINED },
    ],
  });
  expect(leftOf(invoice)).toEqual({ paid: 2995n, given: 500n, underWay: 300n, left: 2195n });
  expect(leftOfPayment(invoice, invoice.payments[0]!).left).toBe(1200n);
  expect(leftOfPayment(invoice, invoice.payments[1]!).left).toBe(995n);
});

test("only what is paid is given back, as long as something is left", () => {
  expect(isRefundable(invoiceOf({}))).toBe(true);
  expect(isRefundable(invoiceOf({ status: InvoiceStatus.FORGIVEN }))).toBe(false);
  expect(
    isRefundable(
      invoiceOf({
        refunds: [
          { paymentId: "one", amount: usd(2000n), status: TransactionStatus.APPROVED },
          { paymentId: "two", amount: usd(995n), status: TransactionStatus.APPROVED },
        ],
      }),
    ),
  ).toBe(false);
});
