// The order desk.
import { key } from "@pavise/i18n/key.ts";
import { at, finderOf, pageOf, type Desk } from "../desk.tsx";

const path = "/desk/orders";
const label = key("Order desk");

export default {
  path,
  label,
  key: "O",
  needs: "OrderService/GetOrder",
  records: { "orders.Order": at(path) },
  pages: {
    "": finderOf("orders.Order", path, label),
    "/$id": pageOf(async () => (await import("./OrderDesk.tsx")).OrderDesk),
  },
} satisfies Desk;
