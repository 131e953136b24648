// The cost of a cart, line by line.
import { useLingui } from "@lingui/react";
import { Part } from "@pavise/ui/Part.tsx";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { ValidateSelectionsResponse } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import type { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import type { Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { priceText } from "../app/words.ts";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

/** The sum of amounts in one currency; undefined for none. */
export function sum(amounts: readonly (Money | undefined)[]): Money | undefined {
  const said = amounts.filter((one) => one !== undefined);
  const [first] = said;
  return first ? { ...first, amount: said.reduce((all, { amount }) => all + amount, 0n) } : undefined;
}

export type SummaryProps = { priced: readonly ValidateSelectionsResponse[]; period: BillingPeriod };

/** The lines of a cart: the amounts due now and later, before tax. */
export function Summary({ priced, period }: SummaryProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const now = sum(priced.map(({ initialTotal }) => initialTotal));
  const later = sum(priced.map(({ renewalTotal }) => renewalTotal));
  return (
    <Part id="summary" title={_("summary.title")}>
      <div className={page.rows}>
        {priced
          .flatMap(({ lines }) => lines)
          .map((line) => (
            <div key={`${line.productId} ${line.supplementId}`} className={page.line}>
              <span>{line.name}</span>
              <span>{priceText(line.initialPrice, locale)}</span>
            </div>
          ))}
      </div>
      <div>
        <div className={`${frame.sum} ${frame.total}`}>
          <span>{_("summary.now")}</span>
          <span>{priceText(now, locale)}</span>
        </div>
        <p className={page.small}>
          {later && now && later.amount !== now.amount
            ? _("summary.later", { price: priceText(later, locale, period) })
            : _("summary.same", { price: priceText(later, locale, period) })}{" "}
          {_("summary.tax")}
        </p>
      </div>
    </Part>
  );
}
