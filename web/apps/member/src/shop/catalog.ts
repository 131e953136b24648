// The products for sale, and the price of a choice: always the server's own figures.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport, callUnaryMethod } from "@connectrpc/connect-query";
import { OfferService, type ValidateSelectionsRequestSchema } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { OfferType, SalesChannelKind, type Offer } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { ProductFamily, type Product } from "@pavise/schema/pavise/catalog/v1/product_pb";
import type { Supplement, Tier } from "@pavise/schema/pavise/catalog/v1/product_part_pb";
import { SelectionProblemKind } from "@pavise/schema/pavise/catalog/v1/selection_pb";
import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { Cart } from "@pavise/rules/cart.ts";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { regionCode } from "../app/regions.ts";
import { currencyFor, LOCALES } from "../app/words.ts";

/** The brand of this shop. */
export const BRAND = "pavise";

/** A product within the offer that sells it. */
export type Plan = { offer: Offer; product: Product; tiers: readonly Tier[]; supplements: readonly Supplement[] };

/** Families in the order of the shop. */
const ORDER = [ProductFamily.LEGAL, ProductFamily.IDENTITY, ProductFamily.BUSINESS];

/** The plans that are sold directly, in the locale's currency, with those on trial of which the member is in the cohort. */
export function usePlans(locale: LocaleId) {
  const offers = useQuery(OfferService.method.listOffers, {
    brand: BRAND,
    pageSize: 100,
    channel: SalesChannelKind.D2C,
    currency: currencyFor(locale),
  });
  const products = useQuery(ProductService.method.listProducts, { pageSize: 100 });
  const data = offers.data && products.data ? joinPlans(offers.data.offers, products.data.products) : undefined;
  return {
    data,
    error: offers.error ?? products.error,
    isFetching: offers.isFetching || products.isFetching,
    refetch: () => Promise.all([offers.refetch(), products.refetch()]),
  };
}

/** Whether the plan is on trial. */
export const isTrial = ({ offer }: Plan) => offer.type === OfferType.EXPERIMENTAL;

/** The plans of offers, in the order of the shop; those on trial come last. */
export function joinPlans(offers: readonly Offer[], products: readonly Product[]): Plan[] {
  const plans = offers.flatMap((offer) =>
    offer.products.flatMap((sold) => {
      const product = products.find((one) => one.id === sold.productId);
      if (!product) return [];
      return [
        {
          offer,
          product,
          tiers: kept(product.tiers, sold.tierIds),
          supplements: kept(product.supplements, sold.supplementIds),
        },
      ];
    }),
  );
  return plans.toSorted((one, other) => place(one) - place(other));
}

/** The items with these ids; all items when there are no ids. */
function kept<T extends { id: string }>(all: readonly T[], ids: readonly string[]): readonly T[] {
  return ids.length === 0 ? all : all.filter((one) => ids.includes(one.id));
}

function place(plan: Plan): number {
  const at = ORDER.indexOf(plan.product.family);
  return (at < 0 ? ORDER.length : at) + (isTrial(plan) ? ORDER.length + 1 : 0);
}

/** The choice as the server's request. */
export type Choice = {
  offerId: string;
  selections: { productId: string; tierId: string; supplementIds: string[] }[];
};

/** The plan of each chosen product: the first that sells the chosen tier. Products that are no longer sold are left out. */
export function chosenPlans(cart: Cart, plans: readonly Plan[]): Plan[] {
  return cart.products.flatMap((productId) => {
    const sells = ({ product, tiers }: Plan) =>
      product.id === productId && tiers.some(({ id }) => id === cart.tiers[productId]);
    return plans.find(sells) ?? [];
  });
}

