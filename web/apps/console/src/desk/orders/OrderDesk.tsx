/** One order with all that follows from it: items, buyer, payments, invoices, provisioning. */
import { useLingui } from "@lingui/react";
import { MessageView } from "@pavise/descform/View.tsx";
import { InvoiceSchema, InvoiceStatusSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceService, type ListInvoicesResponse } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import {
  DeclineReasonSchema,
  TransactionSchema,
  TransactionStatusSchema,
  TransactionTypeSchema,
  type Transaction,
} from "@pavise/schema/pavise/billing/v1/transaction_pb";
import {
  ProvisionSchema,
  ProvisionStatus,
  ProvisionStatusSchema,
} from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import {
  ProvisionService,
  type ListProvisionsResponse,
} from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { BillingPeriodSchema } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { AddressSchema, RegionCodeSchema } from "@pavise/schema/pavise/common/v1/place_pb";
import {
  OfferStatusOnOrder,
  OfferStatusOnOrderSchema,
  OrderChannelSchema,
  OrderLineType,
  OrderStatus,
  OrderStatusSchema,
  AuthorizedUserTypeSchema,
} from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import {
  BusinessInfoSchema,
  OrderSchema,
  PersonalInfoSchema,
  type OfferOnOrder,
  type Order,
} from "@pavise/schema/pavise/orders/v1/order_pb";
import { TaxComponentSchema } from "@pavise/schema/pavise/orders/v1/tax_area_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { DateTime, Facts, Id } from "@pavise/ui/Value.tsx";
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { Status, useCell } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { recordPath } from "../../contract/screens.ts";
import { searchText } from "../../frame/address.ts";
import { remember } from "../../frame/recent.ts";
import { Children } from "../../record/Children.tsx";
import {
  Asked,
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
  type Followed,
} from "../parts.tsx";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

/** The most payment tries that are read. */
const TRIES = 30;

const isUnderWay = ({ status }: Order) => [OrderStatus.PROCESSING, OrderStatus.FUNDED].includes(status);

/** The desk's page of an order. */
export function OrderDesk({ id }: { id: string }) {
  const { _ } = useLingui();
  const query = useAnswer(OrderService.method.getOrder, { orderId: id }, { underWay: isUnderWay });
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(order) => <Whole order={order} />}
      </Asked>
      {query.error !== null ? <Link href="/desk/orders">{_("Order desk")}</Link> : null}
    </div>
  );
}

