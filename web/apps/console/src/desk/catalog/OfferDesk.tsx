/** An offer: its progress towards being sold, its items and prices, and where, when and to whom it is sold. */
import { useLingui } from "@lingui/react";
import { BillingPeriodSchema } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { CurrencySchema } from "@pavise/schema/pavise/common/v1/money_pb";
import { RegionCodeSchema } from "@pavise/schema/pavise/common/v1/place_pb";
import { ProvisionTypeSchema } from "@pavise/schema/pavise/common/v1/plan_pb";
import {
  OfferSchema,
  OfferStatus,
  OfferStatusSchema,
  OfferTypeSchema,
  SalesChannelKindSchema,
  type Offer,
  type OfferProduct,
} from "@pavise/schema/pavise/catalog/v1/offer_pb";
import type { Price } from "@pavise/schema/pavise/catalog/v1/price_pb";
import { OfferService } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { ProductStatus, ProductStatusSchema, type Product } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { DayText, Facts, Id } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { textOf } from "../../console/calls.ts";
import { Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { readHistory } from "../../console/journal.ts";
import { journalOf, recordPath } from "../../contract/screens.ts";
import { useAddress } from "../../frame/address.ts";
import { BRAND } from "./CatalogDesk.tsx";
import { Asked, DeskHead, Journals, NextSteps, Section, useAnswer, useEntity, useSpelt } from "../parts.tsx";
import { PriceList, useLocalized } from "./prices.tsx";
import styles from "../desk.module.css";

/** The statuses of an offer in order; the two in the middle are alternatives. */
const WAY: readonly (readonly OfferStatus[])[] = [
  [OfferStatus.PENDING_APPROVAL, OfferStatus.NEEDS_REVIEW],
  [OfferStatus.AVAILABLE_FOR_SALE, OfferStatus.ENROLLABLE],
  [OfferStatus.GRANDFATHERED],
];

/** The desk's page of an offer; the brand comes from `?brand=` or from the offer's journal. */
export function OfferDesk({ id }: { id: string }) {
  const { contract, call, may } = useConsole();
  const { search } = useAddress();
  const entity = useEntity(OfferSchema);
  const journal = entity === undefined ? undefined : journalOf(contract, entity.service);
  const named = search["brand"] ?? "";
  const journalled = useQuery({
    queryKey: ["history", OfferSchema.typeName, id],
    enabled: named === "" && may(journal),
    queryFn: ({ signal }) =>
      journal === undefined ? Promise.resolve([]) : readHistory(call, journal, id, contract.registry, signal),
  });
  const last = journalled.data?.at(-1)?.message;
  const brand =
    named ||
    (last === undefined || entity === undefined ? "" : textOf(last, entity.desc, "brand")) ||
    (journalled.isLoading ? "" : BRAND);
  const query = useAnswer(OfferService.method.getOffer, { brand, offerId: id }, { enabled: brand !== "" });
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(offer) => <Whole offer={offer} />}
      </Asked>
    </div>
  );
}

