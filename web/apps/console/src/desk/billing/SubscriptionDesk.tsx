/** One subscription: its time on one line, its invoices, and changes and ends that are shown before they are made. */
import { useLingui } from "@lingui/react";
import { dayAt, today } from "@pavise/rpc/day.ts";
import { InvoiceSchema, InvoiceStatusSchema, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { PaymentMethodSchema } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import {
  CancelReasonSchema,
  CollectionSchema,
  SubscriptionSchema,
  SubscriptionStatus,
  SubscriptionStatusSchema,
  SuspendReasonSchema,
  type Subscription,
} from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { BillingPeriodSchema } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { DayText, Facts } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { PersonName, Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { readHistory, type Change } from "../../console/journal.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { journalOf, recordPath } from "../../contract/screens.ts";
import { searchText, useAddress } from "../../frame/address.ts";
import {
  Asked,
  DeskHead,
  Journals,
  NextSteps,
  RecordLink,
  Section,
  Table,
  useAmount,
  useAnswer,
  useEntity,
  useSpelt,
} from "../parts.tsx";
import { ChangePlan } from "./ChangePlan.tsx";
import { EndSubscription } from "./EndSubscription.tsx";
import { WithdrawChange } from "./WithdrawChange.tsx";
import { piecesOf, type Standing } from "./time-line.ts";
import { TimeLine } from "./TimeLine.tsx";
import styles from "../desk.module.css";

const PATH = "/desk/subscriptions";
/** The invoices that are read: those of years. */
const INVOICES = 200;

/** The page of one subscription. The address names its owner, else the journal does. */
export function SubscriptionDesk({ id }: { id: string }) {
  const { _ } = useLingui();
  const { search } = useAddress();
  const history = useHistory(id);
  const owner = search["owner"] ?? history.data?.at(-1)?.ownerId ?? "";
  const query = useAnswer(
    SubscriptionService.method.getSubscription,
    { identityId: owner, subscriptionId: id },
    { enabled: owner !== "" },
  );
  if (owner === "" && history.error !== null)
    return (
      <div className={styles.desk}>
        <DeskHead desk={_("Subscription desk")} path={PATH} title={id} />
        <ProblemPanel error={history.error} onRetry={() => void history.refetch()} retrying={history.isFetching} />
      </div>
    );
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(subscription) => <Whole subscription={subscription} history={history.data ?? []} />}
      </Asked>
    </div>
  );
}

/** The changes of the subscription, oldest first. The joined journals read the same. */
function useHistory(id: string) {
  const { contract, call, may } = useConsole();
  const entity = useEntity(SubscriptionSchema);
  const journal = entity === undefined ? undefined : journalOf(contract, entity.service);
  return useQuery({
    queryKey: ["history", SubscriptionSchema.typeName, id],
    enabled: may(journal),
    queryFn: async ({ signal }): Promise<Change[]> => {
      if (journal === undefined || entity === undefined) return [];
      await contract.load(entity.domain);
      return readHistory(call, journal, id, contract.registry, signal);
    },
  });
}

/** The statuses of the subscription from day to day, as its journal has them. */
function standingsOf(history: readonly Change[]): Standing[] {
  return history.flatMap(({ at, message, typeName }) =>
    at === null || message === undefined || typeName !== SubscriptionSchema.typeName
      ? []
      : [{ from: dayAt(at), status: (message as Subscription).status }],
  );
}

function Whole({ subscription, history }: { subscription: Subscription; history: readonly Change[] }) {
  const { _ } = useLingui();
  const { id, ownerId, items } = subscription;
  const entity = useEntity(SubscriptionSchema);
  const invoices = useAnswer(InvoiceService.method.listInvoices, {
    identityId: ownerId,
    subscriptionId: id,
    pageSize: INVOICES,
  });
  const pieces = useMemo(
    () => piecesOf(subscription, invoices.data?.invoices ?? [], standingsOf(history), today()),
    [subscription, invoices.data, history],
  );
  return (
    <>
      <DeskHead
        desk={_("Subscription desk")}
        path={PATH}
        title={items.map(({ name }) => name).join(", ") || id}
        actions={<Decisions subscription={subscription} />}
      >
        <Status desc={SubscriptionStatusSchema} value={subscription.status} />
        <PersonName id={ownerId} />
        {entity === undefined ? null : (
          <Link href={`${recordPath(entity, id)}${searchText({ owner: ownerId })}`}>{_("The whole record")}</Link>
        )}
      </DeskHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Section title={_("On one line of time")}>
            <TimeLine pieces={pieces} />
          </Section>
          <Section title={_("Invoices")}>
            <Asked query={invoices}>{(answer) => <Invoices invoices={answer.invoices} />}</Asked>
          </Section>
        </div>
        <div className={styles.side}>
          <About subscription={subscription} />
          <NextSteps
            desc={SubscriptionSchema}
            message={subscription}
            calls={[
              "SuspendSubscription",
              "ActivateSubscription",
              "PendingCancelSubscription",
              "RemovePendingCancelSubscription",
              "UpdateSubscriptionDiscounts",
            ]}
          />
          <Journals records={[{ desc: SubscriptionSchema, id }]} />
        </div>
      </div>
    </>
  );
}