function Whole({ order }: { order: Order }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const entity = useEntity(OrderSchema);
  useEffect(() => {
    if (entity !== undefined) remember(entity, order.id);
  }, [entity, order.id]);
  const owned = order.ownerId !== "";
  const invoices = useAnswer(
    InvoiceService.method.listInvoices,
    { identityId: order.ownerId, orderId: order.id, pageSize: 50 },
    { enabled: owned },
  );
  const provisions = useAnswer(
    ProvisionService.method.listProvisions,
    { orderId: order.id, pageSize: 50 },
    {
      underWay: (answer) =>
        answer.provisions.some(
          ({ status }) =>
            ![
              ProvisionStatus.COMPLETED,
              ProvisionStatus.FAILED,
              ProvisionStatus.DELETED,
              ProvisionStatus.CREATED,
            ].includes(status),
        ),
    },
  );
  const tries = useTransactions(order);
  const failed = (provisions.data?.provisions ?? []).filter(({ status }) => status === ProvisionStatus.FAILED);
  const followed: Followed[] = [
    { desc: OrderSchema, id: order.id },
    ...tries.map(({ id }) => ({ desc: TransactionSchema, id })),
    ...(invoices.data?.invoices ?? []).map(({ id }) => ({ desc: InvoiceSchema, id })),
    ...(provisions.data?.provisions ?? []).map(({ id }) => ({ desc: ProvisionSchema, id })),
  ];
  const title = order.offers
    .map(({ offerName }) => offerName)
    .filter(Boolean)
    .join(", ");
  return (
    <>
      <DeskHead
        desk={_("Order desk")}
        path="/desk/orders"
        title={title === "" ? _("Order") : title}
        actions={
          entity === undefined ? undefined : (
            <Link href={`${recordPath(entity, order.id)}${searchText({ owner: order.ownerId })}`}>
              {_("The whole record")}
            </Link>
          )
        }
      >
        <Status desc={OrderStatusSchema} value={order.status} />
        <span className={styles.amount}>{amount(order.totals?.total)}</span>
        {order.totals?.due !== undefined && order.totals.due.amount > 0n ? (
          <span className={page.soft}>{_("due now: {amount}", { amount: amount(order.totals.due) })}</span>
        ) : null}
        <Id>{order.id}</Id>
      </DeskHead>
      {failed.map((provision) => (
        <Note
          key={provision.id}
          tone="danger"
          title={_("Setting it up failed")}
          actions={<Link href={`/desk/provisioning/${provision.id}`}>{_("Repair it")}</Link>}
        >
          {provision.failure?.cause}
        </Note>
      ))}
      <div className={styles.columns}>
        <div className={styles.main}>
          <NextSteps
            desc={OrderSchema}
            message={order}
            calls={[
              "PurchaseOrder",
              "ProvisionOrder",
              "AssignOwner",
              "PutAuthorizedUsers",
              "UpdateSource",
              "DeleteOrder",
            ]}
          />
          {entity === undefined ? null : <Children entity={entity} message={order} />}
          <Bought order={order} />
          <Section title={_("Payment tries")}>
            <Tries transactions={tries} />
          </Section>
          <Invoices query={invoices} />
          <Provisions query={provisions} />
        </div>
        <div className={styles.side}>
          <Buyer order={order} />
          <Covered order={order} />
          <Origin order={order} />
          <Journals records={followed} underWay={isUnderWay(order)} />
        </div>
      </div>
    </>
  );
}

/** The ordered items and their prices. */
function Bought({ order }: { order: Order }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  return (
    <Section title={_("What is bought")}>
      {order.offers.map((offer) => (
        <Offer key={offer.id} offer={offer} />
      ))}
      {order.offers.length === 0 ? <p className={page.soft}>{_("Nothing yet")}</p> : null}
      <Facts
        facts={[
          ...(order.offers.length < 2
            ? []
            : [
                { name: _("Before tax"), value: amount(order.totals?.subtotal) },
                { name: _("Tax"), value: amount(order.totals?.tax) },
                { name: _("Total"), value: <strong>{amount(order.totals?.total)}</strong> },
              ]),
          { name: _("Each later period, before tax"), value: amount(order.totals?.renewal) },
          { name: _("Due now"), value: amount(order.totals?.due) },
          { name: _("Billed"), value: spelt(BillingPeriodSchema, order.billingPeriod) },
          { name: _("Priced"), value: <DateTime at={moment(order.pricedAt)} /> },
        ]}
      />
    </Section>
  );
}

/** The invoices of the order's payments. */
function Invoices({ query }: { query: UseQueryResult<ListInvoicesResponse> }) {
  const { _ } = useLingui();
  const amount = useAmount();
  return (
    <Section title={_("Invoices")}>
      <Asked query={query}>
        {(answer) => (
          <Table
            label={_("Invoices")}
            none={_("No invoice yet.")}
            rows={answer.invoices}
            rowId={(invoice) => invoice.id}
            columns={[
              {
                header: _("Made"),
                cell: (invoice) => (
                  <Link href={`/desk/refunds${searchText({ member: invoice.ownerId, invoice: invoice.id })}`}>
                    <DateTime at={moment(invoice.createdAt)} />
                  </Link>
                ),
              },
              { header: _("Status"), cell: (invoice) => <Status desc={InvoiceStatusSchema} value={invoice.status} /> },
              { header: _("Total"), end: true, cell: (invoice) => amount(invoice.total) },
              { header: _("Paid"), end: true, cell: (invoice) => amount(invoice.paidAmount) },
              { header: _("Given back"), end: true, cell: (invoice) => amount(invoice.refundedAmount) },
              { header: _("Open"), end: true, cell: (invoice) => amount(invoice.openAmount) },
            ]}
          />
        )}
      </Asked>
    </Section>
  );
}

