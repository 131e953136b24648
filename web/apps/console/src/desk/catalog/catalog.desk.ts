// The catalog desk.
import { key } from "@pavise/i18n/key.ts";
import { at, pageOf, type Desk } from "../desk.tsx";

const path = "/desk/catalog";

export default {
  path,
  label: key("Catalog desk"),
  key: "C",
  needs: "ProductService/ListProducts",
  records: { "catalog.Product": at(`${path}/products`), "catalog.Offer": at(`${path}/offers`) },
  pages: {
    "": pageOf(async () => (await import("./CatalogDesk.tsx")).CatalogDesk),
    "/products/$id": pageOf(async () => (await import("./ProductDesk.tsx")).ProductDesk),
    "/offers/$id": pageOf(async () => (await import("./OfferDesk.tsx")).OfferDesk),
  },
} satisfies Desk;
