/** A product: its tiers and supplements with prices, its regions, and the offers that sell it. */
import { useLingui } from "@lingui/react";
import { RegionCodeSchema } from "@pavise/schema/pavise/common/v1/place_pb";
import { OfferStatusSchema } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { OfferService } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { RestrictionType, type Restriction } from "@pavise/schema/pavise/catalog/v1/price_pb";
import { CoverageSchema } from "@pavise/schema/pavise/catalog/v1/product_part_pb";
import {
  ProductFamilySchema,
  ProductSchema,
  ProductStatusSchema,
  type Product,
} from "@pavise/schema/pavise/catalog/v1/product_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Facts, Id } from "@pavise/ui/Value.tsx";
import { Name, Status } from "../../console/Cells.tsx";
import { recordPath } from "../../contract/screens.ts";
import { searchText } from "../../frame/address.ts";
import { BRAND } from "./CatalogDesk.tsx";
import { Asked, DeskHead, Journals, NextSteps, Section, Table, useAnswer, useEntity, useSpelt } from "../parts.tsx";
import { PriceList, useLocalized } from "./prices.tsx";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

/** The desk's page of a product. */
export function ProductDesk({ id }: { id: string }) {
  const query = useAnswer(ProductService.method.getProduct, { productId: id });
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(product) => <Whole product={product} />}
      </Asked>
    </div>
  );
}

function Whole({ product }: { product: Product }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const localized = useLocalized();
  const entity = useEntity(ProductSchema);
  const offers = useAnswer(OfferService.method.listOffers, { brand: BRAND, productId: product.id, pageSize: 200 });
  return (
    <>
      <DeskHead
        desk={_("Catalog desk")}
        path="/desk/catalog"
        title={product.name || _("Product")}
        actions={
          entity === undefined ? undefined : <Link href={recordPath(entity, product.id)}>{_("The whole record")}</Link>
        }
      >
        <Status desc={ProductStatusSchema} value={product.status} />
        <span>{spelt(ProductFamilySchema, product.family)}</span>
        <Id>{product.id}</Id>
      </DeskHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          <NextSteps
            desc={ProductSchema}
            message={product}
            calls={["ActivateProduct", "UpdateProduct", "UpdateSuccessor", "DeactivateProduct", "DeleteProduct"]}
          />
          <Section title={_("Tiers and their prices")}>
            <PriceList
              label={_("Tier")}
              none={_("No tiers yet: it cannot be sold.")}
              of={product.tiers.map((tier) => ({
                id: tier.id,
                name: localized(tier.names) || tier.name,
                detail: [
                  spelt(CoverageSchema, tier.coverage),
                  tier.maxAuthorizedUsers === 0 ? "" : _("up to {count} besides", { count: tier.maxAuthorizedUsers }),
                ]
                  .filter(Boolean)
                  .join(" · "),
                prices: tier.prices,
              }))}
            />
          </Section>
          <Section title={_("Supplements and their prices")}>
            <PriceList
              label={_("Supplement")}
              none={_("No supplements")}
              of={product.supplements.map((supplement) => ({
                id: supplement.id,
                name: localized(supplement.names) || supplement.name,
                detail:
                  supplement.tierIds.length === 0
                    ? supplement.id
                    : `${supplement.id} · ${supplement.tierIds.join(", ")}`,
                prices: supplement.prices,
              }))}
            />
          </Section>
          <Section title={_("Offers that sell it")}>
            <Asked query={offers}>
              {(answer) => (
                <Table
                  label={_("Offers that sell it")}
                  none={_("No offer sells it.")}
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
                  ]}
                />
              )}
            </Asked>
          </Section>
        </div>
        <div className={styles.side}>
          <Section title={_("Where it is sold")}>
            <Places restrictions={product.restrictions} />
          </Section>
          <Section title={_("About it")}>
            <Facts
              facts={[
                {
                  name: _("Customers call it"),
                  value: product.friendlyNames.map(({ text }) => text).join(" · ") || "–",
                },
                { name: _("Group of alternatives"), value: product.productGroup || "–" },
                { name: _("Taxed"), value: product.taxable ? _("Yes") : _("No") },
                { name: _("For a business"), value: product.business ? _("Yes") : _("No") },
                {
                  name: _("Needs"),
                  value: product.requiredProductIds.map((id) => <ProductLink key={id} id={id} />),
                },
                {
                  name: _("Not with"),
                  value: product.excludedProductIds.map((id) => <ProductLink key={id} id={id} />),
                },
                {
                  name: _("Successor"),
                  value: product.successorId === "" ? [] : [<ProductLink key="one" id={product.successorId} />],
                },
              ].filter(({ value }) => !Array.isArray(value) || value.length > 0)}
            />
          </Section>
          <Journals records={[{ desc: ProductSchema, id: product.id }]} />
        </div>
      </div>
    </>
  );
}

/** A link to the desk of another product, by its name. */
function ProductLink({ id }: { id: string }) {
  const entity = useEntity(ProductSchema);
  return (
    <Link href={`/desk/catalog/products/${id}`}>
      {entity === undefined ? <Id>{id}</Id> : <Name entity={entity} id={id} />}
    </Link>
  );
}

/** States and provinces in which something is sold, or is not sold. */
function Places({ restrictions }: { restrictions: readonly Restriction[] }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const only = restrictions.filter(({ type }) => type === RestrictionType.ALLOWED);
  const not = restrictions.filter(({ type }) => type === RestrictionType.NOT_ALLOWED);
  const list = (some: readonly Restriction[]) => (
    <ul className={styles.regions}>
      {some.map(({ id, region }) => (
        <li key={id}>{spelt(RegionCodeSchema, region)}</li>
      ))}
    </ul>
  );
  if (restrictions.length === 0) return <p>{_("Everywhere")}</p>;
  return (
    <>
      {only.length === 0 ? null : (
        <>
          <p className={page.soft}>{_("Only in {count} places", { count: only.length })}</p>
          {list(only)}
        </>
      )}
      {not.length === 0 ? null : (
        <>
          <p className={page.soft}>{_("Not in {count} places", { count: not.length })}</p>
          {list(not)}
        </>
      )}
    </>
  );
}
