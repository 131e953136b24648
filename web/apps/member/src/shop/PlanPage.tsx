// The page of one offer or product, by the site name in its address: its plans, chosen as in the shop.
import { useQuery } from "@connectrpc/connect-query";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { OfferService } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { useParams } from "@tanstack/react-router";
import { NotFound } from "../app/NotFound.tsx";
import { BRAND, usePlans } from "./catalog.ts";
import { PlanParts, ShopFrame } from "./Shop.tsx";

/** The plans of a site name; the page of an unknown address if nothing that is sold has the name. */
export function PlanPage() {
  const { locale } = useLanguage();
  const { siteName } = useParams({ from: "/plans/$siteName" });
  const siteNames = [siteName.slice(0, LONGEST)];
  const offers = useQuery(OfferService.method.getOffersBySiteName, { brand: BRAND, siteNames });
  const products = useQuery(ProductService.method.getProductsBySiteName, { siteNames });
  const plans = usePlans(locale);
  const all = plans.data;
  const ids = offers.data && products.data && [...offers.data.offers, ...products.data.products].map(({ id }) => id);
  const data = ids &&
    all && { all, shown: all.filter((one) => ids.includes(one.offer.id) || ids.includes(one.product.id)) };
  if (data?.shown.length === 0) return <NotFound />;
  const query = {
    data,
    error: offers.error ?? products.error ?? plans.error,
    isFetching: offers.isFetching || products.isFetching || plans.isFetching,
    refetch: () => Promise.all([offers.refetch(), products.refetch(), plans.refetch()]),
  };
  return (
    <ShopFrame>
      <Loaded query={query} lines={8}>
        {(found) => <PlanParts shown={found.shown} plans={found.all} />}
      </Loaded>
    </ShopFrame>
  );
}

/** The most letters of a name that the server reads. */
const LONGEST = 64;
