/** One repricing: its terms, how far it is, and its result for each subscription. */
import { useLingui } from "@lingui/react";
import { today } from "@pavise/rpc/day.ts";
import {
  RepricingRowStatus,
  RepricingRowStatusSchema,
  RepricingSchema,
  RepricingSkipReasonSchema,
  RepricingStatus,
  RepricingStatusSchema,
  type Repricing,
  type RepricingRow,
} from "@pavise/schema/pavise/billing/v1/repricing_pb";
import { RepricingService } from "@pavise/schema/pavise/billing/v1/repricing_service_pb";
import { SubscriptionSchema } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState, Note } from "@pavise/ui/Notice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { DateTime, dayText, DayText, Facts } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { Status } from "../../console/Cells.tsx";
import { useConsole, type Console } from "../../console/console.ts";
import { recordPath } from "../../contract/screens.ts";
import { useAddress } from "../../frame/address.ts";
import { BulkTools } from "../BulkTools.tsx";
import {
  Asked,
  DeskHead,
  Journals,
  moment,
  NextSteps,
  RecordLink,
  Section,
  useAmount,
  useAnswer,
  useEntity,
  useSpelt,
} from "../parts.tsx";
import { canBeWithdrawn, isUnderWay } from "./repricing.ts";
import { Plans, Progress } from "./RepricingParts.tsx";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

const ALL = "all";
const PAGE = 200;
/** The most results that are read. */
const MOST = 1_000;
/** How often results are read again while they are being made, in milliseconds. */
const AGAIN = 1_500;
const RESULTS = [RepricingRowStatus.REPRICED, RepricingRowStatus.SKIPPED, RepricingRowStatus.WITHDRAWN] as const;

/** The page of a repricing: `?result=` narrows the results. It is read again by itself while it is under way. */
export function RepricingDesk({ id }: { id: string }) {
  const query = useAnswer(RepricingService.method.getRepricing, { repricingId: id }, { underWay: isUnderWay });
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(repricing) => <Whole repricing={repricing} />}
      </Asked>
    </div>
  );
}

function Whole({ repricing }: { repricing: Repricing }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const entity = useEntity(RepricingSchema);
  const { id, status, oldPrice, price } = repricing;
  return (
    <>
      <DeskHead
        desk={_("Repricing")}
        path="/desk/repricing"
        title={`${amount(oldPrice)} → ${amount(price)}`}
        actions={entity === undefined ? undefined : <Link href={recordPath(entity, id)}>{_("The whole record")}</Link>}
      >
        <Status desc={RepricingStatusSchema} value={status} />
        <Plans {...repricing} />
      </DeskHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          <HowFar repricing={repricing} />
          <Results repricing={repricing} />
        </div>
        <div className={styles.side}>
          <Withdraw repricing={repricing} />
          <Journals records={[{ desc: RepricingSchema, id }]} underWay={isUnderWay(repricing)} />
        </div>
      </div>
    </>
  );
}

/** The terms, and the counts so far. */
function HowFar({ repricing }: { repricing: Repricing }) {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const { oldPrice, price, firstDay, note, repriced, skipped, withdrawn, createdAt } = repricing;
  const count = (value: number) => value.toLocaleString(i18n.locale);
  return (
    <Section title={_("How far it is")}>
      <Progress repricing={repricing} />
      <Facts
        facts={[
          { name: _("Until then"), value: amount(oldPrice) },
          { name: _("From then on"), value: amount(price) },
          { name: _("First day"), value: <DayText day={firstDay} long /> },
          { name: _("Repriced, and told by a letter"), value: count(repriced) },
          { name: spelt(RepricingRowStatusSchema, RepricingRowStatus.SKIPPED), value: count(skipped) },
          ...(withdrawn === 0
            ? []
            : [{ name: spelt(RepricingRowStatusSchema, RepricingRowStatus.WITHDRAWN), value: count(withdrawn) }]),
          ...(note === "" ? [] : [{ name: _("Reason"), value: note }]),
          { name: _("Requested"), value: <DateTime at={moment(createdAt)} /> },
        ]}
      />
    </Section>
  );
}

