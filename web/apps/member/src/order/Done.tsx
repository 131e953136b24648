// The plan is active: what it gives now, and where to find it.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { StatusDot } from "@pavise/ui/Value.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { CancelOrder } from "../member/CancelOrder.tsx";
import { priceText } from "../app/words.ts";
import page from "@pavise/ui/Part.module.css";
import styles from "./Order.module.css";

/** The confirmation. */
export function Done({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const client = useQueryClient();
  // Plans, subscriptions and invoices were read before the purchase, to mark what the member has: read them again.
  useEffect(() => {
    void client.invalidateQueries();
  }, [client]);
  return (
    <section className={styles.waiting}>
      <div className={page.intro}>
        <PageTitle>{_("done.title")}</PageTitle>
        <p className={page.soft}>{_("done.lead", { price: priceText(order.totals?.total, locale) })}</p>
      </div>
      <div className={page.rows}>
        {order.offers
          .flatMap(({ lines }) => lines)
          .filter(({ supplementId }) => supplementId === "")
          .map((line) => (
            <div key={line.productId} className={page.line}>
              <span className={page.name}>{line.name}</span>
              <StatusDot tone="good">{_("plan.status.ACTIVE")}</StatusDot>
            </div>
          ))}
      </div>
      <div className={page.actions}>
        <Link kind="primary" href="/home">
          {_("done.home")}
        </Link>
        <Link kind="quiet" href="/plans">
          {_("done.plans")}
        </Link>
        <CancelOrder order={order} />
      </div>
    </section>
  );
}
