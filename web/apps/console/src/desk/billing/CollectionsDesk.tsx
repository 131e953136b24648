/** The invoices that were not paid, by age: why, what comes next, and what can be done with many at once. */
import { useLingui } from "@lingui/react";
import { today } from "@pavise/rpc/day.ts";
import { InvoiceSchema, InvoiceStatusSchema, type Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceOrder, InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { DeclineReasonSchema } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { EmptyState, Note } from "@pavise/ui/Notice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { dayText, DayText } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { PersonName, Status } from "../../console/Cells.tsx";
import { useConsole, type Console } from "../../console/console.ts";
import { WithDomains } from "../../console/WithDomains.tsx";
import { recordPath } from "../../contract/screens.ts";
import { searchText, useAddress } from "../../frame/address.ts";
import { Bars } from "../Bars.tsx";
import { BulkTools } from "../BulkTools.tsx";
import { DeskHead, Table, useAmount, useEntity, useSpelt } from "../parts.tsx";
import { AGES, ageOf, daysLate, heldOf, nextOf, openOf, refusalOf, UNPAID, type Age } from "./collections.ts";
import page from "../../console/console.module.css";

const ALL = "all";
const HELD = "held";
const FREE = "free";
const PAGE = 200;
/** The actions that come first. */
const FIRST = ["TryInvoiceNow", "HoldInvoice", "ForgiveInvoice"];
/** The most invoices that are read of each status, the longest overdue first. */
const MOST = 1_000;

/** The desk: `?age=`, `?status=` and `?hold=` narrow the list. The actions go by the fields of the domain. */
export function CollectionsDesk() {
  return (
    <WithDomains of={["billing"]}>
      <Collections />
    </WithDomains>
  );
}

function Collections() {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const { ask } = useConsole();
  const { search, setSearch, go } = useAddress();
  const entity = useEntity(InvoiceSchema);
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const query = useQuery({
    queryKey: ["record", "collections"],
    queryFn: ({ signal }) => readUnpaid(ask, signal),
  });
  const [age, status, hold] = [search["age"] ?? ALL, search["status"] ?? ALL, search["hold"] ?? ALL];
  const ageWords = useAgeWords();
  const columns = useColumns();
  const ofStatus = useMemo(
    () =>
      (query.data?.invoices ?? []).filter(
        (invoice) =>
          (status === ALL || String(invoice.status) === status) &&
          (hold === ALL || (heldOf(invoice, today()) !== undefined) === (hold === HELD)),
      ),
    [query.data, status, hold],
  );
  const rows = ofStatus.filter((invoice) => age === ALL || String(ageOf(daysLate(invoice, today()))) === age);
  const narrow = (name: "age" | "status" | "hold") => (chosen: string) => {
    setSelected(new Set());
    setSearch({ ...search, [name]: chosen === ALL ? undefined : chosen });
  };
  return (
    <div className={page.full}>
      <DeskHead desk={_("Desks")} path="/" title={_("Collections")} />
      {query.data === undefined ? null : <Sums invoices={ofStatus} />}
      {query.data?.hasMore === true ? (
        <Note
          title={_("There are more: this shows {most} of each status, the longest overdue first.", { most: MOST })}
        />
      ) : null}
      <BulkTools query={query} ticks={{ desc: InvoiceSchema, rows, selected, onSelect: setSelected, first: FIRST }}>
        <Select
          label={_("Overdue")}
          value={age}
          onChange={narrow("age")}
          choices={[
            { id: ALL, label: _("Any number of days") },
            ...AGES.map((last) => ({ id: String(last), label: ageWords(last) })),
          ]}
        />
        <Select
          label={_("Status")}
          value={status}
          onChange={narrow("status")}
          choices={[
            { id: ALL, label: _("All statuses") },
            ...UNPAID.map((one) => ({ id: String(one), label: spelt(InvoiceStatusSchema, one) })),
          ]}
        />
        <Select
          label={_("Hold")}
          value={hold}
          onChange={narrow("hold")}
          choices={[
            { id: ALL, label: _("Held or not") },
            { id: HELD, label: _("Held until a promised day") },
            { id: FREE, label: _("Not held") },
          ]}
        />
      </BulkTools>
      <Grid
        className={page.grow}
        label={_("Unpaid invoices")}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        onOpen={({ id, ownerId }) => {
          if (entity !== undefined) go(`${recordPath(entity, id)}${searchText({ owner: ownerId })}`);
        }}
        loading={query.isLoading}
        empty={
          <EmptyState title={_("Nothing is overdue")}>{_("No payment failed, or all were paid since.")}</EmptyState>
        }
      />
    </div>
  );
}

/** The invoices of each status, those that were due first at the beginning. */
async function readUnpaid(ask: Console["ask"], signal: AbortSignal) {
  const lists = await Promise.all(
    UNPAID.map(async (status) => {
      const invoices: Invoice[] = [];
      let pageToken = "";
      do {
        // oxlint-disable-next-line no-await-in-loop -- a page names the next one
        const answer = await ask(
          InvoiceService.method.listAllInvoices,
          { status, orderBy: InvoiceOrder.DUE_FIRST, pageSize: PAGE, pageToken },
          { signal },
        );
        invoices.push(...answer.invoices);
        pageToken = answer.nextPageToken;
      } while (pageToken !== "" && invoices.length < MOST);
      return { invoices, hasMore: pageToken !== "" };
    }),
  );
  const now = today();
  return {
    invoices: lists
      .flatMap(({ invoices }) => invoices)
      .toSorted((left, right) => daysLate(right, now) - daysLate(left, now)),
    hasMore: lists.some(({ hasMore }) => hasMore),
  };
}

/** How many invoices each age has, and what is open of them. */
function Sums({ invoices }: { invoices: readonly Invoice[] }) {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const ageWords = useAgeWords();
  const ages = AGES.map((age) => ({
    age,
    all: invoices.filter((invoice) => ageOf(daysLate(invoice, today())) === age),
  }));
  const most = Math.max(0, ...ages.flatMap(({ all }) => openOf(all).map((open) => Number(open.amount))));
  return (
    <Table
      label={_("Unpaid by age")}
      rows={ages}
      rowId={({ age }) => String(age)}
      columns={[
        { header: _("Overdue"), cell: ({ age }) => ageWords(age) },
        { header: _("Invoices"), end: true, cell: ({ all }) => all.length.toLocaleString(i18n.locale) },
        { header: _("Open"), end: true, cell: ({ all }) => openOf(all).map(amount).join(" · ") || "–" },
        {
          header: _("Compared"),
          cell: ({ age, all }) => (
            <Bars
              values={openOf(all).map((open) => Number(open.amount))}
              most={most}
              tone={age > 60 ? "bad" : age > 30 ? "warning" : "busy"}
            />
          ),
        },
      ]}
    />
  );
}

/** The words of an age. */
function useAgeWords(): (age: Age) => string {
  const { _ } = useLingui();
  return (age) => {
    const before = AGES[AGES.indexOf(age) - 1] ?? 0;
    if (age === Infinity) return _("More than {days} days", { days: before });
    return before === 0
      ? _("Up to {days} days", { days: age })
      : _("{from} to {until} days", { from: before + 1, until: age });
  };
}

function useColumns(): GridColumn<Invoice>[] {
  const { _, i18n } = useLingui();
  const spelt = useSpelt();
  const amount = useAmount();
  const days = new Intl.NumberFormat(i18n.locale, { style: "unit", unit: "day", unitDisplay: "long" });
  const next = (invoice: Invoice) => {
    const held = heldOf(invoice, today());
    if (held !== undefined) return _("Held until {day}", { day: dayText(i18n.locale, held) });
    const day = nextOf(invoice);
    if (day === "bank") return _("The bank decides on a dispute");
    return day === undefined ? _("No more tries") : <DayText day={day} />;
  };
  return [
    {
      id: "status",
      header: _("Status"),
      width: 150,
      cell: ({ status }) => <Status desc={InvoiceStatusSchema} value={status} />,
    },
    { id: "member", header: _("Member"), width: 240, cell: ({ ownerId }) => <PersonName id={ownerId} /> },
    { id: "number", header: _("Number"), width: 150, cell: ({ number, id }) => number || id },
    { id: "open", header: _("Open"), width: 120, end: true, cell: ({ openAmount }) => amount(openAmount) },
    { id: "due", header: _("Due on"), width: 140, cell: ({ dueOn }) => <DayText day={dueOn} /> },
    {
      id: "late",
      header: _("Overdue"),
      width: 110,
      end: true,
      cell: (invoice) => days.format(daysLate(invoice, today())),
    },
    {
      id: "why",
      header: _("Why"),
      width: 230,
      cell: (invoice) => spelt(DeclineReasonSchema, refusalOf(invoice)),
    },
    {
      id: "refused",
      header: _("Refused on"),
      width: 140,
      cell: ({ lastRefusedOn }) => <DayText day={lastRefusedOn} />,
    },
    { id: "next", header: _("Next try"), width: 230, cell: next },
    { id: "promise", header: _("Note of the hold"), width: 240, cell: ({ heldNote }) => heldNote },
  ];
}
