// The plans that an employer offers, and their prices through the group.
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { SalesChannelKind } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { OfferService } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import type { EnrollmentOptions } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { useQueries } from "@tanstack/react-query";
import { regionCode } from "../app/regions.ts";
import { currencyFor, LOCALES } from "../app/words.ts";
import { joinPlans, priceQuery, type Choice } from "../shop/catalog.ts";
import { choosable, PERIOD } from "./chosen.ts";
import { localeIn } from "./terms.ts";

/** The plans of a group's offers. */
export function useGroupPlans({ brand, offerIds }: EnrollmentOptions) {
  const asks = offerIds.length > 0;
  const offers = useQuery(OfferService.method.getOffersByIdList, { brand, ids: offerIds }, { enabled: asks });
  const products = useQuery(ProductService.method.listProducts, { pageSize: 100 });
  const found = asks ? offers.data?.offers : [];
  return {
    data: found && products.data ? choosable(joinPlans(found, products.data.products)) : undefined,
    error: offers.error ?? products.error,
    isFetching: offers.isFetching || products.isFetching,
    refetch: () => Promise.all([offers.refetch(), products.refetch()]),
  };
}

/** The price of each choice for a month, in request order, in the currency of the employer's country. */
export function useGroupPrices(
  asked: readonly Choice[],
  { groupId, brand, countryIdentifier }: EnrollmentOptions,
  region: string,
) {
  const transport = useTransport();
  const { locale } = useLanguage();
  return useQueries({
    queries: asked.map(({ offerId, selections }) =>
      priceQuery(transport, {
        brand,
        offerId,
        selections,
        billingPeriod: PERIOD,
        currency: currencyFor(localeIn(countryIdentifier, locale)),
        locality: regionCode(region),
        channel: SalesChannelKind.GROUP,
        groupId,
        locale: LOCALES[locale],
      }),
    ),
  });
}
