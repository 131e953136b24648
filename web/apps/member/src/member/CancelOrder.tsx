// Taking an order back: the button while the server allows it, the question, and what went back.
import { createConnectQueryKey, useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import type { Transport } from "@connectrpc/connect";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { dayOf, now, today } from "@pavise/rpc/day.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { todayText } from "@pavise/rpc/today.ts";
import type { Order } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderCancelReason } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { priceText } from "../app/words.ts";
import { brandName } from "../order/CardForm.tsx";
import {
  againAfter,
  backOf,
  dayOfMoment,
  isGoingBack,
  isRecent,
  mayBeCancelled,
  plansOn,
  REASONS,
  type Back,
} from "./cancelling.ts";
import { nameOf, useInvoices, useMemberId, usePaymentMethods } from "./holdings.ts";
import page from "@pavise/ui/Part.module.css";

/** The newest orders that are read: those that can be cancelled are among them. */
const NEWEST = 200;

/** The page part of the orders that can be cancelled, and of those that were. */
export function CancellableOrders() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const { data } = useQuery(
    OrderService.method.listOrders,
    { identityId, pageSize: NEWEST },
    {
      enabled: identityId !== "",
      refetchInterval: ({ state }) => againAfter(state.data?.orders ?? [], now()),
    },
  );
  const recent = (data?.orders ?? []).filter((order) => isRecent(order, today()));
  const cancellable = useCancellable(recent);
  const shown = recent.filter(({ id, cancellation }) => cancellation !== undefined || cancellable.has(id));
  useReadAgain(recent);
  if (shown.length === 0) return null;
  return (
    <Part id="orders" title={_("cancel.part")}>
      <div className={page.rows}>
        {shown.map((order) => (
          <OrderLine key={order.id} order={order} />
        ))}
      </div>
    </Part>
  );
}

function OrderLine({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { purchasedAt, totals, cancellation } = order;
  const bought = purchasedAt === undefined ? "" : dayText(locale, dayOfMoment(purchasedAt), true);
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{plansOn(order)}</span>
        <span className={page.small}>
          {_("cancel.bought", { day: bought, price: priceText(totals?.total, locale) })}
        </span>
        {cancellation === undefined ? null : <WentBack order={order} />}
      </span>
      {cancellation === undefined ? <CancelButton order={order} /> : null}
    </div>
  );
}

/** The button of one order while it can be cancelled. */
export function CancelOrder({ order }: { order: Order }) {
  const cancellable = useCancellable([order]);
  return cancellable.has(order.id) ? <CancelButton order={order} /> : null;
}

