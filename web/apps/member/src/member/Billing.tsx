// Billing: what is due and how to pay it, what was paid, and the cards.
import { createConnectQueryKey, useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { InvoiceStatus, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { PaymentMethodStatus } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { toast, Toasts } from "@pavise/ui/toasts.tsx";
import { DateTime, StatusDot } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { priceText } from "../app/words.ts";
import {
  invoiceTone,
  isDue,
  nameOf,
  offered,
  useDeclined,
  useInvoices,
  useMemberId,
  usePaymentMethods,
} from "./holdings.ts";
import { Balance, invoicePaper, PaperButton, StatementPart } from "./Balance.tsx";
import { Cards } from "./Cards.tsx";
import { MethodSelect } from "./MethodSelect.tsx";
import { Refusals } from "./Refusals.tsx";
import page from "@pavise/ui/Part.module.css";

const EntryReturn = lazy(async () => ({ default: (await import("./HostedEntry.tsx")).EntryReturn }));

/** The words for a refund by its status. */
const REFUNDS: ReadonlyMap<TransactionStatus, string> = new Map([
  [TransactionStatus.APPROVED, "billing.refunded"],
  [TransactionStatus.CREATED, "billing.refunding"],
  [TransactionStatus.TIMEDOUT, "billing.refunding"],
]);

/** The billing page. */
export function Billing() {
  const { _ } = useLingui();
  const invoices = useInvoices();
  // The vendor's page leads back here with the entry.
  const entryId = new URLSearchParams(useLocation().searchStr).get("hostedEntry") ?? "";
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("billing.title")}</PageTitle>
      </div>
      {entryId === "" ? null : (
        <Suspense>
          <EntryReturn entryId={entryId} />
        </Suspense>
      )}
      <Refusals />
      <Balance />
      <Part id="due" title={_("billing.due")}>
        <Loaded query={invoices} lines={2}>
          {({ invoices: all }) => {
            const due = all.filter(isDue);
            return due.length === 0 ? <p className={page.soft}>{_("home.owed.nothing")}</p> : <Lines invoices={due} />;
          }}
        </Loaded>
      </Part>
      <Cards />
      <Part id="invoices" title={_("billing.invoices")}>
        <Loaded query={invoices} lines={4}>
          {({ invoices: all }) => {
            const rest = all.filter((invoice) => !isDue(invoice));
            return rest.length === 0 ? <EmptyState title={_("billing.none")} /> : <Lines invoices={rest} />;
          }}
        </Loaded>
      </Part>
      <StatementPart />
      <Toasts />
    </>
  );
}

function Lines({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <div className={page.rows}>
      {invoices.map((invoice) => (
        <InvoiceLine key={invoice.id} invoice={invoice} />
      ))}
    </div>
  );
}

function InvoiceLine({ invoice }: { invoice: Invoice }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const [paying, setPaying] = useState(false);
  const due = isDue(invoice);
  const what = invoice.items.filter(({ taxName }) => taxName === "").map(({ description }) => description);
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{what.join(", ")}</span>
        <span className={page.small}>
          <DateTime at={invoice.createdAt ? timestampDate(invoice.createdAt) : null} only="date" />
        </span>
        <Refunds refunds={invoice.refunds} />
      </span>
      <span className={page.end}>
        <StatusDot tone={invoiceTone(invoice.status)}>
          {_(`invoice.status.${nameOf(InvoiceStatus, invoice.status)}`)}
        </StatusDot>
        <span>{priceText(due ? invoice.openAmount : invoice.total, locale)}</span>
        <PaperButton
          address={invoicePaper(identityId, invoice.id, locale)}
          label={_("billing.pdf.of", { number: invoice.number || what.join(", ") })}
          said={_("billing.pdf")}
        />
        {due ? (
          <Button kind="primary" onPress={() => setPaying(true)}>
            {_("billing.pay")}
          </Button>
        ) : null}
      </span>
      {due ? <PayDialog invoice={invoice} open={paying} onOpenChange={setPaying} /> : null}
    </div>
  );
}

/** Refunds that were paid or are under way. A refund that the vendor refused is no news for the member. */
function Refunds({ refunds }: Pick<Invoice, "refunds">) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  return refunds
    .filter(({ status }) => REFUNDS.has(status))
    .map(({ id, amount, status, at }) => (
      <span key={id} className={page.small}>
        {_(REFUNDS.get(status) ?? "", { price: priceText(amount, locale) })}{" "}
        <DateTime at={at ? timestampDate(at) : null} only="date" />
      </span>
    ));
}

/** Pays an invoice with one of the stored cards. */
export function PayDialog({
  invoice,
  open,
  onOpenChange,
}: {
  invoice: Invoice;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const client = useQueryClient();
  const methods = usePaymentMethods();
  const declined = useDeclined();
  const active = methods.data?.paymentMethods.filter(({ status }) => status === PaymentMethodStatus.ACTIVE) ?? [];
  const usable = offered(active, declined);
  const [chosen, setChosen] = useState<string | null>(null);
  const paymentMethodId = chosen ?? usable[0]?.id ?? "";
  const pay = useMutation(InvoiceService.method.payInvoice, {
    onSuccess: () => {
      onOpenChange(false);
      toast({ title: _("billing.paid") });
    },
    onSettled: () =>
      Promise.all(
        [
          createConnectQueryKey({ schema: InvoiceService.method.listInvoices, cardinality: "finite" }),
          createConnectQueryKey({ schema: InvoiceService.method.getBalance, cardinality: "finite" }),
          createConnectQueryKey({ schema: PaymentMethodService.method.listTransactions, cardinality: "finite" }),
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Dialog
      title={_("billing.pay.title", { price: priceText(invoice.openAmount, locale) })}
      open={open}
      onOpenChange={onOpenChange}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("billing.pay.later")}</Button>
          <Button
            kind="primary"
            isPending={pay.isPending}
            isDisabled={paymentMethodId === ""}
            onPress={() => pay.mutate({ identityId, invoiceId: invoice.id, paymentMethodId })}
          >
            {_("billing.pay")}
          </Button>
        </>
      )}
    >
      {usable.length === 0 ? (
        <p>{_("billing.pay.noCard")}</p>
      ) : (
        <MethodSelect methods={usable} declined={declined} value={paymentMethodId} onChange={setChosen} />
      )}
      {pay.error ? <Refused error={pay.error} /> : null}
    </Dialog>
  );
}