/** The provisioning of the ordered items. */
function Provisions({ query }: { query: UseQueryResult<ListProvisionsResponse> }) {
  const { _ } = useLingui();
  return (
    <Section title={_("Setting up")}>
      <Asked query={query}>
        {(answer) => (
          <Table
            label={_("Setting up")}
            none={_("Nothing is set up yet.")}
            rows={answer.provisions}
            rowId={(provision) => provision.id}
            columns={[
              {
                header: _("What"),
                cell: (provision) => (
                  <Link href={`/desk/provisioning/${provision.id}`}>{provision.offerName || provision.id}</Link>
                ),
              },
              {
                header: _("Status"),
                cell: (provision) => <Status desc={ProvisionStatusSchema} value={provision.status} />,
              },
              { header: _("Why not"), cell: (provision) => provision.failure?.cause ?? "" },
              { header: _("Entitlements"), end: true, cell: (provision) => String(provision.entitlementIds.length) },
              { header: _("Changed"), cell: (provision) => <DateTime at={moment(provision.updatedAt)} /> },
            ]}
          />
        )}
      </Asked>
    </Section>
  );
}

/** The buyer. */
function Buyer({ order }: { order: Order }) {
  const { _ } = useLingui();
  const { saying } = useConsole();
  const cell = useCell();
  return (
    <Section title={_("Buyer")}>
      {order.ownerId !== "" ? (
        <Link href={`/desk/identities/${order.ownerId}`}>{order.personalInfo?.email || order.ownerId}</Link>
      ) : (
        <p className={page.soft}>{_("Nobody yet: the order is anonymous.")}</p>
      )}
      {order.personalInfo === undefined ? null : (
        <MessageView desc={PersonalInfoSchema} message={order.personalInfo} saying={saying} cell={cell} level={3} />
      )}
      {order.address === undefined ? null : (
        <MessageView desc={AddressSchema} message={order.address} saying={saying} cell={cell} level={3} />
      )}
      {order.businessInfo === undefined ? null : (
        <MessageView desc={BusinessInfoSchema} message={order.businessInfo} saying={saying} cell={cell} level={3} />
      )}
    </Section>
  );
}

