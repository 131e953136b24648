// The desk of one billing day: what was due, billed, paid and declined.
import { key } from "@pavise/i18n/key.ts";
import { pageOf, type Desk } from "../desk.tsx";

const path = "/desk/billing-day";

export default {
  path,
  label: key("Billing day"),
  key: "D",
  needs: "InvoiceService/GetBillingDay",
  records: {},
  pages: { "": pageOf(async () => (await import("./BillingDayDesk.tsx")).BillingDayDesk) },
} satisfies Desk;