function Whole({ offer }: { offer: Offer }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const localized = useLocalized();
  const entity = useEntity(OfferSchema);
  const place = WAY.findIndex((statuses) => statuses.includes(offer.status));
  return (
    <>
      <DeskHead
        desk={_("Catalog desk")}
        path="/desk/catalog"
        title={localized(offer.names) || _("Offer")}
        actions={
          entity === undefined ? undefined : (
            <Link href={`${recordPath(entity, offer.id)}?brand=${offer.brand}`}>{_("The whole record")}</Link>
          )
        }
      >
        <Status desc={OfferStatusSchema} value={offer.status} />
        <span>
          {[offer.brand, spelt(SalesChannelKindSchema, offer.channel), spelt(OfferTypeSchema, offer.type)]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <Id>{offer.id}</Id>
      </DeskHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          {offer.status === OfferStatus.NEEDS_REVIEW ? (
            <Note
              tone="warning"
              title={_("It was changed while it was for sale, and is not sold until it is approved again.")}
            />
          ) : null}
          <NextSteps
            desc={OfferSchema}
            message={offer}
            calls={[
              "MakeReadyForSale",
              "MakeEnrollable",
              "SetPendingApproval",
              "UpdateOffer",
              "AddProducts",
              "UpdateProducts",
              "UpdateAvailableLocalities",
              "GrandfatherOffer",
              "DeleteOffer",
            ]}
          />
          <Section title={_("What is in it")}>
            {offer.products.length === 0 ? (
              <Note tone="warning" title={_("Nothing: it cannot be sold.")} />
            ) : (
              offer.products.map((product) => <InOffer key={product.productId} offer={offer} offered={product} />)
            )}
          </Section>
        </div>
        <div className={styles.side}>
          <Section title={_("On its way")}>
            <ol className={styles.path}>
              {WAY.map((statuses, index) => (
                <li
                  key={statuses[0]}
                  {...(index < place
                    ? { "data-done": "" }
                    : index === place
                      ? { "data-current": "", "aria-current": "step" as const }
                      : {})}
                >
                  {(index === place ? [offer.status] : statuses)
                    .map((status) => spelt(OfferStatusSchema, status))
                    .join(_(" or "))}
                </li>
              ))}
            </ol>
          </Section>
          <Section title={_("Where and when it is sold")}>
            <Facts
              facts={[
                {
                  name: _("From"),
                  value: offer.validFrom === undefined ? _("always") : <DayText day={offer.validFrom} />,
                },
                {
                  name: _("Until"),
                  value: offer.validUntil === undefined ? _("always") : <DayText day={offer.validUntil} />,
                },
                {
                  name: _("Currencies"),
                  value: offer.currencies.map((one) => spelt(CurrencySchema, one)).join(", ") || _("all"),
                },
                {
                  name: _("Billed"),
                  value: offer.billingPeriods.map((one) => spelt(BillingPeriodSchema, one)).join(", ") || _("all"),
                },
                { name: _("Market"), value: offer.market || _("all") },
                { name: _("Groups"), value: offer.groupIds.join(", ") || "–" },
                {
                  name: _("Places"),
                  value: offer.availableLocalities.length === 0 ? _("all") : String(offer.availableLocalities.length),
                },
              ]}
            />
            {offer.availableLocalities.length === 0 ? null : (
              <ul className={styles.regions}>
                {offer.availableLocalities.map((region) => (
                  <li key={region}>{spelt(RegionCodeSchema, region)}</li>
                ))}
              </ul>
            )}
          </Section>
          <Journals records={[{ desc: OfferSchema, id: offer.id }]} />
        </div>
      </div>
    </>
  );
}

/** A product in an offer, with the prices of the tiers and supplements that the offer sells. */
function InOffer({ offer, offered }: { offer: Offer; offered: OfferProduct }) {
  const query = useAnswer(ProductService.method.getProduct, { productId: offered.productId });
  return <Asked query={query}>{(product) => <Prices offer={offer} offered={offered} product={product} />}</Asked>;
}

/** The items of a product that the offer sells; all of them when the offer names none. */
function sold<T extends { readonly id: string }>(all: readonly T[], ids: readonly string[]): readonly T[] {
  return all.filter(({ id }) => ids.length === 0 || ids.includes(id));
}

/** Whether the offer sells at a price: its currency and billing period must both be the offer's. */
function isSold({ currencies, billingPeriods }: Offer, { initial, billingPeriod }: Price): boolean {
  return (
    (currencies.length === 0 || (initial !== undefined && currencies.includes(initial.currency))) &&
    (billingPeriods.length === 0 || billingPeriods.includes(billingPeriod))
  );
}

function Prices({ offer, offered, product }: { offer: Offer; offered: OfferProduct; product: Product }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const localized = useLocalized();
  return (
    <div className={styles.offer} data-tone={product.status === ProductStatus.ACTIVE ? "good" : "bad"}>
      <header>
        <h3>
          <Link href={`/desk/catalog/products/${product.id}`}>{product.name}</Link>
        </h3>
        <Status desc={ProductStatusSchema} value={product.status} />
      </header>
      {offered.provisionType === 0 ? null : (
        <p className={styles.why}>{_("Set up: {when}", { when: spelt(ProvisionTypeSchema, offered.provisionType) })}</p>
      )}
      <PriceList
        label={_("Tier")}
        of={sold(product.tiers, offered.tierIds).map((tier) => ({
          id: tier.id,
          name: localized(tier.names) || tier.name,
          detail: tier.id,
          prices: tier.prices.filter((price) => isSold(offer, price)),
        }))}
      />
      {product.supplements.length === 0 ? null : (
        <PriceList
          label={_("Supplement")}
          of={sold(product.supplements, offered.supplementIds).map((one) => ({
            id: one.id,
            name: localized(one.names) || one.name,
            detail: one.id,
            prices: one.prices.filter((price) => isSold(offer, price)),
          }))}
        />
      )}
    </div>
  );
}
