// The progress between the payment and the active plan.
import { useLingui } from "@lingui/react";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderStatus } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useEffect, useState } from "react";
import page from "@pavise/ui/Part.module.css";
import styles from "./Order.module.css";

/** After this time the page says that the member need not wait. */
const PATIENCE = 20_000;

/** The stages; the current one is marked. */
export function Waiting({ order }: { order: Order }) {
  const { _ } = useLingui();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  const at = order.status === OrderStatus.PROCESSING ? 0 : 1;
  return (
    <section className={styles.waiting}>
      <div className={page.intro}>
        <PageTitle>{_("waiting.title")}</PageTitle>
        <p className={page.soft}>{_("waiting.lead")}</p>
      </div>
      <ol className={styles.stages}>
        {["waiting.payment", "waiting.plan", "waiting.active"].map((stage, index) => (
          <li key={stage} data-done={index < at ? "" : undefined} data-current={index === at ? "" : undefined}>
            {_(stage)}
            {index < at ? <IconCheck /> : null}
          </li>
        ))}
      </ol>
      <ProgressBar label={_("waiting.progress")} />
      {long ? (
        <Note title={_("waiting.long.title")} actions={<Link href="/plans">{_("waiting.long.plans")}</Link>}>
          {_("waiting.long.detail")}
        </Note>
      ) : null}
    </section>
  );
}
