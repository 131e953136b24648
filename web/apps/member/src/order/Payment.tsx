// Pays an order: with a card that is known already or with another; says why a payment was declined and what to do.
import { callUnaryMethod, createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import {
  PaymentMethodStatus,
  PaymentMethodType,
  Vendor,
  type PaymentMethod,
} from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OfferStatusOnOrder } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { focusFirstWrong } from "@pavise/ui/focus.ts";
import { Note } from "@pavise/ui/Notice.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useDraft } from "../app/draft.tsx";
import { Refused } from "../app/Loaded.tsx";
import { priceText } from "../app/words.ts";
import { brandName, CardForm, cardOf, NO_CARD, TestCards } from "./CardForm.tsx";
import page from "../app/Page.module.css";

/** In place of a payment method's id: another card. */
const ANOTHER = "another";
/** Reasons that have words of their own. */
const REASONS = new Set(["INSUFFICIENT_FUNDS", "EXPIRED_CARD", "STOLEN_CARD", "CLOSED_ACCOUNT", "PAYMENT_METHOD_COOLING_DOWN"]);

/** The form that pays. */
export function Payment({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { transport } = useKeeper();
  const { draft } = useDraft();
  const client = useQueryClient();
  const known = useQuery(PaymentMethodService.method.listPaymentMethods, { identityId: order.ownerId, pageSize: 50 });
  const usable = known.data?.paymentMethods.filter((method) => canPay(method, order)) ?? [];
  const [choice, setChoice] = useState<string | null>(null);
  const [card, setCard] = useState(NO_CARD);
  const [checked, setChecked] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const chosen = choice ?? usable[0]?.id ?? ANOTHER;
  // Whoever comes back to an order that was not paid is named in it.
  const buyer = draft.firstName ? draft : order.personalInfo;
  const typed = card.holder === "" && buyer ? { ...card, holder: `${buyer.firstName} ${buyer.lastName}`.trim() } : card;
  const failure = order.offers.find(({ status }) => status === OfferStatusOnOrder.PAYMENT_FAILED)?.failureReason ?? "";

  async function pay(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setError(undefined);
    setChecked(true);
    const details = cardOf(typed, new Date());
    if (chosen === ANOTHER && !details) {
      focusFirstWrong(event.currentTarget);
      return;
    }
    setPending(true);
    try {
      const paymentMethodId = chosen === ANOTHER && details ? await add(details) : chosen;
      const purchased = await callUnaryMethod(transport, OrderService.method.purchaseOrder, {
        orderId: order.id,
        identityId: order.ownerId,
        paymentMethodId,
        ...(order.totals?.due ? { expectedTotal: order.totals.due } : {}),
        ...(order.totals?.renewal ? { expectedRenewal: order.totals.renewal } : {}),
      });
      const input = { orderId: order.id, identityId: order.ownerId };
      client.setQueryData(
        createConnectQueryKey({ schema: OrderService.method.getOrder, input, transport, cardinality: "finite" }),
        purchased,
      );
    } catch (refused) {
      setError(refused);
      // The order may have another price now, or be paid already.
      void client.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: OrderService.method.getOrder, cardinality: "finite" }),
      });
    } finally {
      setPending(false);
    }
  }

  async function add(details: NonNullable<ReturnType<typeof cardOf>>): Promise<string> {
    const made = await callUnaryMethod(transport, PaymentMethodService.method.createPaymentMethod, {
      identityId: order.ownerId,
      paymentMethod: {
        type: PaymentMethodType.CREDIT_CARD,
        vendor: Vendor.TEST,
        ...details,
        ...(order.address ? { billingAddress: order.address } : {}),
      },
    });
    // What was typed is on the card now; another attempt begins with an empty form.
    setCard({ ...NO_CARD, holder: details.card.holderName });
    setChecked(false);
    setChoice(ANOTHER);
    return made.id;
  }

  return (
    <form className={page.form} onSubmit={(event) => void pay(event)} noValidate>
      <div className={page.intro}>
        <h1>{_("payment.title")}</h1>
      </div>
      {failure && !pending ? (
        <Note tone="danger" title={_("payment.declined.title")} spoken>
          {_(`payment.declined.${REASONS.has(failure) ? failure : "OTHER"}`)} {_("payment.declined.again")}
        </Note>
      ) : null}
      {error !== undefined ? <Refused error={error} /> : null}
      {usable.length > 0 ? (
        <RadioGroup label={_("payment.method")} value={chosen} onChange={setChoice}>
          {usable.map((method) => (
            <Radio
              key={method.id}
              value={method.id}
              detail={_("payment.expires", {
                month: String(method.card?.expiryMonth ?? 0).padStart(2, "0"),
                year: String(method.card?.expiryYear ?? ""),
              })}
            >
              {_("payment.card", { brand: brandName(method.card?.brand), last4: method.card?.last4 ?? "" })}
            </Radio>
          ))}
          <Radio value={ANOTHER}>{_("payment.another")}</Radio>
        </RadioGroup>
      ) : null}
      {chosen === ANOTHER ? <CardForm card={typed} onChange={setCard} checked={checked} /> : null}
      <div className={page.actions}>
        <Button kind="primary" type="submit" isPending={pending}>
          {_("payment.pay", { price: priceText(order.totals?.due, locale) })}
        </Button>
      </div>
      <p className={page.small}>
        {_("payment.agree", { price: priceText(order.totals?.renewal, locale, order.billingPeriod) })}
      </p>
      {chosen === ANOTHER ? <TestCards onUse={(test) => setCard({ ...typed, ...test })} /> : null}
    </form>
  );
}

/** Active cards that are not resting after a decline; not the one that has just been declined. */
function canPay(method: PaymentMethod, order: Order): boolean {
  const resting = method.cooldownUntil !== undefined && Number(method.cooldownUntil.seconds) * 1000 > Date.now();
  return (
    method.status === PaymentMethodStatus.ACTIVE && method.card !== undefined && !resting && method.id !== order.paymentMethodId
  );
}
