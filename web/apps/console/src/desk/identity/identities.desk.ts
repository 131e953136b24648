// The identity desk.
import { key } from "@pavise/i18n/key.ts";
import { at, finderOf, pageOf, type Desk } from "../desk.tsx";

const path = "/desk/identities";
const label = key("Identity desk");

export default {
  path,
  label,
  key: "I",
  needs: "IdentityService/GetIdentity",
  records: { "identity.Identity": at(path) },
  pages: {
    "": finderOf("identity.Identity", path, label),
    "/$id": pageOf(async () => (await import("./IdentityDesk.tsx")).IdentityDesk),
  },
} satisfies Desk;