/** The offers of a cart with the chosen items of each. */
export function choices(cart: Cart, plans: readonly Plan[]): Choice[] {
  const found = new Map<string, Choice>();
  for (const plan of chosenPlans(cart, plans)) {
    const productId = plan.product.id;
    const tierId = cart.tiers[productId] ?? "";
    const choice = found.get(plan.offer.id) ?? { offerId: plan.offer.id, selections: [] };
    choice.selections.push({ productId, tierId, supplementIds: [...(cart.supplements[productId] ?? [])] });
    found.set(plan.offer.id, choice);
  }
  return [...found.values()];
}

/** The billing period of a cart: the same for all of its products, monthly by default (001 §9). */
export function cartPeriod(cart: Cart): BillingPeriod {
  const [said] = [...Object.values(cart.billingPeriods ?? {}), cart.productOptions?.[PERIOD]];
  return said === "ANNUAL" ? BillingPeriod.ANNUAL : BillingPeriod.MONTHLY;
}

/** The option that holds the period of an empty cart: periods of products not chosen are not kept (001 §5). */
const PERIOD = "period";

/** The cart with that billing period. */
export function withPeriod(cart: Cart, period: BillingPeriod): Cart {
  if (period !== BillingPeriod.ANNUAL) return { ...cart, billingPeriods: {}, productOptions: {} };
  const billingPeriods = Object.fromEntries(cart.products.map((product) => [product, "ANNUAL" as const]));
  return { ...cart, billingPeriods, productOptions: { [PERIOD]: "ANNUAL" } };
}

/** The cart with the product in that tier; without the product when the tier was already chosen. */
export function toggled(cart: Cart, productId: string, tierId: string): Cart {
  const { [productId]: had, ...tiers } = cart.tiers;
  const { [productId]: _left, ...supplements } = cart.supplements;
  const products = cart.products.filter((one) => one !== productId);
  const next =
    had === tierId
      ? { products, tiers }
      : { products: [...products, productId], tiers: { ...tiers, [productId]: tierId } };
  return withPeriod({ ...cart, ...next, supplements }, cartPeriod(cart));
}

/** The cart with or without a supplement. */
export function withSupplement(cart: Cart, productId: string, supplementId: string, on: boolean): Cart {
  const others = (cart.supplements[productId] ?? []).filter((one) => one !== supplementId);
  const chosen = on ? [...others, supplementId] : others;
  const { [productId]: _before, ...rest } = cart.supplements;
  return { ...cart, supplements: chosen.length === 0 ? rest : { ...rest, [productId]: chosen } };
}

export type Pricing = { period: BillingPeriod; region: string; locale: LocaleId };

/** The price of each choice, in request order. The previous price stays until the new one arrives. */
export function usePrices(asked: readonly Choice[], { period, region, locale }: Pricing) {
  const transport = useTransport();
  return useQueries({
    queries: asked.map(({ offerId, selections }) =>
      priceQuery(transport, {
        brand: BRAND,
        offerId,
        selections,
        billingPeriod: period,
        currency: currencyFor(locale),
        locality: regionCode(region),
        channel: SalesChannelKind.D2C,
        locale: LOCALES[locale],
      }),
    ),
  });
}

/** The query of a price. */
export function priceQuery(transport: Transport, input: MessageInitShape<typeof ValidateSelectionsRequestSchema>) {
  const schema = OfferService.method.validateSelections;
  return {
    queryKey: createConnectQueryKey({ schema, input, transport, cardinality: "finite" }),
    queryFn: ({ signal }: { signal: AbortSignal }) => callUnaryMethod(transport, schema, input, { signal }),
    placeholderData: keepPreviousData,
  };
}

/** Problems that say that an item is not sold in the buyer's region. */
export function notSoldThere(kinds: readonly SelectionProblemKind[]): boolean {
  return kinds.includes(SelectionProblemKind.LOCALITY_NOT_ALLOWED);
}

/** Whether the missing region of the buyer is the only problem. */
export function onlyWhere(kinds: readonly SelectionProblemKind[]): boolean {
  return kinds.every((kind) => kind === SelectionProblemKind.LOCALITY_MISSING);
}
