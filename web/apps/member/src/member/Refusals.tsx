// Strips after a refused payment: what was refused, what comes next, and how the member pays.
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { today } from "@pavise/rpc/day.ts";
import type { Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { Collection, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { Boundary } from "@pavise/ui/Boundary.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { priceText } from "../app/words.ts";
import { useInvoices, useSubscriptions } from "./holdings.ts";
import { isRefused, nextOf, waitsForPayment, wasTried, type Next } from "./refusals.ts";

// Only who pays at once needs them here.
const PayDialog = lazy(async () => ({ default: (await import("./Billing.tsx")).PayDialog }));
const AddDialog = lazy(async () => ({ default: (await import("./Cards.tsx")).AddDialog }));

/** How often the bills are read again after a payment or a new card, and the milliseconds in between. */
const TIMES = 10;
const AGAIN = 1_500;

/** A strip for each bill of a plan that was refused. */
export function Refusals() {
  const invoices = useInvoices();
  const subscriptions = useSubscriptions();
  const follow = useFollowing();
  const refused = invoices.data?.invoices.filter(isRefused) ?? [];
  return refused.map((invoice) => (
    <Boundary key={invoice.id}>
      <Refusal
        invoice={invoice}
        subscription={subscriptions.data?.subscriptions.find(({ id }) => id === invoice.subscriptionId)}
        onPaid={follow}
      />
    </Boundary>
  ));
}

type RefusalProps = { invoice: Invoice; subscription: Subscription | undefined; onPaid: () => void };

function Refusal({ invoice, subscription, onPaid }: RefusalProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const [open, setOpen] = useState<"pay" | "card">();
  const [isAsking, setAsking] = useState(false);
  const next = nextOf(invoice, today());
  const price = priceText(invoice.openAmount, locale);
  const what = invoice.items.filter(({ taxName }) => taxName === "").map(({ description }) => description);
  const day = "on" in next ? dayText(locale, next.on, true) : "";
  const isHeld = next.kind === "held";
  const missed = wasTried(invoice) ? "refusal.title" : "refusal.overdue";
  return (
    <>
      <Note
        tone={isHeld ? "info" : "danger"}
        title={isHeld ? _("refusal.held", { day }) : _(missed, { price })}
        actions={
          next.kind === "underWay" ? undefined : (
            <>
              <Button kind="primary" onPress={() => setOpen("pay")}>
                {_("refusal.pay")}
              </Button>
              <Button onPress={() => setOpen("card")}>{_("refusal.card")}</Button>
            </>
          )
        }
      >
        <p>{what.join(", ")}</p>
        <p>
          {waitsForPayment(subscription) ? `${_("refusal.suspended")} ` : ""}
          {_(THEN[next.kind], { day })}
        </p>
        <p role="status">{isAsking ? _("refusal.asking") : ""}</p>
      </Note>
      <Suspense>
        {open === "pay" ? (
          <PayDialog
            open
            invoice={invoice}
            onOpenChange={() => {
              setOpen(undefined);
              onPaid();
            }}
          />
        ) : null}
        {open === "card" ? (
          <AddDialog
            onClose={() => setOpen(undefined)}
            onAdded={() => {
              // Where the member gets an invoice, no card is asked by itself.
              setAsking(invoice.collection === Collection.CHARGE);
              onPaid();
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** The words for what comes next. */
const THEN: Readonly<Record<Next["kind"], string>> = {
  again: "refusal.again",
  bank: "refusal.bank",
  held: "refusal.held.detail",
  over: "refusal.over",
  underWay: "refusal.underWay",
};

/**
 * Reads bills and plans again for a while after the member did something: a new card is asked by itself, and a plan comes back
 * soon after its bill is paid. Returns the function that begins it.
 */
function useFollowing(): () => void {
  const client = useQueryClient();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => {
      const keys = [
        createConnectQueryKey({ schema: InvoiceService.method.listInvoices, cardinality: "finite" }),
        createConnectQueryKey({ schema: SubscriptionService.method.listSubscriptions, cardinality: "finite" }),
      ];
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
      setLeft(left - 1);
    }, AGAIN);
    return () => clearTimeout(timer);
  }, [left, client]);
  return () => setLeft(TIMES);
}
