// An order that was cancelled: its plans, and what went back.
import { useLingui } from "@lingui/react";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { WentBack } from "../member/CancelOrder.tsx";
import { plansOn } from "../member/cancelling.ts";
import page from "@pavise/ui/Part.module.css";
import styles from "./Order.module.css";

/** The state of the cancellation. */
export function TakenBack({ order }: { order: Order }) {
  const { _ } = useLingui();
  return (
    <section className={styles.waiting}>
      <div className={page.intro}>
        <PageTitle>{_("cancel.over.title")}</PageTitle>
        <p className={page.soft}>{plansOn(order)}</p>
        <WentBack order={order} />
      </div>
      <div className={page.actions}>
        <Link kind="primary" href="/plans">
          {_("done.plans")}
        </Link>
      </div>
    </section>
  );
}
