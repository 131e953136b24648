// The choice of the shown product, tier and price of an offer (001 §1, §9; 002 §9).
import type { BillingPeriod } from "./billing-period.ts";

/** A list price in a billing period, in minor units. */
export interface ListPrice {
  readonly billingPeriod: BillingPeriod;
  readonly initial: bigint;
  /** The price of later periods; by default the initial price. */
  readonly renewal?: bigint | undefined;
}

/** A tier of a product. */
export interface TierChoice {
  readonly id: string;
  readonly name: string;
  readonly prices: readonly ListPrice[];
}

/** A product within an offer. */
export interface ProductChoice {
  readonly id: string;
  readonly group: string;
  readonly tiers: readonly TierChoice[];
  /** Countries of sale; empty for all. */
  readonly countries: readonly string[];
  /** Markets of sale; empty for all. */
  readonly markets: readonly string[];
  /** Regions of sale, by abbreviation; empty for all. */
  readonly localities: readonly string[];
}

/** An offer with its products. */
export interface OfferChoice {
  readonly id: string;
  /** Regions of sale, by abbreviation; empty for all. */
  readonly localities: readonly string[];
  readonly products: readonly ProductChoice[];
}

/** A tier with its price in the requested period. */
export interface PricedTier {
  readonly product: ProductChoice;
  readonly tier: TierChoice;
  readonly price: ListPrice;
}

/** The group's first product with a tier of that name, in offers of the locality if one is given. */
export function findProduct(
  offers: readonly OfferChoice[],
  group: string,
  tierName: string,
  locality?: string,
): { offer: OfferChoice; product: ProductChoice; tier: TierChoice } | undefined {
  for (const offer of offers) {
    if (locality !== undefined && !includes(offer.localities, locality)) continue;
    for (const product of offer.products) {
      const tier = product.group === group ? product.tiers.find(({ name }) => name === tierName) : undefined;
      if (tier !== undefined) return { offer, product, tier };
    }
  }
  return undefined;
}

/** The filter of listed price tiers. */
export interface TierQuery {
  readonly billingPeriod: BillingPeriod;
  readonly by: "initial" | "renewal";
  readonly country: string;
  readonly market: string;
  /** When a region is required: only tiers available there. */
  readonly region?: string | undefined;
}

/** The tiers with a price in the wanted period, of products available there, by rising price. */
export function listPriceTiers(products: readonly ProductChoice[], query: TierQuery): PricedTier[] {
  return products
    .filter(({ countries, markets }) => includes(countries, query.country) && includes(markets, query.market))
    .filter(({ localities }) => query.region === undefined || includes(localities, query.region))
    .flatMap((product) => product.tiers.flatMap((tier) => priced(product, tier, query.billingPeriod)))
    .toSorted((left, right) => compare(amount(left.price, query.by), amount(right.price, query.by)));
}

/** The preferences of the tier selection. */
export interface TierPreference {
  /** The preferred tier name, which takes precedence over a cheaper tier. */
  readonly name?: string | undefined;
  /** Only tiers whose name includes 3B. */
  readonly only3B?: boolean | undefined;
}

/** The tier of that name, else the cheapest by monthly initial list price. */
export function selectTier(
  product: ProductChoice,
  { name, only3B = false }: TierPreference = {},
): TierChoice | undefined {
  const tiers = only3B ? product.tiers.filter((tier) => tier.name.includes("3B")) : product.tiers;
  const preferred = name === undefined ? undefined : tiers.find((tier) => tier.name === name);
  return preferred ?? cheapest(tiers.flatMap((tier) => priced(product, tier, "MONTHLY")))?.tier;
}

/** The cheapest product of a group by monthly initial list price, among those sold in the locality. */
export function selectProduct(
  products: readonly ProductChoice[],
  group: string,
  locality: string,
): ProductChoice | undefined {
  const sold = products.filter((product) => product.group === group && includes(product.localities, locality));
  return cheapest(sold.flatMap((product) => product.tiers.flatMap((tier) => priced(product, tier, "MONTHLY"))))
    ?.product;
}

/** Features that count as another: in the Legal family businessPlus is a home business feature (000 §3). */
export function featureKeys(family: string, key: string): readonly string[] {
  return family === "Legal" && key === "businessPlus" ? ["homeBusiness_v4", "homeBusiness_v2"] : [key];
}

function priced(product: ProductChoice, tier: TierChoice, period: BillingPeriod): PricedTier[] {
  return tier.prices.filter(({ billingPeriod }) => billingPeriod === period).map((price) => ({ product, tier, price }));
}

function cheapest(tiers: readonly PricedTier[]): PricedTier | undefined {
  return tiers.toSorted((left, right) => compare(left.price.initial, right.price.initial))[0];
}

function amount(price: ListPrice, by: "initial" | "renewal"): bigint {
  return by === "initial" ? price.initial : (price.renewal ?? price.initial);
}

/** An empty list means everywhere. */
function includes(list: readonly string[], one: string): boolean {
  return list.length === 0 || list.includes(one);
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
