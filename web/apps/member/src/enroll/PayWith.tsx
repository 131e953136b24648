// The payment method of an employee who pays by themselves: a stored card, or a new one that is stored first.
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  PaymentMethodStatus,
  PaymentMethodType,
  Vendor,
  type PaymentMethod,
} from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { now, today } from "@pavise/rpc/day.ts";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import type { AddressSchema } from "@pavise/schema/pavise/common/v1/place_pb";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { offered, useDeclined, usePaymentMethods } from "../member/holdings.ts";
import { CardForm, cardOf, NO_CARD, TestCards, type CardDraft } from "../order/CardForm.tsx";
import { ANOTHER, Methods, REASONS } from "../order/Payment.tsx";

/** The stored cards, the chosen one, and a typed one. `store` answers the id of the method, and stores a typed card. */
export function usePayWith({ ownerId, groupId, paymentMethodId, failure }: GroupEnrollment) {
  const { transport } = useKeeper();
  const client = useQueryClient();
  const declined = useDeclined();
  const { data } = usePaymentMethods();
  const usable = offered(data?.paymentMethods.filter((method) => canPay(method, groupId)) ?? [], declined);
  const [choice, setChoice] = useState<string>();
  const [card, setCard] = useState<CardDraft>(NO_CARD);
  const [day] = useState(today);
  const saved = usable.find(({ id }) => id === paymentMethodId) ?? usable[0];
  const hasFailed = (id: string) =>
    declined.has(id) || (id === paymentMethodId && failure !== undefined && REASONS.has(failure.reason));
  const chosen = choice ?? (saved === undefined || hasFailed(saved.id) ? ANOTHER : saved.id);
  const method = chosen === ANOTHER ? cardOf(card, day) : chosen;

  async function store(billingAddress: MessageInitShape<typeof AddressSchema>): Promise<string> {
    if (method === undefined || typeof method === "string") return method ?? "";
    const { createPaymentMethod, listPaymentMethods } = PaymentMethodService.method;
    const paymentMethod = { type: PaymentMethodType.CREDIT_CARD, vendor: Vendor.TEST, ...method, billingAddress };
    const { id } = await callUnaryMethod(transport, createPaymentMethod, { identityId: ownerId, paymentMethod });
    const queryKey = createConnectQueryKey({ schema: listPaymentMethods, cardinality: "finite" });
    await client.invalidateQueries({ queryKey });
    // Another attempt does not store it again.
    setChoice(id);
    setCard(NO_CARD);
    return id;
  }
  return { usable, declined, chosen, choose: setChoice, card, setCard, method, store };
}

/** The choice, and the form of a new card. */
export function PayWith(props: ReturnType<typeof usePayWith> & { checked: boolean }) {
  const { _ } = useLingui();
  const { usable, declined, chosen, choose, card, setCard, checked } = props;
  return (
    <Part id="pay-with" title={_("enroll.payWith")}>
      {usable.length > 0 ? <Methods methods={usable} declined={declined} chosen={chosen} onChoose={choose} /> : null}
      {chosen === ANOTHER ? (
        <>
          <CardForm card={card} onChange={setCard} checked={checked} />
          <TestCards onUse={(test) => setCard({ ...card, ...test })} />
        </>
      ) : null}
    </Part>
  );
}

/** Active cards, without those that rest after a decline or belong to another group. */
function canPay({ status, card, groupId, cooldownUntil }: PaymentMethod, group: string): boolean {
  const isResting = cooldownUntil !== undefined && Number(cooldownUntil.seconds) * 1000 > now();
  const isOwn = groupId === "" || groupId === group;
  return status === PaymentMethodStatus.ACTIVE && card !== undefined && isOwn && !isResting;
}