function CancelButton({ order }: { order: Order }) {
  const { _ } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        onPress={() => setOpen(true)}
        aria-label={_("cancel.order.label", { plans: plansOn(order) })}
      >
        {_("cancel.order")}
      </Button>
      {open ? <CancelDialog order={order} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The state of a cancelled order, and the amounts that went back. */
export function WentBack({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cancellation } = order;
  if (cancellation === undefined) return null;
  const { at, refunded, credited } = cancellation;
  const lines = isGoingBack(order)
    ? [_("cancel.underWay")]
    : [
        _("cancel.cancelled", { day: at === undefined ? "" : dayText(locale, dayOfMoment(at), true) }),
        ...((refunded?.amount ?? 0n) > 0n ? [_("cancel.refunded", { price: priceText(refunded, locale) })] : []),
        ...((credited?.amount ?? 0n) > 0n ? [_("cancel.credited", { price: priceText(credited, locale) })] : []),
      ];
  return (
    <span role="status" className={page.lineWords}>
      {lines.map((line) => (
        <span key={line} className={page.small}>
          {line}
        </span>
      ))}
    </span>
  );
}

/** The question: what ends, what goes back and where to, and why. */
function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const client = useQueryClient();
  const [reason, setReason] = useState(OrderCancelReason.CHANGED_MIND);
  const invoices = useInvoices();
  const { listOrders, getOrder, cancelOrder } = OrderService.method;
  const { mutate, isPending, error } = useMutation(cancelOrder, {
    onSuccess: () => {
      onClose();
      toast({ title: _("cancel.asked") });
      const keys = [
        createConnectQueryKey({ schema: listOrders, cardinality: "finite" }),
        createConnectQueryKey({ schema: getOrder, cardinality: "finite" }),
      ];
      return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return (
    <Dialog
      title={_("cancel.title")}
      open
      danger
      onOpenChange={(open) => (open ? undefined : onClose())}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("cancel.no")}</Button>
          <Button kind="danger" isPending={isPending} onPress={() => mutate({ orderId: order.id, identityId, reason })}>
            {_("cancel.order")}
          </Button>
        </>
      )}
    >
      <p>{_("cancel.ends", { plans: plansOn(order) })}</p>
      <Loaded query={invoices} lines={2}>
        {({ invoices: all }) => <Amounts back={backOf(order, all)} />}
      </Loaded>
      <p>{_("cancel.final")}</p>
      <RadioGroup
        label={_("cancel.why")}
        value={String(reason)}
        onChange={(chosen) => setReason(Number(chosen) as OrderCancelReason)}
      >
        {REASONS.map((one) => (
          <Radio key={one} value={String(one)}>
            {_(`cancel.why.${nameOf(OrderCancelReason, one)}`)}
          </Radio>
        ))}
      </RadioGroup>
      {error ? <WhyNot error={error} /> : null}
    </Dialog>
  );
}

/** The amounts that go back, and where to. */
function Amounts({ back: { paid, credit, methodIds } }: { back: Back }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const methods = usePaymentMethods();
  const names = (methods.data?.paymentMethods ?? [])
    .filter(({ id }) => methodIds.includes(id))
    .map(({ card, bankAccount }) =>
      _("payment.card", { brand: brandName(card?.brand), last4: card?.last4 ?? bankAccount?.last4 ?? "" }),
    );
  const price = priceText(paid, locale);
  // A method that was removed since has no name here.
  const isNamed = names.length > 0 && names.length === methodIds.length;
  return (
    <>
      {paid === undefined ? null : (
        <p>
          {isNamed ? _("cancel.back.to", { price, method: names.join(", ") }) : _("cancel.back", { price })}{" "}
          {_("cancel.back.else")}
        </p>
      )}
      {credit === undefined ? null : <p>{_("cancel.back.credit", { price: priceText(credit, locale) })}</p>}
      {paid === undefined && credit === undefined ? <p>{_("cancel.back.nothing")}</p> : null}
    </>
  );
}

/** The refusal, and the last day on which it was possible. */
function WhyNot({ error }: { error: unknown }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const last = problemOf(error).metadata["last_day"];
  return (
    <>
      <Refused error={error} />
      {last === undefined ? null : <p>{_("cancel.last", { day: dayText(locale, dayOf(last), true) })}</p>}
    </>
  );
}

/** The ids of the orders that the server would cancel today. How many days it gives is its own setting. */
function useCancellable(orders: readonly Order[]): ReadonlySet<string> {
  const identityId = useMemberId();
  const transport = useTransport();
  const candidates = orders.filter((order) => identityId !== "" && mayBeCancelled(order, today()));
  const answers = useQueries({
    queries: candidates.map(({ id, version }) => ({
      queryKey: ["cancellable", identityId, id, String(version), todayText()],
      queryFn: ({ signal }: { signal: AbortSignal }) => tryCancel(transport, { orderId: id, identityId }, signal),
      staleTime: Infinity,
    })),
  });
  return new Set(candidates.flatMap(({ id }, index) => (answers[index]?.data === true ? [id] : [])));
}

/** Whether a cancellation would pass. The server checks the call, and does nothing else. */
async function tryCancel(
  transport: Transport,
  order: { orderId: string; identityId: string },
  signal: AbortSignal,
): Promise<boolean> {
  const request = { ...order, reason: OrderCancelReason.CHANGED_MIND };
  const headers = { "pavise-validate-only": "true" };
  try {
    await transport.unary(OrderService.method.cancelOrder, signal, undefined, headers, request);
    return true;
  } catch (refused) {
    if (["status", "permission", "notFound"].includes(problemOf(refused).kind)) return false;
    throw refused;
  }
}

/** Reads plans, bills and credits again once everything of an order has gone back. */
function useReadAgain(orders: readonly Order[]): void {
  const client = useQueryClient();
  const open = orders.filter(isGoingBack).length;
  const before = useRef(open);
  useEffect(() => {
    if (open < before.current) void client.invalidateQueries();
    before.current = open;
  }, [open, client]);
}
