// The shop: the plans, their tiers, and the price of each in the visitor's region.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { ProductFamily, type Product } from "@pavise/schema/pavise/catalog/v1/product_pb";
import type { Tier } from "@pavise/schema/pavise/catalog/v1/product_part_pb";
import type { ValidateSelectionsResponse } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { NativeButton, NativeRadios } from "@pavise/ui/Native.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Skeleton } from "@pavise/ui/Skeleton.tsx";
import { Slow } from "@pavise/ui/Slow.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { useSession } from "@pavise/session/Session.tsx";
import { lazy, type ReactNode, Suspense } from "react";
import { Benefits } from "../app/Benefits.tsx";
import { Site } from "../app/Frame.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { regionChoices, regionName } from "../app/regions.ts";
import { RouterLink } from "../app/RouterLink.tsx";
import { LOCALES, localized, priceText } from "../app/words.ts";
import { buyingHref, useCart } from "./cart.ts";
import {
  cartPeriod,
  choices,
  isTrial,
  notSoldThere,
  toggled,
  usePlans,
  usePrices,
  withPeriod,
  type Plan,
} from "./catalog.ts";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";
import styles from "./Shop.module.css";

const Held = lazy(async () => ({ default: (await import("./Held.tsx")).Held }));
const Trials = lazy(async () => (await import("./Trials.tsx")).loadTrials());

/** The plans. */
export function Shop() {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const plans = usePlans(locale);
  return (
    <ShopFrame>
      <Loaded query={plans} lines={8}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title={_("shop.none")} />
          ) : (
            <PlanParts shown={found.filter((plan) => !isTrial(plan))} plans={found}>
              {found.some(isTrial) ? (
                <Suspense fallback={null}>
                  <Trials plans={found} />
                </Suspense>
              ) : null}
            </PlanParts>
          )
        }
      </Loaded>
    </ShopFrame>
  );
}

/** The page around plans: its title, the region and the billing period. */
export function ShopFrame({ children }: { children: ReactNode }) {
  const { _ } = useLingui();
  return (
    <Site>
      <div className={frame.wide}>
        <div className={page.intro}>
          <PageTitle>{_("shop.title")}</PageTitle>
          <p className={frame.lead}>{_("shop.lead")}</p>
        </div>
        <Settings />
        {children}
      </div>
    </Site>
  );
}

export type PlanPartsProps = { shown: readonly Plan[]; plans: readonly Plan[]; children?: ReactNode };

/** Some of the plans to choose from, further parts, and the cart, which may hold other plans, too. */
export function PlanParts({ shown, plans, children }: PlanPartsProps) {
  return (
    <>
      <div className={styles.plans}>
        {shown.map((plan) => (
          <PlanPart key={`${plan.offer.id} ${plan.product.id}`} plan={plan} />
        ))}
      </div>
      {children}
      <CartBar plans={plans} />
    </>
  );
}

/** The region and billing period, on which prices depend. */
export function Settings({ error }: { error?: string | undefined }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart, put } = useCart();
  const annual = cartPeriod(cart) === BillingPeriod.ANNUAL;
  return (
    <div className={styles.settings}>
      <NativeSelect
        label={_("shop.region")}
        className={styles.region}
        choices={regionChoices(locale)}
        value={cart.region || null}
        onChange={(region) => put({ ...cart, region })}
        placeholder={_("shop.region.choose")}
        error={error}
      />
      <NativeRadios
        label={_("shop.period")}
        choices={[
          { id: "MONTHLY", label: _("shop.period.monthly") },
          { id: "ANNUAL", label: _("shop.period.annual") },
        ]}
        value={annual ? "ANNUAL" : "MONTHLY"}
        onChange={(chosen) => put(withPeriod(cart, chosen === "ANNUAL" ? BillingPeriod.ANNUAL : BillingPeriod.MONTHLY))}
      />
    </div>
  );
}

const FAMILIES: Readonly<Partial<Record<ProductFamily, string>>> = {
  [ProductFamily.LEGAL]: "shop.family.legal",
  [ProductFamily.IDENTITY]: "shop.family.identity",
  [ProductFamily.BUSINESS]: "shop.family.business",
};