/** The people covered besides the buyer. */
function Covered({ order }: { order: Order }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  if (order.authorizedUsers.length === 0) return null;
  return (
    <Section title={_("Covered besides")}>
      <ul className={styles.plain}>
        {order.authorizedUsers.map(({ id, type, firstName, lastName, email }) => (
          <li key={id}>
            {`${firstName} ${lastName} · ${spelt(AuthorizedUserTypeSchema, type)}`}
            {email === "" ? null : <small className={styles.why}> {email}</small>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The place and time of the order. */
function Origin({ order }: { order: Order }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  return (
    <Section title={_("How it came")}>
      <Facts
        facts={[
          { name: _("Channel"), value: spelt(OrderChannelSchema, order.channel) },
          { name: _("Place"), value: spelt(RegionCodeSchema, order.locality) },
          { name: _("Source"), value: order.source?.name ?? "" },
          { name: _("Made"), value: <DateTime at={moment(order.createdAt)} /> },
          { name: _("Purchased"), value: <DateTime at={moment(order.purchasedAt)} /> },
          { name: _("Purchases tried"), value: String(order.attempt) },
        ].filter(({ value }) => value !== "")}
      />
    </Section>
  );
}

/** One offer of an order: each line with its cost now and later. */
function Offer({ offer }: { offer: OfferOnOrder }) {
  const { _, i18n } = useLingui();
  const percent = new Intl.NumberFormat(i18n.locale, { style: "percent", maximumFractionDigits: 4 });
  const amount = useAmount();
  const spelt = useSpelt();
  const tone =
    offer.status === OfferStatusOnOrder.FUNDED
      ? "good"
      : offer.status === OfferStatusOnOrder.PAYMENT_FAILED
        ? "bad"
        : "open";
  return (
    <div className={styles.offer} data-tone={tone}>
      <header>
        <h3>
          <Link href={`/desk/catalog/offers/${offer.offerId}${searchText({ brand: offer.brand })}`}>
            {offer.offerName || offer.offerId}
          </Link>
        </h3>
        <Status desc={OfferStatusOnOrderSchema} value={offer.status} />
      </header>
      {offer.failureReason === "" ? null : (
        <p className={styles.why}>{_("The last payment failed: {reason}", { reason: offer.failureReason })}</p>
      )}
      <Table
        label={offer.offerName}
        rows={offer.lines}
        rowId={(line) => `${line.productId} ${line.supplementId}`}
        columns={[
          { header: _("Item"), cell: (line) => `${line.type === OrderLineType.SUPPLEMENT ? "+ " : ""}${line.name}` },
          { header: _("Tier"), cell: (line) => line.tierId },
          { header: _("Billed"), cell: (line) => spelt(BillingPeriodSchema, line.billingPeriod) },
          { header: _("Now"), end: true, cell: (line) => amount(line.initialPrice) },
          { header: _("Later"), end: true, cell: (line) => amount(line.renewalPrice) },
        ]}
      />
      <div className={styles.sums}>
        <Facts
          facts={[
            { name: _("Before tax"), value: amount(offer.subtotal) },
            ...offer.taxes.map((tax) => ({
              name: `${_("Tax")} · ${spelt(RegionCodeSchema, tax.locality)} ${spelt(TaxComponentSchema, tax.component)} ${percent.format(tax.ratePpm / 1e6)}`,
              value: amount(tax.amount),
            })),
            { name: _("Total"), value: <strong>{amount(offer.total)}</strong> },
          ]}
        />
      </div>
    </div>
  );
}

/** The transactions of an order's payments, the newest first. */
function useTransactions(order: Order): Transaction[] {
  const { ask, may, operationOf } = useConsole();
  const { getTransaction } = PaymentMethodService.method;
  const ids = order.offers.flatMap(({ transactionIds }) => transactionIds).slice(-TRIES);
  const queries = useQueries({
    queries: ids.map((transactionId) => ({
      queryKey: ["record", "transaction", transactionId, order.version.toString()],
      enabled: may(operationOf(getTransaction)),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask(getTransaction, { transactionId, identityId: order.ownerId }, { signal }),
    })),
  });
  return queries
    .flatMap(({ data }) => data ?? [])
    .toSorted((left, right) => (moment(right.createdAt)?.getTime() ?? 0) - (moment(left.createdAt)?.getTime() ?? 0));
}

function Tries({ transactions }: { transactions: readonly Transaction[] }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  return (
    <Table
      label={_("Payment tries")}
      none={_("No payment was tried yet.")}
      rows={transactions}
      rowId={({ id }) => id}
      columns={[
        { header: _("When"), cell: ({ createdAt }) => <DateTime at={moment(createdAt)} /> },
        { header: _("What"), cell: ({ type }) => spelt(TransactionTypeSchema, type) },
        { header: _("Result"), cell: ({ status }) => <Status desc={TransactionStatusSchema} value={status} /> },
        { header: _("Why not"), cell: ({ declineReason }) => spelt(DeclineReasonSchema, declineReason) },
        { header: _("Vendor’s reference"), cell: ({ vendorReference }) => <Id>{vendorReference}</Id> },
        { header: _("Amount"), end: true, cell: (one) => amount(one.amount) },
      ]}
    />
  );
}