/** The buttons of what is shown before it is made. */
function Decisions({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const [open, setOpen] = useState<"change" | "end" | "withdraw">();
  const { method } = SubscriptionService;
  if (subscription.status === SubscriptionStatus.CANCELLED) return null;
  const shown = may(operationOf(method.previewSubscription));
  const waits = subscription.change !== undefined && subscription.change.invoiceId === "";
  const close = () => setOpen(undefined);
  return (
    <>
      {waits && may(operationOf(method.withdrawSubscriptionChange)) ? (
        <Button onPress={() => setOpen("withdraw")}>{_("Withdraw the change…")}</Button>
      ) : null}
      {shown && may(operationOf(method.updateSubscriptionOffer)) ? (
        <Button kind="primary" onPress={() => setOpen("change")}>
          {_("Change the plan…")}
        </Button>
      ) : null}
      {may(operationOf(method.cancelSubscription)) ? (
        <Button kind="danger" onPress={() => setOpen("end")}>
          {_("End it now…")}
        </Button>
      ) : null}
      {open === "change" ? <ChangePlan subscription={subscription} onClose={close} /> : null}
      {open === "end" ? <EndSubscription subscription={subscription} onClose={close} /> : null}
      {open === "withdraw" ? <WithdrawChange subscription={subscription} onClose={close} /> : null}
    </>
  );
}

/** A fact, unless there is no day. */
const day = (name: string, value: Subscription["startedOn"]) =>
  value === undefined ? [] : [{ name, value: <DayText day={value} /> }];

/** A fact, unless its text is empty. */
const text = (name: string, value: string) => (value === "" ? [] : [{ name, value }]);

function About({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const amount = useAmount();
  const { items, billingPeriod, suspendedFor, cancelReason, change } = subscription;
  return (
    <Section title={_("About it")}>
      <Facts
        facts={[
          ...items.map(({ name, price }) => ({ name, value: amount(price) })),
          ...text(_("Billing period"), spelt(BillingPeriodSchema, billingPeriod)),
          ...text(_("How its money comes in"), spelt(CollectionSchema, subscription.collection)),
          {
            name: _("Paid with"),
            value: (
              <RecordLink desc={PaymentMethodSchema} id={subscription.paymentMethodId} owner={subscription.ownerId} />
            ),
          },
          ...day(_("Began on"), subscription.startedOn),
          ...day(_("Paid until"), subscription.paidToDate),
          ...day(_("Next bill"), subscription.billsOn),
          ...text(_("Suspended for"), spelt(SuspendReasonSchema, suspendedFor)),
          ...text(_("Why it ends"), spelt(CancelReasonSchema, cancelReason)),
          ...day(_("A change waits for"), change?.effectiveOn),
        ]}
      />
    </Section>
  );
}

function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
  const { _ } = useLingui();
  const amount = useAmount();
  return (
    <Table
      label={_("Invoices")}
      rows={invoices}
      rowId={({ id }) => id}
      none={_("Nothing was billed yet.")}
      columns={[
        {
          header: _("Number"),
          cell: ({ id, number, ownerId }) => (
            <RecordLink desc={InvoiceSchema} id={id} owner={ownerId}>
              {number || id}
            </RecordLink>
          ),
        },
        { header: _("Status"), cell: ({ status }) => <Status desc={InvoiceStatusSchema} value={status} /> },
        { header: _("From"), cell: ({ periodFrom }) => <DayText day={periodFrom} /> },
        { header: _("Until"), cell: ({ periodUntil }) => <DayText day={periodUntil} /> },
        { header: _("Due on"), cell: ({ dueOn }) => <DayText day={dueOn} /> },
        { header: _("Next try"), cell: ({ dueToCollectOn }) => <DayText day={dueToCollectOn} /> },
        { header: _("Open"), end: true, cell: ({ openAmount }) => amount(openAmount) },
        { header: _("Total"), end: true, cell: ({ total }) => amount(total) },
      ]}
    />
  );
}
