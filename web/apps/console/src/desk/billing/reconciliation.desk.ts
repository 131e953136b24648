// The desk of the comparison with the payment vendors.
import { key } from "@pavise/i18n/key.ts";
import { pageOf, type Desk } from "../desk.tsx";

const path = "/desk/reconciliation";

export default {
  path,
  label: key("Reconciliation"),
  key: "V",
  needs: "ReconciliationService/ListReconciliationRows",
  records: {},
  pages: { "": pageOf(async () => (await import("./ReconciliationDesk.tsx")).ReconciliationDesk) },
} satisfies Desk;
