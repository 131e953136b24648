// Follows an order while the platform works on it.
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** Reads the order again at each of its changes. The page polls as well, for the time without a stream. */
export function useWatchedOrder(orderId: string, identityId: string, underWay: boolean): void {
  const { transport } = useKeeper();
  const client = useQueryClient();
  useEffect(() => {
    if (!underWay || identityId === "") return undefined;
    const gone = new AbortController();
    const input = { orderId, identityId };
    const schema = OrderService.method.getOrder;
    const queryKey = createConnectQueryKey({ schema, input, transport, cardinality: "finite" });
    const readAgain = () => void client.invalidateQueries({ queryKey });
    follow(transport, input, gone.signal, readAgain).catch(() => undefined);
    return () => gone.abort();
  }, [client, transport, orderId, identityId, underWay]);
}

async function follow(
  transport: Transport,
  input: { orderId: string; identityId: string },
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const changes = createClient(OrderService, transport).watchOrder(input, { signal });
  for await (const { clock } of changes) {
    if (clock > 0n) onChange();
  }
}
