// The desk where failed provisions are repaired.
import { key } from "@pavise/i18n/key.ts";
import { at, pageOf, type Desk } from "../desk.tsx";

const path = "/desk/provisioning";

export default {
  path,
  label: key("Provisioning repair"),
  key: "P",
  needs: "ProvisionService/ListProvisions",
  records: { "fulfillment.Provision": at(path) },
  pages: {
    "": pageOf(async () => (await import("./ProvisionsDesk.tsx")).ProvisionsDesk),
    "/$id": pageOf(async () => (await import("./ProvisionDesk.tsx")).ProvisionDesk),
  },
} satisfies Desk;
