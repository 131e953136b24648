// The desk of what was not paid.
import { key } from "@pavise/i18n/key.ts";
import { pageOf, type Desk } from "../desk.tsx";

const path = "/desk/collections";

export default {
  path,
  label: key("Collections"),
  key: "L",
  needs: "InvoiceService/ListAllInvoices",
  records: {},
  pages: { "": pageOf(async () => (await import("./CollectionsDesk.tsx")).CollectionsDesk) },
} satisfies Desk;
