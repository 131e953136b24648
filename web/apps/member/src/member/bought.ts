// The product of a plan as it was bought.
import { useQuery } from "@connectrpc/connect-query";
import type { Benefit } from "@pavise/schema/pavise/catalog/v1/benefit_pb";
import type { Product } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";

type Bought = { product: Product | undefined; benefits: readonly Benefit[] | undefined };

/** The frozen version with its benefits; without one, the product as it is sold now. A product can be gone. */
export function useBought(productId: string, version: number): Bought {
  const { getProduct, getProductVersion } = ProductService.method;
  const frozen = useQuery(getProductVersion, { productId, version }, { retry: false, enabled: version > 0 }).data;
  const now = useQuery(getProduct, { productId }, { retry: false, enabled: version === 0 }).data;
  return { product: frozen?.product ?? now, benefits: frozen?.benefits };
}
