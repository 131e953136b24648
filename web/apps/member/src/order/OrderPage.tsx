// An order: its price with tax, its payment, and its progress until the plan is active.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { now } from "@pavise/rpc/day.ts";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderStatus } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { useSession } from "@pavise/session/Session.tsx";
import { useParams } from "@tanstack/react-router";
import { Site } from "../app/Frame.tsx";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { againAfter } from "../member/cancelling.ts";
import { Done } from "./Done.tsx";
import { OrderSummary } from "./OrderSummary.tsx";
import { Payment } from "./Payment.tsx";
import { Steps } from "./Steps.tsx";
import { TakenBack } from "./TakenBack.tsx";
import { Waiting } from "./Waiting.tsx";
import { useWatchedOrder } from "./watching.ts";
import page from "../app/Page.module.css";

/** Statuses in which the platform works on the order: the page follows its changes, and polls with back-off. */
const UNDER_WAY: ReadonlySet<OrderStatus> = new Set([
  OrderStatus.PROCESSING,
  OrderStatus.FUNDED,
  OrderStatus.FULLY_FUNDED,
]);
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4_000;

/** The order that the address names. */
export function OrderPage() {
  const { orderId } = useParams({ from: "/pages/orders/$orderId" });
  const session = useSession();
  const query = useQuery(
    OrderService.method.getOrder,
    { orderId, identityId: session?.identityId ?? "" },
    {
      enabled: session !== undefined,
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data && UNDER_WAY.has(state.data.status)
          ? Math.min(LONGEST_WAIT, FIRST_WAIT * 1.3 ** Math.min(state.dataUpdateCount, 12))
          : againAfter(state.data ? [state.data] : [], now()),
    },
  );
  const status = query.data?.status;
  useWatchedOrder(orderId, session?.identityId ?? "", status !== undefined && UNDER_WAY.has(status));
  return (
    <Site>
      <div className={page.wide}>
        <Loaded query={query} lines={6}>
          {(order) => <Stage order={order} onRetry={() => void query.refetch()} />}
        </Loaded>
      </div>
    </Site>
  );
}

function Stage({ order, onRetry }: { order: Order; onRetry: () => void }) {
  const { _ } = useLingui();
  if (order.cancellation !== undefined) return <TakenBack order={order} />;
  const done = order.status === OrderStatus.PROVISIONED;
  const working = UNDER_WAY.has(order.status);
  return (
    <>
      <Steps current={done ? "done" : "payment"} />
      <p className="visually-hidden" role="status">
        {done ? _("done.title") : working ? _("waiting.title") : ""}
      </p>
      <div className={page.columns}>
        {done ? (
          <Done order={order} />
        ) : working ? (
          <Waiting order={order} onRetry={onRetry} />
        ) : (
          <Payment order={order} />
        )}
        <div className={page.aside}>
          <OrderSummary order={order} />
        </div>
      </div>
    </>
  );
}
