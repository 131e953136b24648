/** The comparison with the payment vendors: days, differences that wait for somebody, and disputes. */
import { useLingui } from "@lingui/react";
import { VendorSchema } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import {
  ReconciliationOutcomeSchema,
  ReconciliationRowSchema,
  ReconciliationRowStatus,
  ReconciliationRowStatusSchema,
  type ReconciliationRow,
} from "@pavise/schema/pavise/billing/v1/reconciliation_pb";
import { ReconciliationService } from "@pavise/schema/pavise/billing/v1/reconciliation_service_pb";
import { TransactionSchema } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { EmptyState, Note } from "@pavise/ui/Notice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { DayText } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Status } from "../../console/Cells.tsx";
import { useConsole, type Console } from "../../console/console.ts";
import { WithDomains } from "../../console/WithDomains.tsx";
import { recordPath } from "../../contract/screens.ts";
import { useAddress } from "../../frame/address.ts";
import { Bar } from "../Bars.tsx";
import { BulkTools } from "../BulkTools.tsx";
import { Asked, DeskHead, RecordLink, Section, Table, useAmount, useAnswer, useEntity, useSpelt } from "../parts.tsx";
import { Disputes } from "./Disputes.tsx";
import { DownloadDifferences } from "./DownloadDifferences.tsx";
import { apartOf, countsOf, DIFFERENCES } from "./reconciliation.ts";
import styles from "../desk.module.css";

const ALL = "all";
const PAGE = 200;
/** The most differences that are read, the newest first. */
const MOST = 1_000;
/** The days that are shown. */
const DAYS = 31;
const FIRST = ["SettleReconciliationRow"];
const STATUSES = [
  ReconciliationRowStatus.OPEN,
  ReconciliationRowStatus.SETTLED,
  ReconciliationRowStatus.RESOLVED,
] as const;

/** The desk: `?status=` and `?outcome=` narrow the differences, `?dispute=` the disputes. */
export function ReconciliationDesk() {
  const { _ } = useLingui();
  return (
    <WithDomains of={["billing"]}>
      <div className={styles.desk}>
        <DeskHead desk={_("Desks")} path="/" title={_("Reconciliation")} actions={<DownloadDifferences />} />
        <Differences />
        <div className={styles.columns}>
          <div className={styles.main}>
            <Disputes />
          </div>
          <div className={styles.side}>
            <Days />
          </div>
        </div>
      </div>
    </WithDomains>
  );
}

function Differences() {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const { ask } = useConsole();
  const { search, setSearch, go } = useAddress();
  const entity = useEntity(ReconciliationRowSchema);
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const status = search["status"] ?? String(ReconciliationRowStatus.OPEN);
  const outcome = search["outcome"] ?? ALL;
  const query = useQuery({
    queryKey: ["record", "differences", status],
    queryFn: ({ signal }) => readRows(ask, status === ALL ? 0 : Number(status), signal),
  });
  const columns = useColumns();
  const all = query.data?.rows ?? [];
  const rows = all.filter((row) => outcome === ALL || String(row.outcome) === outcome);
  const narrow = (name: "status" | "outcome") => (chosen: string) => {
    setSelected(new Set());
    setSearch({ ...search, [name]: chosen });
  };
  return (
    <Section title={_("Differences")}>
      {query.data === undefined ? null : <Sums rows={all} />}
      {query.data?.hasMore === true ? (
        <Note title={_("There are more: this shows the newest {most}.", { most: MOST })} />
      ) : null}
      <BulkTools
        query={query}
        ticks={{ desc: ReconciliationRowSchema, rows, selected, onSelect: setSelected, first: FIRST }}
      >
        <Select
          label={_("Status")}
          value={status}
          onChange={narrow("status")}
          choices={[
            { id: ALL, label: _("All statuses") },
            ...STATUSES.map((one) => ({ id: String(one), label: spelt(ReconciliationRowStatusSchema, one) })),
          ]}
        />
        <Select
          label={_("Difference")}
          value={outcome}
          onChange={narrow("outcome")}
          choices={[
            { id: ALL, label: _("All differences") },
            ...DIFFERENCES.map((one) => ({ id: String(one), label: spelt(ReconciliationOutcomeSchema, one) })),
          ]}
        />
      </BulkTools>
      <Grid
        height={360}
        label={_("Differences")}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        onOpen={({ id }) => {
          if (entity !== undefined) go(recordPath(entity, id));
        }}
        loading={query.isLoading}
        empty={
          <EmptyState title={_("Nothing differs")}>
            {_("The vendors moved what is on record here, as far as days were compared.")}
          </EmptyState>
        }
      />
    </Section>
  );
}

