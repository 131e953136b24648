/** A member's invoices, the payments on them, and full or partial refunds. */
import { useLingui } from "@lingui/react";
import { IdentitySchema } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { InvoiceSchema, InvoiceStatusSchema, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import {
  DeclineReasonSchema,
  TransactionStatus,
  TransactionStatusSchema,
} from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { DateTime, DayText, Facts, Id } from "@pavise/ui/Value.tsx";
import { Picker } from "../../console/Picker.tsx";
import { Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { recordPath } from "../../contract/screens.ts";
import { searchText, useAddress } from "../../frame/address.ts";
import {
  Asked,
  type Column,
  currencyOf,
  DeskHead,
  Journals,
  moment,
  NextSteps,
  Section,
  Table,
  useAmount,
  useAnswer,
  useEntity,
  useSpelt,
} from "../parts.tsx";
import { ExportInvoices } from "./ExportInvoices.tsx";
import { RefundForm } from "./RefundForm.tsx";
import { isRefundable, leftOf, leftOfPayment } from "./refund.ts";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

const PATH = "/desk/refunds";
/** A refund proceeds by itself while its vendor has not answered. */
const UNDER_WAY = new Set([TransactionStatus.CREATED, TransactionStatus.TIMEDOUT]);

const isUnderWay = ({ payments, refunds }: Invoice) =>
  [...payments, ...refunds].some(({ status }) => UNDER_WAY.has(status));

/** The invoice and refund desk: `?member=` and `?invoice=`. */
export function RefundDesk() {
  const { _ } = useLingui();
  const { search, setSearch } = useAddress();
  const identity = useEntity(IdentitySchema);
  const member = search["member"] ?? "";
  return (
    <div className={styles.desk}>
      <DeskHead desk={_("Desks")} path="/" title={_("Invoices and refunds")} actions={<ExportInvoices />} />
      {identity === undefined ? null : (
        <div className={styles.find}>
          <Picker
            entity={identity}
            label={_("Member")}
            value={member}
            onChange={(id) => setSearch({ member: id })}
            placeholder={_("E-mail address, user name or id")}
          />
        </div>
      )}
      {member === "" ? (
        <EmptyState title={_("Whose invoices?")}>
          {_("Choose a member. Their invoices are listed with what was paid against them and what can be given back.")}
        </EmptyState>
      ) : (
        <Invoices key={member} member={member} chosen={search["invoice"] ?? ""} />
      )}
    </div>
  );
}

function Invoices({ member, chosen }: { member: string; chosen: string }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const list = useAnswer(InvoiceService.method.listInvoices, { identityId: member, pageSize: 200 });
  return (
    <div className={styles.pair}>
      <Section title={_("Invoices")}>
        <Asked query={list}>
          {({ invoices }) =>
            invoices.length === 0 ? (
              <p className={page.soft}>{_("This member has no invoices.")}</p>
            ) : (
              <ul className={styles.invoices}>
                {invoices.map((invoice) => {
                  const { given } = leftOf(invoice);
                  return (
                    <li key={invoice.id}>
                      <Link
                        href={PATH + searchText({ member, invoice: invoice.id })}
                        {...(invoice.id === chosen ? { "aria-current": "true" as const } : {})}
                      >
                        <span>{invoice.items[0]?.description ?? invoice.id}</span>
                        <span>{amount(invoice.total)}</span>
                        <small>
                          <DateTime at={moment(invoice.createdAt)} only="date" />
                          {given > 0n && invoice.total !== undefined
                            ? ` · ${_("given back: {amount}", { amount: amount({ ...invoice.total, amount: given }) })}`
                            : ""}
                        </small>
                        <small>
                          <Status desc={InvoiceStatusSchema} value={invoice.status} />
                        </small>
                      </Link>
                    </li>
                  );
                })}
              </ul>
            )
          }
        </Asked>
      </Section>
      {chosen === "" ? (
        list.data === undefined || list.data.invoices.length === 0 ? null : (
          <EmptyState title={_("Choose an invoice")} />
        )
      ) : (
        <OneInvoice key={chosen} member={member} id={chosen} />
      )}
    </div>
  );
}

function OneInvoice({ member, id }: { member: string; id: string }) {
  const { _ } = useLingui();
  const query = useAnswer(
    InvoiceService.method.getInvoice,
    { identityId: member, invoiceId: id },
    { underWay: isUnderWay },
  );
  return <Asked query={query}>{(invoice) => <InvoiceDetail invoice={invoice} label={_("Invoice")} />}</Asked>;
}

function InvoiceDetail({ invoice, label }: { invoice: Invoice; label: string }) {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const amount = useAmount();
  const entity = useEntity(InvoiceSchema);
  const { left, given, underWay } = leftOf(invoice);
  const of = (minor: bigint) => (invoice.total === undefined ? "" : amount({ ...invoice.total, amount: minor }));
  const mayRefund = may(operationOf(InvoiceService.method.refundInvoice));
  return (
    <div className={styles.main}>
      <Section
        title={label}
        end={
          entity === undefined ? null : (
            <Link href={`${recordPath(entity, invoice.id)}?owner=${invoice.ownerId}`}>{_("The whole record")}</Link>
          )
        }
      >
        <div className={styles.state}>
          <Status desc={InvoiceStatusSchema} value={invoice.status} />
          <Id>{invoice.id}</Id>
        </div>
        <Facts
          facts={[
            { name: _("Total"), value: amount(invoice.total) },
            { name: _("Paid"), value: amount(invoice.paidAmount) || of(0n) },
            { name: _("Given back"), value: of(given) },
            ...(underWay > 0n ? [{ name: _("Being given back"), value: of(underWay) }] : []),
            { name: _("Left to give back"), value: <strong>{of(left)}</strong> },
            { name: _("Open"), value: amount(invoice.openAmount) || of(0n) },
            ...(invoice.dueOn === undefined ? [] : [{ name: _("Due on"), value: <DayText day={invoice.dueOn} /> }]),
          ]}
        />
      </Section>
      {mayRefund && isRefundable(invoice) ? (
        <RefundForm invoice={invoice} currency={currencyOf(invoice.total)} />
      ) : null}
      {!mayRefund ? (
        <p className={page.soft}>
          {_("It needs the permission {permission}.", {
            permission: operationOf(InvoiceService.method.refundInvoice)?.permission ?? "",
          })}
        </p>
      ) : null}
      <Refunds invoice={invoice} />
      <Payments invoice={invoice} />
      <Section title={_("What it is for")}>
        <Table
          label={_("What it is for")}
          rows={invoice.items}
          rowId={(item) => item.id}
          columns={[
            { header: _("Item"), cell: ({ description }) => description },
            { header: _("Amount"), end: true, cell: (item) => amount(item.amount) },
          ]}
        />
      </Section>
      <NextSteps
        desc={InvoiceSchema}
        message={invoice}
        calls={[
          "PayInvoice",
          "TryInvoiceNow",
          "HoldInvoice",
          "EndInvoiceHold",
          "MakeInvoiceDelinquent",
          "ForgiveInvoice",
          "VoidInvoice",
        ]}
      />
      <Journals records={[{ desc: InvoiceSchema, id: invoice.id }]} underWay={isUnderWay(invoice)} />
    </div>
  );
}

/** The fields that payments and refunds of an invoice share. */
type Made = Invoice["payments"][number] | Invoice["refunds"][number];

/** When it was made, and the vendor's answer. */
function useMadeColumns<T extends Made>(invoice: Invoice): Column<T>[] {
  const { _ } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  return [
    { header: _("When"), cell: ({ at }) => <DateTime at={moment(at)} /> },
    { header: _("Result"), cell: ({ status }) => <Status desc={TransactionStatusSchema} value={status} /> },
    { header: _("Why not"), cell: ({ declineReason }) => spelt(DeclineReasonSchema, declineReason) },
    {
      header: _("Vendor’s reference"),
      cell: ({ transactionId }) => <VendorReference id={transactionId} owner={invoice.ownerId} />,
    },
    { header: _("Amount"), end: true, cell: (made) => amount(made.amount) },
  ];
}

/** The refunds of an invoice. */
function Refunds({ invoice }: { invoice: Invoice }) {
  const { _ } = useLingui();
  const columns = useMadeColumns<Invoice["refunds"][number]>(invoice);
  return (
    <Section title={_("Refunds")}>
      <Table
        label={_("Refunds")}
        none={_("Nothing was given back yet.")}
        rows={invoice.refunds}
        rowId={({ id }) => id}
        columns={columns}
      />
    </Section>
  );
}

/** The payments of an invoice, and the rest of each that can be refunded. */
function Payments({ invoice }: { invoice: Invoice }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const columns = useMadeColumns<Invoice["payments"][number]>(invoice);
  const left: Column<Invoice["payments"][number]> = {
    header: _("Left"),
    end: true,
    cell: (payment) =>
      invoice.total === undefined ? "" : amount({ ...invoice.total, amount: leftOfPayment(invoice, payment).left }),
  };
  return (
    <Section title={_("Payments")}>
      <Table
        label={_("Payments")}
        none={_("Nothing was paid yet.")}
        rows={invoice.payments}
        rowId={({ id }) => id}
        columns={[...columns, left]}
      />
    </Section>
  );
}

/** The vendor's reference of a transaction. */
function VendorReference({ id, owner }: { id: string; owner: string }) {
  const query = useAnswer(
    PaymentMethodService.method.getTransaction,
    { transactionId: id, identityId: owner },
    { enabled: id !== "" },
  );
  if (id === "") return null;
  return <Id>{query.data?.vendorReference || id.slice(0, 13)}</Id>;
}
