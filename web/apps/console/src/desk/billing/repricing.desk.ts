// The desk of new prices for running subscriptions.
import { key } from "@pavise/i18n/key.ts";
import { at, pageOf, type Desk } from "../desk.tsx";

const path = "/desk/repricing";

export default {
  path,
  label: key("Repricing"),
  key: "N",
  needs: "RepricingService/ListRepricings",
  records: { "billing.Repricing": at(path) },
  pages: {
    "": pageOf(async () => (await import("./RepricingsDesk.tsx")).RepricingsDesk),
    "/$id": pageOf(async () => (await import("./RepricingDesk.tsx")).RepricingDesk),
  },
} satisfies Desk;
