/** Parts of the pages of repricings: the plans that one is for, and how far it is. */
import { useLingui } from "@lingui/react";
import { OfferSchema } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { ProductSchema } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { RepricingStatus, type Repricing } from "@pavise/schema/pavise/billing/v1/repricing_pb";
import { RepricingService } from "@pavise/schema/pavise/billing/v1/repricing_service_pb";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { useQuery } from "@tanstack/react-query";
import { Name } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { useLocalized } from "../catalog/prices.tsx";
import { useAnswer, useEntity } from "../parts.tsx";
import { isUnderWay, progressOf } from "./repricing.ts";

const { method } = RepricingService;

/** The name of a tier as customers read it; its id where the product is not known. */
export function useTierName(productId: string): (tierId: string) => string {
  const localized = useLocalized();
  const product = useAnswer(ProductService.method.getProduct, { productId }, { enabled: productId !== "" });
  return (tierId) => {
    const tier = product.data?.tiers.find(({ id }) => id === tierId);
    return tier === undefined ? tierId : localized(tier.names) || tier.name;
  };
}

/** The offer, the product and the tier whose plans get the new price. */
export function Plans({ offerId, productId, tierId }: Pick<Repricing, "offerId" | "productId" | "tierId">) {
  const [offer, product] = [useEntity(OfferSchema), useEntity(ProductSchema)];
  const tierName = useTierName(tierId === "" ? "" : productId);
  return (
    <>
      {offerId === "" || offer === undefined ? null : <Name entity={offer} id={offerId} />}
      {offerId === "" || productId === "" ? null : " · "}
      {productId === "" || product === undefined ? null : <Name entity={product} id={productId} />}
      {tierId === "" ? null : ` · ${tierName(tierId)}`}
    </>
  );
}

/** The number of subscriptions that the terms concern. It is asked once: the count goes through the subscriptions. */
function useFound({ id, status, offerId, productId, tierId, oldPrice, price, firstDay }: Repricing) {
  const { ask, may, operationOf } = useConsole();
  const query = useQuery({
    queryKey: ["repricing", "found", id],
    enabled: status === RepricingStatus.REQUESTED && may(operationOf(method.previewRepricing)),
    queryFn: ({ signal }) =>
      ask(
        method.previewRepricing,
        {
          offerId,
          productId,
          tierId,
          ...(oldPrice === undefined ? {} : { oldPrice }),
          ...(price === undefined ? {} : { price }),
          ...(firstDay === undefined ? {} : { firstDay }),
        },
        { signal },
      ),
    staleTime: Infinity,
    // Terms of an earlier day may be refused by now: the bar is then without an end.
    retry: false,
  });
  return query.data === undefined || query.data.isCapped ? undefined : query.data.found;
}

/** The progress while the worker goes through the subscriptions; nothing when it is done. */
export function Progress({ repricing }: { repricing: Repricing }) {
  const { _, i18n } = useLingui();
  const { done, all } = progressOf(repricing, useFound(repricing));
  if (!isUnderWay(repricing)) return null;
  const count = (value: number) => value.toLocaleString(i18n.locale);
  const label =
    repricing.status === RepricingStatus.WITHDRAWING
      ? _("The waiting prices are dropped")
      : _("The subscriptions are gone through");
  return all === undefined ? (
    <ProgressBar label={label} />
  ) : (
    <ProgressBar
      label={label}
      value={done}
      most={Math.max(all, 1)}
      words={_("{done} of {all}", { done: count(done), all: count(all) })}
    />
  );
}
