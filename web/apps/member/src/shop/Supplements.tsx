// The supplements of a chosen tier, each with its list price.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { isoDay, todayText, type Day } from "@pavise/rpc/today.ts";
import type { Supplement } from "@pavise/schema/pavise/catalog/v1/product_part_pb";
import type { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import type { Currency, Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { Checkbox } from "@pavise/ui/Choices.tsx";
import { localized, priceText } from "../app/words.ts";
import type { Plan } from "./catalog.ts";
import styles from "./Shop.module.css";

export type SupplementsProps = {
  plan: Plan;
  tierId: string;
  /** The ids of the chosen ones. */
  chosen: readonly string[];
  period: BillingPeriod;
  currency: Currency;
  onChange: (supplementId: string, on: boolean) => void;
};

/** The supplements that go with the tier; empty when there are none. */
export function Supplements({ plan, tierId, chosen, period, currency, onChange }: SupplementsProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const fitting = plan.supplements.filter(({ tierIds }) => tierIds.length === 0 || tierIds.includes(tierId));
  if (fitting.length === 0) return null;
  return (
    <div>
      <h3>{_("cart.supplements")}</h3>
      {fitting.map((supplement) => (
        <div key={supplement.id} className={styles.supplement}>
          <Checkbox
            isSelected={chosen.includes(supplement.id)}
            onChange={(on) => onChange(supplement.id, on)}
            detail={localized(supplement.descriptions, locale)}
          >
            {localized(supplement.names, locale) || supplement.name}
          </Checkbox>
          <span className={styles.supplementPrice}>
            {priceText(listPrice(supplement, period, currency), locale, period)}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The list price of a supplement today. The server's price of the cart is the final one. */
function listPrice(supplement: Supplement, period: BillingPeriod, currency: Currency): Money | undefined {
  const today = todayText();
  return supplement.prices.find(
    (price) =>
      price.billingPeriod === period &&
      price.initial?.currency === currency &&
      day(price.effectiveFrom, "0000") <= today &&
      today <= day(price.effectiveUntil, "9999"),
  )?.initial;
}

/** A day as text that sorts. */
function day(date: Day | undefined, otherwise: string): string {
  return date ? isoDay(date) : otherwise;
}
