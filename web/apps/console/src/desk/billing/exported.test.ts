import { create } from "@bufbuild/protobuf";
import { InvoiceStatus } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { ExportedInvoiceSchema } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { Currency } from "@pavise/schema/pavise/common/v1/money_pb";
import { expect, test } from "vitest";
import { exportHead, exportLine } from "./exported.ts";

const money = (amount: bigint) => ({ currency: Currency.USD, amount });

test("a row has decimals, days and spellings, and nothing that a spreadsheet would run", () => {
  const row = create(ExportedInvoiceSchema, {
    invoiceId: "i-1",
    number: "INV-26-000123",
    ownerId: '=HYPERLINK("x")',
    orderId: "a,b",
    status: InvoiceStatus.PARTIALLY_FUNDED,
    issuedOn: { year: 2026, month: 3, day: 1 },
    dueOn: { year: 2026, month: 12, day: 31 },
    total: money(2995n),
    creditedAmount: money(0n),
    paidAmount: money(5n),
    refundedAmount: money(0n),
    forgivenAmount: money(0n),
    openAmount: money(2990n),
  });
  expect(exportLine(row)).toBe(
    `i-1,INV-26-000123,"'=HYPERLINK(""x"")","a,b",,PARTIALLY_FUNDED,2026-03-01,2026-12-31,29.95,0.00,0.05,0.00,0.00,29.90,USD`,
  );
  const head = exportHead((words) => words).split(",");
  expect(head).toHaveLength(15);
  expect(head.at(-1)).toBe("Currency");
});
