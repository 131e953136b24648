// The desk of one subscription: its time, what it costs, and changes that are shown before they are made.
import { key } from "@pavise/i18n/key.ts";
import { finderOf, pageOf, type Desk } from "../desk.tsx";

const path = "/desk/subscriptions";
const label = key("Subscription desk");

export default {
  path,
  label,
  key: "B",
  needs: "SubscriptionService/GetSubscription",
  records: {
    "billing.Subscription": (id, ownerId) =>
      `${path}/${encodeURIComponent(id)}${ownerId === "" ? "" : `?owner=${encodeURIComponent(ownerId)}`}`,
  },
  pages: {
    "": finderOf("billing.Subscription", path, label),
    "/$id": pageOf(async () => (await import("./SubscriptionDesk.tsx")).SubscriptionDesk),
  },
} satisfies Desk;
