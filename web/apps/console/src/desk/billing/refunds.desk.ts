// The desk of invoices and refunds.
import { key } from "@pavise/i18n/key.ts";
import { pageOf, type Desk } from "../desk.tsx";

const path = "/desk/refunds";

export default {
  path,
  label: key("Invoices and refunds"),
  key: "R",
  needs: "InvoiceService/ListInvoices",
  records: {
    "billing.Invoice": (id, ownerId) =>
      `${path}?member=${encodeURIComponent(ownerId)}&invoice=${encodeURIComponent(id)}`,
  },
  pages: { "": pageOf(async () => (await import("./RefundDesk.tsx")).RefundDesk) },
} satisfies Desk;