/** The way to withdraw it, until its first day. */
function Withdraw({ repricing }: { repricing: Repricing }) {
  const { _, i18n } = useLingui();
  const { status, firstDay } = repricing;
  const isOver = status === RepricingStatus.WITHDRAWING || status === RepricingStatus.WITHDRAWN;
  if (isOver || canBeWithdrawn(repricing, today()))
    return <NextSteps desc={RepricingSchema} message={repricing} calls={["WithdrawRepricing"]} />;
  return (
    <Section title={_("What can be done next")}>
      <p className={page.soft}>
        {_("Bills may have the new price since {day}. It can no longer be withdrawn; make another repricing.", {
          day: firstDay === undefined ? "" : dayText(i18n.locale, firstDay, true),
        })}
      </p>
    </Section>
  );
}

/** The result for each subscription. */
function Results({ repricing }: { repricing: Repricing }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const { ask, may, operationOf } = useConsole();
  const { search, setSearch, go } = useAddress();
  const entity = useEntity(SubscriptionSchema);
  const columns = useColumns();
  const result = search["result"] ?? ALL;
  const { id } = repricing;
  const query = useQuery({
    queryKey: ["record", "repricing rows", id, result],
    enabled: may(operationOf(RepricingService.method.listRepricingRows)),
    queryFn: ({ signal }) => readRows(ask, id, result === ALL ? 0 : Number(result), signal),
    refetchInterval: isUnderWay(repricing) ? AGAIN : false,
  });
  return (
    <Section title={_("Results")}>
      {query.data?.hasMore === true ? (
        <Note title={_("There are more: this shows {most} of them.", { most: MOST })} />
      ) : null}
      <BulkTools query={query}>
        <Select
          label={_("Result")}
          value={result}
          onChange={(chosen) => setSearch({ ...search, result: chosen === ALL ? undefined : chosen })}
          choices={[
            { id: ALL, label: _("All results") },
            ...RESULTS.map((one) => ({ id: String(one), label: spelt(RepricingRowStatusSchema, one) })),
          ]}
        />
      </BulkTools>
      <Grid
        height={360}
        label={_("Results")}
        rows={query.data?.rows ?? []}
        columns={columns}
        rowId={(row) => row.id}
        onOpen={({ subscriptionId }) => {
          if (entity !== undefined) go(recordPath(entity, subscriptionId));
        }}
        loading={query.isLoading}
        empty={<EmptyState title={_("No results")}>{_("No subscription has this result so far.")}</EmptyState>}
      />
    </Section>
  );
}

async function readRows(ask: Console["ask"], repricingId: string, status: RepricingRowStatus, signal: AbortSignal) {
  const rows: RepricingRow[] = [];
  let pageToken = "";
  do {
    // oxlint-disable-next-line no-await-in-loop -- a page names the next one
    const answer = await ask(
      RepricingService.method.listRepricingRows,
      { repricingId, status, pageSize: PAGE, pageToken },
      { signal },
    );
    rows.push(...answer.repricingRows);
    pageToken = answer.nextPageToken;
  } while (pageToken !== "" && rows.length < MOST);
  return { rows, hasMore: pageToken !== "" };
}

function useColumns(): GridColumn<RepricingRow>[] {
  const { _ } = useLingui();
  const spelt = useSpelt();
  return [
    {
      id: "status",
      header: _("Result"),
      width: 150,
      cell: ({ status }) => <Status desc={RepricingRowStatusSchema} value={status} />,
    },
    {
      id: "reason",
      header: _("Why it keeps its price"),
      width: 220,
      cell: ({ skipReason }) => spelt(RepricingSkipReasonSchema, skipReason),
    },
    {
      id: "subscription",
      header: _("Subscription"),
      width: 320,
      cell: ({ subscriptionId }) => <RecordLink desc={SubscriptionSchema} id={subscriptionId} owner="" />,
    },
    {
      id: "recorded",
      header: _("Recorded"),
      width: 190,
      cell: ({ createdAt }) => <DateTime at={moment(createdAt)} />,
    },
  ];
}
