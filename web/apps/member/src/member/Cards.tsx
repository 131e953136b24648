// The member's cards: the list, adding one, removing one.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { today } from "@pavise/rpc/day.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import {
  PaymentMethodStatus,
  PaymentMethodType,
  Vendor,
  type PaymentMethod,
} from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { RemoveDialog } from "@pavise/ui/RemoveDialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime, StatusDot } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { brandName, CardForm, cardOf, NO_CARD, TestCards } from "../order/CardForm.tsx";
import { useDeclined, useMemberId, usePaymentMethods } from "./holdings.ts";
import page from "@pavise/ui/Part.module.css";

const HostedDialog = lazy(async () => ({ default: (await import("./HostedEntry.tsx")).HostedDialog }));

/** The vendors on whose own page a card is entered. */
const HOSTED: readonly Vendor[] = [Vendor.STRIPE];

/** The cards. */
export function Cards() {
  const { _ } = useLingui();
  const methods = usePaymentMethods();
  const [adding, setAdding] = useState(false);
  return (
    <Part
      id="cards"
      title={_("cards.title")}
      end={
        <Button kind="quiet" onPress={() => setAdding(true)}>
          {_("cards.add")}
        </Button>
      }
    >
      <Loaded query={methods} lines={2}>
        {({ paymentMethods }) => {
          const active = paymentMethods.filter(({ status }) => status === PaymentMethodStatus.ACTIVE);
          return active.length === 0 ? (
            <p className={page.soft}>{_("cards.none")}</p>
          ) : (
            <div className={page.rows}>
              {active.map((method) => (
                <CardLine
                  key={method.id}
                  method={method}
                  heir={active.find(({ id, groupId }) => id !== method.id && groupId === "")}
                />
              ))}
            </div>
          );
        }}
      </Loaded>
      {adding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Part>
  );
}

/** Invalidates the lists of cards, so that they are read again. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      queryKey: createConnectQueryKey({
        schema: PaymentMethodService.method.listPaymentMethods,
        cardinality: "finite",
      }),
    });
}

/** A card. `heir` is another one, which pays for the member's plans when this one is removed. */
function CardLine({ method, heir }: { method: PaymentMethod; heir: PaymentMethod | undefined }) {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const [paying, setPaying] = useState(false);
  const nameOf = ({ card, bankAccount }: PaymentMethod) =>
    _("payment.card", { brand: brandName(card?.brand), last4: card?.last4 ?? bankAccount?.last4 ?? "" });
  const name = nameOf(method);
  const remove = useMutation(PaymentMethodService.method.deletePaymentMethod, { onSuccess: refresh });
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <DeclinedMark id={method.id} />
        {method.card ? (
          <span className={page.small}>
            {_("payment.expires", {
              month: String(method.card.expiryMonth).padStart(2, "0"),
              year: String(method.card.expiryYear),
            })}
          </span>
        ) : null}
      </span>
      <Button kind="quiet" onPress={() => setAsking(true)} aria-label={_("cards.remove.label", { card: name })}>
        {_("cards.remove")}
      </Button>
      {asking ? (
        <RemoveDialog
          title={_("cards.remove.title", { card: name })}
          onClose={() => setAsking(false)}
          onRemove={async () => {
            const successorId = paying ? (heir?.id ?? "") : "";
            try {
              await remove.mutateAsync({ identityId, paymentMethodId: method.id, successorId });
            } catch (refused) {
              setPaying(problemOf(refused).reason === "PAYMENT_METHOD_IN_USE");
              throw refused;
            }
            toast({ title: _("cards.removed") });
          }}
        >
          {paying && heir ? _("cards.remove.heir", { card: nameOf(heir) }) : _("cards.remove.detail")}
        </RemoveDialog>
      ) : null}
    </div>
  );
}

/** Says that the card's last payment was declined, and when. */
export function DeclinedMark({ id }: { id: string }) {
  const { _ } = useLingui();
  const at = useDeclined().get(id)?.createdAt;
  if (at === undefined) return null;
  return (
    <StatusDot tone="bad">
      {_("cards.declined")} <DateTime at={timestampDate(at)} only="date" />
    </StatusDot>
  );
}

type AddProps = { onClose: () => void; onAdded?: () => void };

/** Adds a card: on the vendor's page where it has one. */
export function AddDialog(props: AddProps) {
  const { data, isPending } = useQuery(PaymentMethodService.method.listPaymentVendors, {});
  if (isPending) return null;
  const hosted = HOSTED.find((vendor) => data?.vendors.includes(vendor));
  if (hosted === undefined) return <FormDialog {...props} />;
  return (
    <Suspense>
      <HostedDialog vendor={hosted} onClose={props.onClose} />
    </Suspense>
  );
}

function FormDialog({ onClose, onAdded }: AddProps) {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const refresh = useRefresh();
  const [card, setCard] = useState(NO_CARD);
  const [checked, setChecked] = useState(false);
  const add = useMutation(PaymentMethodService.method.createPaymentMethod, {
    onSuccess: () => {
      onClose();
      onAdded?.();
      toast({ title: _("cards.added") });
      return refresh();
    },
  });
  function submit() {
    setChecked(true);
    const details = cardOf(card, today());
    if (details)
      add.mutate({
        identityId,
        paymentMethod: { type: PaymentMethodType.CREDIT_CARD, vendor: Vendor.TEST, ...details },
      });
  }
  return (
    <Dialog
      title={_("cards.add")}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      actions={
        <Button kind="primary" onPress={submit} isPending={add.isPending}>
          {_("cards.save")}
        </Button>
      }
    >
      <FieldErrors error={add.error}>
        <CardForm card={card} onChange={setCard} checked={checked} />
      </FieldErrors>
      <TestCards onUse={(test) => setCard({ ...card, ...test })} />
      {add.error ? <Refused error={add.error} /> : null}
    </Dialog>
  );
}
