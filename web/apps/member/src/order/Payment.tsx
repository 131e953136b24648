// Pays an order with a stored card or a new one. A declined payment shows its cause and the remedy.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { PaymentMethodStatus, type PaymentMethod } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { now, today } from "@pavise/rpc/day.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OfferStatusOnOrder } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useState } from "react";
import { useDraft } from "../app/draft.tsx";
import { priceText } from "../app/words.ts";
import { heldOf, heldProducts } from "../member/held.ts";
import { offered, useDeclined, useEntitlements } from "../member/holdings.ts";
import { BuyAgain } from "./BuyAgain.tsx";
import { brandName, CardForm, cardOf, NO_CARD, TestCards } from "./CardForm.tsx";
import { usePaying } from "./paying.ts";
import page from "@pavise/ui/Part.module.css";

/** The choice of a new card, in place of a payment method's id. */
export const ANOTHER = "another";
/** Reasons with words of their own. */
export const REASONS: ReadonlySet<string> = new Set([
  "INSUFFICIENT_FUNDS",
  "EXPIRED_CARD",
  "STOLEN_CARD",
  "CLOSED_ACCOUNT",
  "PAYMENT_METHOD_COOLING_DOWN",
  "TOO_MANY_DECLINES",
]);

/** The payment form. */
export function Payment({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { draft } = useDraft();
  const known = useQuery(PaymentMethodService.method.listPaymentMethods, { identityId: order.ownerId, pageSize: 50 });
  const declined = useDeclined();
  const usable = offered(known.data?.paymentMethods.filter((method) => canPay(method, order)) ?? [], declined);
  const [first] = usable;
  const [choice, setChoice] = useState<string | null>(null);
  const [card, setCard] = useState(NO_CARD);
  const [day] = useState(today);
  const { pay, pending, error } = usePaying(order, ({ card: { holderName } }) => {
    // The typed card is stored now, so another attempt begins with an empty form.
    setCard({ ...NO_CARD, holder: holderName });
    setChoice(ANOTHER);
  });
  const plans = useEntitlements().data?.entitlements;
  const held = plans ? heldOf(order, heldProducts(plans)) : [];
  const [meant, setMeant] = useState(false);
  // The server also knows of pending orders.
  const asks = held.length > 0 || meant || (error !== undefined && problemOf(error).reason === "PLAN_ALREADY_HELD");
  const chosen = choice ?? (first === undefined || declined.has(first.id) ? ANOTHER : first.id);
  // A buyer who comes back to an unpaid order has no draft: the order has their name.
  const buyer = draft.firstName ? draft : order.personalInfo;
  const typed = card.holder === "" && buyer ? { ...card, holder: `${buyer.firstName} ${buyer.lastName}`.trim() } : card;
  const method = chosen === ANOTHER ? cardOf(typed, day) : chosen;
  const failure = order.offers.find(({ status }) => status === OfferStatusOnOrder.PAYMENT_FAILED)?.failureReason ?? "";
  return (
    <Form
      right={method !== undefined && (!asks || meant)}
      error={error}
      onSend={() => (method === undefined ? undefined : pay(method, meant))}
    >
      {(checked) => (
        <>
          <div className={page.intro}>
            <PageTitle>{_("payment.title")}</PageTitle>
          </div>
          {failure && !pending ? <Declined reason={failure} /> : null}
          {error === undefined ? null : <Refused error={error} />}
          {usable.length > 0 ? (
            <Methods methods={usable} declined={declined} chosen={chosen} onChoose={setChoice} />
          ) : null}
          {chosen === ANOTHER ? <CardForm card={typed} onChange={setCard} checked={checked} /> : null}
          {asks ? <BuyAgain plans={held} meant={meant} onChange={setMeant} checked={checked} /> : null}
          <div className={page.actions}>
            <Button kind="primary" type="submit" isPending={pending}>
              {_("payment.pay", { price: priceText(order.totals?.due, locale) })}
            </Button>
          </div>
          <p className={page.small}>
            {_("payment.agree", { price: priceText(order.totals?.renewal, locale, order.billingPeriod) })}
          </p>
          {chosen === ANOTHER ? <TestCards onUse={(test) => setCard({ ...typed, ...test })} /> : null}
        </>
      )}
    </Form>
  );
}

/** Why the last payment was declined, and what to do. */
function Declined({ reason }: { reason: string }) {
  const { _ } = useLingui();
  return (
    <Note tone="danger" title={_("payment.declined.title")} spoken>
      {_(`payment.declined.${REASONS.has(reason) ? reason : "OTHER"}`)} {_("payment.declined.again")}
    </Note>
  );
}

/** The stored cards, and a new one. */
export function Methods({
  methods,
  declined,
  chosen,
  onChoose,
}: {
  methods: readonly PaymentMethod[];
  /** The cards whose last payment was declined. */
  declined: ReadonlyMap<string, unknown>;
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const { _ } = useLingui();
  return (
    <RadioGroup label={_("payment.method")} value={chosen} onChange={onChoose}>
      {methods.map(({ id, card }) => (
        <Radio
          key={id}
          value={id}
          detail={[
            _("payment.expires", {
              month: String(card?.expiryMonth ?? 0).padStart(2, "0"),
              year: String(card?.expiryYear ?? ""),
            }),
            ...(declined.has(id) ? [_("cards.declined.last")] : []),
          ].join(" · ")}
        >
          {_("payment.card", { brand: brandName(card?.brand), last4: card?.last4 ?? "" })}
        </Radio>
      ))}
      <Radio value={ANOTHER}>{_("payment.another")}</Radio>
    </RadioGroup>
  );
}

/** Active cards, without those that rest after a decline, were just declined, or belong to another group. */
function canPay(method: PaymentMethod, order: Order): boolean {
  const resting = method.cooldownUntil !== undefined && Number(method.cooldownUntil.seconds) * 1000 > now();
  const payer = method.groupId === "" || method.groupId === order.groupId;
  const failed = method.id === order.paymentMethodId;
  return method.status === PaymentMethodStatus.ACTIVE && method.card !== undefined && payer && !resting && !failed;
}
