// The cost of an order: its lines, the tax, the amount due.
import { useLingui } from "@lingui/react";
import { Part } from "@pavise/ui/Part.tsx";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderStatus } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { priceText } from "../app/words.ts";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

/** The order as the server priced it. */
export function OrderSummary({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { totals } = order;
  const paid = order.status === OrderStatus.PROVISIONED;
  return (
    <Part id="summary" title={_("summary.title")}>
      <div className={page.rows}>
        {order.offers
          .flatMap(({ lines }) => lines)
          .map((line) => (
            <div key={`${line.productId} ${line.supplementId}`} className={page.line}>
              <span>{line.name}</span>
              <span>{priceText(line.initialPrice, locale)}</span>
            </div>
          ))}
        <div className={page.line}>
          <span>{_("summary.taxes")}</span>
          <span>{priceText(totals?.tax, locale)}</span>
        </div>
      </div>
      <div>
        <div className={`${frame.sum} ${frame.total}`}>
          <span>{_(paid ? "summary.paid" : "summary.now")}</span>
          <span>{priceText(paid ? totals?.total : totals?.due, locale)}</span>
        </div>
        <p className={page.small}>
          {_("summary.renewal", { price: priceText(totals?.renewal, locale, order.billingPeriod) })}
        </p>
      </div>
    </Part>
  );
}
