/** The catalog desk: every product, and every offer of a brand, with its progress towards being sold. */
import { useLingui } from "@lingui/react";
import {
  OfferSchema,
  OfferStatusSchema,
  OfferTypeSchema,
  SalesChannelKindSchema,
} from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { OfferService } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { ProductFamilySchema, ProductSchema, ProductStatusSchema } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { useState } from "react";
import { Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { formPath } from "../../contract/screens.ts";
import { searchText, useAddress } from "../../frame/address.ts";
import { Asked, DeskHead, Section, Table, useAnswer, useEntity, useSpelt } from "../parts.tsx";
import { useLocalized } from "./prices.tsx";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

/** The brand whose offers are shown when the address names none. */
export const BRAND = "pavise";

/** The first page of the catalog desk: `?brand=`. */
export function CatalogDesk() {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const localized = useLocalized();
  const { contract, may } = useConsole();
  const { search, setSearch } = useAddress();
  const brand = search["brand"] ?? BRAND;
  const [typed, setTyped] = useState(brand);
  const offers = useAnswer(OfferService.method.listOffers, { brand, pageSize: 500 });
  const makes = [useEntity(ProductSchema), useEntity(OfferSchema)].flatMap((entity) => {
    const make = contract.operations.find(
      (operation) =>
        operation.entity === entity && operation.kind !== "get" && operation.name === `Create${entity?.name ?? ""}`,
    );
    return may(make) ? [make] : [];
  });
  return (
    <div className={styles.desk}>
      <DeskHead
        desk={_("Desks")}
        path="/"
        title={_("Catalog desk")}
        actions={makes.map((make) => (
          <Link key={make.id} kind="secondary" href={formPath(make)}>
            {make.entity?.name === "Offer" ? _("New offer") : _("New product")}
          </Link>
        ))}
      />
      <Section
        title={_("Offers")}
        end={
          <form
            className={page.tools}
            onSubmit={(event) => {
              event.preventDefault();
              setSearch({ brand: typed.trim() });
            }}
          >
            <TextField label={_("Brand")} value={typed} onChange={setTyped} autoComplete="off" />
            <Button type="submit">{_("Show")}</Button>
          </form>
        }
      >
        <Asked query={offers} lines={5}>
          {(answer) => (
            <Table
              label={_("Offers")}
              none={_("This brand has no offers.")}
              rows={answer.offers}
              rowId={(offer) => offer.id}
              columns={[
                {
                  header: _("Offer"),
                  cell: (offer) => (
                    <Link href={`/desk/catalog/offers/${offer.id}${searchText({ brand: offer.brand })}`}>
                      {localized(offer.names) || offer.id}
                    </Link>
                  ),
                },
                { header: _("Status"), cell: ({ status }) => <Status desc={OfferStatusSchema} value={status} /> },
                { header: _("Sold"), cell: ({ channel }) => spelt(SalesChannelKindSchema, channel) },
                { header: _("Kind"), cell: ({ type }) => spelt(OfferTypeSchema, type) },
                { header: _("Products"), end: true, cell: (offer) => String(offer.products.length) },
                {
                  header: _("Places"),
                  end: true,
                  cell: (offer) =>
                    offer.availableLocalities.length === 0 ? _("all") : String(offer.availableLocalities.length),
                },
              ]}
            />
          )}
        </Asked>
      </Section>
      <Products />
    </div>
  );
}

/** Every product. */
function Products() {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const products = useAnswer(ProductService.method.listProducts, { pageSize: 500 });
  return (
    <Section title={_("Products")}>
      <Asked query={products} lines={5}>
        {(answer) => (
          <Table
            label={_("Products")}
            none={_("There are no products.")}
            rows={answer.products}
            rowId={(product) => product.id}
            columns={[
              {
                header: _("Product"),
                cell: (product) => (
                  <Link href={`/desk/catalog/products/${product.id}`}>{product.name || product.id}</Link>
                ),
              },
              { header: _("Status"), cell: ({ status }) => <Status desc={ProductStatusSchema} value={status} /> },
              { header: _("Family"), cell: ({ family }) => spelt(ProductFamilySchema, family) },
              { header: _("Tiers"), end: true, cell: ({ tiers }) => String(tiers.length) },
              { header: _("Supplements"), end: true, cell: ({ supplements }) => String(supplements.length) },
            ]}
          />
        )}
      </Asked>
    </Section>
  );
}