/** A plan with the prices of its tiers. */
export function PlanPart({ plan }: { plan: Plan }) {
  const { locale } = useLanguage();
  const { cart, put } = useCart();
  const period = cartPeriod(cart);
  const { product, offer } = plan;
  const prices = usePrices(
    plan.tiers.map(({ id }) => ({
      offerId: offer.id,
      selections: [{ productId: product.id, tierId: id, supplementIds: [] }],
    })),
    { period, region: cart.region, locale },
  );
  const failed = prices.find((price) => price.error !== null && price.data === undefined);
  const waits = prices.some((price) => price.data === undefined || price.isPlaceholderData);
  return (
    <section className={styles.plan} aria-labelledby={`plan-${product.id}`}>
      <PlanWords product={product} />
      <div>
        {waits && !failed ? <Slow /> : null}
        {failed ? (
          <Refused error={failed.error} onRetry={() => prices.forEach((price) => void price.refetch())} />
        ) : (
          <ul className={styles.tiers}>
            {plan.tiers.map((tier, index) => (
              <TierRow
                key={tier.id}
                tier={tier}
                name={localized(product.friendlyNames, locale)}
                price={prices[index]?.data}
                period={period}
                chosen={cart.tiers[product.id] === tier.id && cart.products.includes(product.id)}
                onToggle={() => put(toggled(cart, product.id, tier.id))}
                region={cart.region}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** The benefits of a plan. Their heading names the section around it. */
export function PlanWords({ product }: { product: Product }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const marketing = product.marketing.find((text) => text.locale === LOCALES[locale]) ?? product.marketing[0];
  const family = FAMILIES[product.family];
  return (
    <div className={styles.about}>
      {family ? <p className={styles.family}>{_(family)}</p> : null}
      <h2 id={`plan-${product.id}`}>{localized(product.friendlyNames, locale) || product.name}</h2>
      <HeldMark productId={product.id} />
      {marketing ? <p className={page.soft}>{marketing.description}</p> : null}
      <Benefits product={product} />
    </div>
  );
}

/** Whether the member already has the product. */
export function HeldMark({ productId }: { productId: string }) {
  if (useSession() === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Held productId={productId} />
    </Suspense>
  );
}

type TierRowProps = {
  tier: Tier;
  /** The product's name, for screen readers that read the button alone. */
  name: string;
  price: ValidateSelectionsResponse | undefined;
  period: BillingPeriod;
  chosen: boolean;
  onToggle: () => void;
  region: string;
};

/** A tier with its price, and the button that chooses it. */
export function TierRow({ tier, name, price, period, chosen, onToggle, region }: TierRowProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const kinds = price?.problems.map(({ kind }) => kind) ?? [];
  const [line] = price?.lines ?? [];
  const tierName = localized(tier.names, locale) || tier.name;
  const regular = line?.renewalPrice;
  const first = line?.initialPrice;
  const cheaper = first && regular && first.amount < regular.amount ? first : undefined;
  return (
    <li className={styles.tier} data-chosen={chosen ? "" : undefined}>
      <div>
        <p className={styles.tierName}>{tierName}</p>
        {price === undefined ? (
          <Skeleton width="96px" height={24} />
        ) : regular ? (
          <p className={styles.price}>
            {priceText(regular, locale)}
            <small> / {_(period === BillingPeriod.ANNUAL ? "shop.year" : "shop.month")}</small>
          </p>
        ) : null}
        <p className={page.small}>
          {notSoldThere(kinds) ? _("shop.notThere", { region: regionName(region, locale) }) : people(tier, _)}
          {cheaper && !notSoldThere(kinds) ? ` · ${_("shop.first", { price: priceText(cheaper, locale) })}` : ""}
        </p>
      </div>
      <NativeButton
        kind={chosen ? "primary" : "secondary"}
        onPress={onToggle}
        isDisabled={price === undefined || notSoldThere(kinds)}
        aria-pressed={chosen}
        aria-label={_(chosen ? "shop.chosen.label" : "shop.choose.label", { plan: name, tier: tierName })}
      >
        {chosen ? <IconCheck /> : null}
        {_(chosen ? "shop.chosen" : "shop.choose")}
      </NativeButton>
    </li>
  );
}

function people(tier: Tier, say: (id: string, values?: Record<string, unknown>) => string): string {
  return tier.maxAuthorizedUsers === 0 ? say("shop.you") : say("shop.people", { count: tier.maxAuthorizedUsers });
}

/** The cart's contents, at the foot of the window. */
function CartBar({ plans }: { plans: readonly Plan[] }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart, parameter } = useCart();
  const period = cartPeriod(cart);
  const asked = choices(cart, plans);
  const prices = usePrices(asked, { period, region: cart.region, locale });
  if (asked.length === 0) return null;
  const totals = prices.flatMap((price) => price.data?.renewalTotal ?? []);
  const [first] = totals;
  const sum = first ? { ...first, amount: totals.reduce((all, { amount }) => all + amount, 0n) } : undefined;
  const count = asked.reduce((all, choice) => all + choice.selections.length, 0);
  return (
    <div className={styles.bar} role="region" aria-label={_("shop.cart")}>
      <div className={styles.barWords} aria-live="polite">
        <span className={page.name}>{_("shop.cart.plans", { count })}</span>
        <span className={page.small}>{sum ? priceText(sum, locale, period) : ""}</span>
      </div>
      <RouterLink kind="primary" href={buyingHref("/cart", parameter)}>
        {_("shop.continue")}
      </RouterLink>
    </div>
  );
}
