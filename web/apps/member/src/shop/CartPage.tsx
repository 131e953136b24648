// The cart: the chosen items, possible additions, the buyer's region.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { focusFirstWrong } from "@pavise/ui/focus.ts";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { Site } from "../app/Frame.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { regionName } from "../app/regions.ts";
import { currencyFor, localized } from "../app/words.ts";
import { buyingHref, useCart } from "./cart.ts";
import {
  cartPeriod,
  choices,
  chosenPlans,
  notSoldThere,
  onlyWhere,
  toggled,
  usePlans,
  usePrices,
  withSupplement,
  type Plan,
} from "./catalog.ts";
import { NothingChosen } from "./NothingChosen.tsx";
import { HeldMark, Settings } from "./Shop.tsx";
import { Summary } from "./Summary.tsx";
import { Supplements } from "./Supplements.tsx";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

/** The cart. */
export function CartPage() {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { parameter } = useCart();
  const plans = usePlans(locale);
  return (
    <Site>
      <div className={frame.wide}>
        <div className={page.intro}>
          <Link className={frame.back} href={buyingHref("/", parameter)}>
            {_("cart.back")}
          </Link>
          <PageTitle>{_("cart.title")}</PageTitle>
        </div>
        <Loaded query={plans} lines={6}>
          {(found) => <Contents plans={found} />}
        </Loaded>
      </div>
    </Site>
  );
}

function Contents({ plans }: { plans: readonly Plan[] }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart, parameter } = useCart();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const parts = useRef<HTMLDivElement>(null);
  const period = cartPeriod(cart);
  const wanted = choices(cart, plans);
  const chosen = chosenPlans(cart, plans);
  const prices = usePrices(wanted, { period, region: cart.region, locale });
  if (wanted.length === 0) return <NothingChosen />;
  const kinds = prices.flatMap((price) => price.data?.problems.map(({ kind }) => kind) ?? []);
  const failed = prices.find((price) => price.error !== null && price.data === undefined);
  const priced = prices.flatMap((price) => price.data ?? []);
  const ready = cart.region !== "" && kinds.length === 0 && priced.length === wanted.length;
  function go() {
    setAsked(true);
    if (cart.region === "" && parts.current) focusFirstWrong(parts.current);
    if (ready) void navigate({ to: "/checkout", search: { cart: parameter } });
  }
  return (
    <div className={frame.columns}>
      <div className={frame.parts} ref={parts}>
        <Settings error={asked && cart.region === "" ? _("cart.region") : undefined} />
        {notSoldThere(kinds) ? (
          <Note tone="warning" title={_("cart.notThere.title", { region: regionName(cart.region, locale) })} spoken>
            {_("cart.notThere.detail")}
          </Note>
        ) : kinds.length > 0 && !onlyWhere(kinds) ? (
          <Note tone="warning" title={_("cart.changed.title")} spoken>
            {_("cart.changed.detail")}
          </Note>
        ) : null}
        {plans
          .filter((plan) => chosen.includes(plan))
          .map((plan) => (
            <Chosen key={plan.product.id} plan={plan} period={period} />
          ))}
      </div>
      <div className={`${page.part} ${frame.aside}`}>
        {failed ? (
          <Refused error={failed.error} onRetry={() => prices.forEach((price) => void price.refetch())} />
        ) : null}
        {priced.length === 0 && !failed ? <SkeletonText lines={4} /> : <Summary priced={priced} period={period} />}
        <Button kind="primary" wide onPress={go}>
          {_("cart.continue")}
        </Button>
      </div>
    </div>
  );
}

function Chosen({ plan, period }: { plan: Plan; period: BillingPeriod }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart, put } = useCart();
  const { product } = plan;
  const tierId = cart.tiers[product.id] ?? "";
  const tier = plan.tiers.find(({ id }) => id === tierId);
  const name = localized(product.friendlyNames, locale) || product.name;
  return (
    <Part
      id={`chosen-${product.id}`}
      title={name}
      end={
        <Button
          kind="quiet"
          onPress={() => put(toggled(cart, product.id, tierId))}
          aria-label={_("cart.remove.label", { plan: name })}
        >
          {_("cart.remove")}
        </Button>
      }
    >
      <HeldMark productId={product.id} />
      <p className={page.soft}>
        {tier ? localized(tier.names, locale) : ""}
        {tier && tier.maxAuthorizedUsers > 0 ? ` · ${_("shop.people", { count: tier.maxAuthorizedUsers })}` : ""}
      </p>
      <Supplements
        plan={plan}
        tierId={tierId}
        chosen={cart.supplements[product.id] ?? []}
        period={period}
        currency={currencyFor(locale)}
        onChange={(id, on) => put(withSupplement(cart, product.id, id, on))}
      />
    </Part>
  );
}