async function readRows(ask: Console["ask"], status: ReconciliationRowStatus, signal: AbortSignal) {
  const rows: ReconciliationRow[] = [];
  let pageToken = "";
  do {
    // oxlint-disable-next-line no-await-in-loop -- a page names the next one
    const answer = await ask(
      ReconciliationService.method.listReconciliationRows,
      { status, pageSize: PAGE, pageToken },
      { signal },
    );
    rows.push(...answer.reconciliationRows);
    pageToken = answer.nextPageToken;
  } while (pageToken !== "" && rows.length < MOST);
  return { rows, hasMore: pageToken !== "" };
}

/** How often each difference is there, and how much is apart. */
function Sums({ rows }: { rows: readonly ReconciliationRow[] }) {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const counts = countsOf(rows);
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map(({ count }) => count));
  return (
    <Table
      label={_("Differences by kind")}
      rows={counts}
      rowId={({ outcome }) => String(outcome)}
      columns={[
        { header: _("Difference"), cell: ({ outcome }) => spelt(ReconciliationOutcomeSchema, outcome) },
        { header: _("How often"), end: true, cell: ({ count }) => count.toLocaleString(i18n.locale) },
        {
          header: _("The vendor moved more by"),
          end: true,
          cell: ({ outcome }) =>
            apartOf(rows.filter((row) => row.outcome === outcome))
              .map(amount)
              .join(" · ") || "–",
        },
        { header: _("Compared"), cell: ({ count }) => <Bar parts={[{ value: count, tone: "bad" }]} most={most} /> },
      ]}
    />
  );
}

function useColumns(): GridColumn<ReconciliationRow>[] {
  const { _ } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  return [
    {
      id: "outcome",
      header: _("Difference"),
      width: 190,
      cell: ({ outcome }) => <Status desc={ReconciliationOutcomeSchema} value={outcome} />,
    },
    {
      id: "status",
      header: _("Status"),
      width: 130,
      cell: ({ status }) => <Status desc={ReconciliationRowStatusSchema} value={status} />,
    },
    { id: "day", header: _("Day"), width: 130, cell: ({ day }) => <DayText day={day} /> },
    { id: "vendor", header: _("Vendor"), width: 120, cell: ({ vendor }) => spelt(VendorSchema, vendor) },
    {
      id: "there",
      header: _("At the vendor"),
      width: 130,
      end: true,
      cell: ({ vendorAmount }) => amount(vendorAmount) || "–",
    },
    { id: "here", header: _("Here"), width: 130, end: true, cell: (row) => amount(row.amount) || "–" },
    {
      id: "transaction",
      header: _("Transaction"),
      width: 230,
      cell: ({ transactionId }) => <RecordLink desc={TransactionSchema} id={transactionId} owner="" />,
    },
    {
      id: "reference",
      header: _("Vendor’s reference"),
      width: 230,
      cell: ({ vendorReference }) => vendorReference,
    },
    { id: "note", header: _("Note"), width: 260, cell: ({ note }) => note },
  ];
}

/** The days that were compared: how many movements matched. */
function Days() {
  const { _, i18n } = useLingui();
  const spelt = useSpelt();
  const query = useAnswer(ReconciliationService.method.listReconciliations, { pageSize: DAYS });
  const count = (value: number) => value.toLocaleString(i18n.locale);
  return (
    <Section title={_("Days that were compared")}>
      <Asked query={query}>
        {({ reconciliations }) => {
          const most = Math.max(
            0,
            ...reconciliations.map(({ movements, different }) => Math.max(movements, different)),
          );
          return (
            <Table
              label={_("Days that were compared")}
              none={_("No day was compared yet.")}
              rows={reconciliations}
              rowId={({ id }) => id}
              columns={[
                { header: _("Day"), cell: ({ day }) => <DayText day={day} /> },
                { header: _("Vendor"), cell: ({ vendor }) => spelt(VendorSchema, vendor) },
                { header: _("Matched"), end: true, cell: ({ matched }) => count(matched) },
                { header: _("Different"), end: true, cell: ({ different }) => count(different) },
                {
                  header: _("Compared"),
                  cell: ({ matched, different }) => (
                    <Bar
                      parts={[
                        { value: matched, tone: "good" },
                        { value: different, tone: "bad" },
                      ]}
                      most={most}
                    />
                  ),
                },
              ]}
            />
          );
        }}
      </Asked>
    </Section>
  );
}
