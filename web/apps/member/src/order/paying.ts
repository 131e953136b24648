// Pays an order with a stored card, or with a new card that is stored first.
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { PaymentMethodType, Vendor } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { useQueryClient } from "@tanstack/react-query";
import type { cardOf } from "./CardForm.tsx";

/** A card as the contract takes it. */
type Card = NonNullable<ReturnType<typeof cardOf>>;

/** Pays with a payment method or a new card. `onAdded` runs once the card is stored, even if the payment fails. */
export function usePaying(order: Order, onAdded: (card: Card) => void) {
  const { transport } = useKeeper();
  const client = useQueryClient();
  const { pending, error, run } = useAttempt();
  const { getOrder, purchaseOrder } = OrderService.method;
  const identityId = order.ownerId;

  async function add(card: Card): Promise<string> {
    const { id } = await callUnaryMethod(transport, PaymentMethodService.method.createPaymentMethod, {
      identityId,
      paymentMethod: {
        type: PaymentMethodType.CREDIT_CARD,
        vendor: Vendor.TEST,
        ...card,
        ...(order.address ? { billingAddress: order.address } : {}),
      },
    });
    onAdded(card);
    return id;
  }

  async function purchase(method: string | Card, buyAgain: boolean): Promise<void> {
    try {
      const purchased = await callUnaryMethod(transport, purchaseOrder, {
        orderId: order.id,
        identityId,
        paymentMethodId: typeof method === "string" ? method : await add(method),
        buyAgain,
        ...(order.totals?.due ? { expectedTotal: order.totals.due } : {}),
        ...(order.totals?.renewal ? { expectedRenewal: order.totals.renewal } : {}),
      });
      const input = { orderId: order.id, identityId };
      client.setQueryData(
        createConnectQueryKey({ schema: getOrder, input, transport, cardinality: "finite" }),
        purchased,
      );
    } catch (refused) {
      // The order may have a new price now, or be paid already.
      void client.invalidateQueries({ queryKey: createConnectQueryKey({ schema: getOrder, cardinality: "finite" }) });
      throw refused;
    }
  }

  return {
    pay: (method: string | Card, buyAgain = false) => void run(() => purchase(method, buyAgain)),
    pending,
    error,
  };
}
