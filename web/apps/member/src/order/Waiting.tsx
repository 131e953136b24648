// The progress between the payment and the active plan.
import { useLingui } from "@lingui/react";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderStatus } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useSlow } from "@pavise/ui/Slow.tsx";
import page from "@pavise/ui/Part.module.css";
import styles from "./Order.module.css";

/** The stages; the current one is marked. After a while the page says that the member need not wait. */
export function Waiting({ order, onRetry }: { order: Order; onRetry: () => void }) {
  const { _ } = useLingui();
  const { slow, again } = useSlow();
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
      {slow ? (
        <Note
          spoken
          title={_("waiting.long.title")}
          actions={
            <>
              <Button
                onPress={() => {
                  again();
                  onRetry();
                }}
              >
                {_("ui.error.retry")}
              </Button>
              <Link href="/plans">{_("waiting.long.plans")}</Link>
            </>
          }
        >
          {_("waiting.long.detail")}
        </Note>
      ) : null}
    </section>
  );
}
