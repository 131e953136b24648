/** One billing day: what was due, billed, paid and declined, and the workers that make it. */
import { useLingui } from "@lingui/react";
import { words } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { addDays, today, type Day } from "@pavise/rpc/day.ts";
import { isoDay } from "@pavise/rpc/today.ts";
import { InvoiceSchema, InvoiceStatus, InvoiceStatusSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceOrder, InvoiceService, type BillingDay } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { DeclineReasonSchema } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { WorkerKind, WorkerStatus, type Worker } from "@pavise/schema/pavise/common/v1/worker_pb";
import { PlatformWorkerService } from "@pavise/schema/pavise/identity/v1/platform_worker_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField } from "@pavise/ui/DateField.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime, DayText } from "@pavise/ui/Value.tsx";
import { useState } from "react";
import { PersonName, Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { useAddress } from "../../frame/address.ts";
import { Bar } from "../Bars.tsx";
import { Asked, DeskHead, moment, RecordLink, Section, Table, useAmount, useAnswer, useSpelt } from "../parts.tsx";
import { dayIn, figuresOf, WORKERS } from "./billing-day.ts";
import { refusalOf } from "./collections.ts";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

/** The invoices of the day that are listed. */
const PAGE = 100;
/** No earlier year has bills. */
const FIRST_YEAR = 2000;
/** The entries of a worker that are listed. */
const FEW = 20;

/** The desk: `?day=` names the day, else it is today. */
export function BillingDayDesk() {
  const { _ } = useLingui();
  const { search, setSearch } = useAddress();
  const day = dayIn(search["day"], today());
  const [typed, setTyped] = useState<Day | null>(day);
  const go = (to: Day | null) => {
    setTyped(to);
    // A year that is being typed begins with few digits.
    if (to !== null && to.year >= FIRST_YEAR) setSearch({ ...search, day: isoDay(to) });
  };
  const query = useAnswer(InvoiceService.method.getBillingDay, { day });
  return (
    <div className={styles.desk}>
      <DeskHead desk={_("Desks")} path="/" title={_("Billing day")} />
      <div className={page.bar}>
        <div className={page.filters}>
          <DateField label={_("Day")} value={typed} onChange={go} />
        </div>
        <div className={page.tools}>
          <Button kind="quiet" onPress={() => go(addDays(day, -1))}>
            {_("The day before")}
          </Button>
          <Button kind="quiet" onPress={() => go(addDays(day, 1))}>
            {_("The day after")}
          </Button>
          <Button kind="quiet" onPress={() => go(today())}>
            {_("Today")}
          </Button>
        </div>
      </div>
      <Asked query={query}>{(answer) => <Figures answer={answer} />}</Asked>
      <Declined day={day} />
      <Workers />
    </div>
  );
}

/** The numbers and the amounts of the day. */
function Figures({ answer }: { answer: BillingDay }) {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const { due, billed, paid, declined, open } = figuresOf(answer);
  const rows = [
    { name: _("Due"), count: due, tone: "over" as const },
    { name: _("Billed"), count: billed, tone: "busy" as const },
    { name: _("Paid"), count: paid, tone: "good" as const },
    { name: _("Declined"), count: declined, tone: "bad" as const },
    { name: _("Still open"), count: open, tone: "warning" as const },
    { name: _("Not billed yet"), count: answer.waiting, tone: "warning" as const },
  ];
  return (
    <>
      <Section title={_("How many")}>
        <Table
          label={_("How many")}
          rows={rows}
          rowId={({ name }) => name}
          columns={[
            { header: _("What"), cell: ({ name }) => name },
            { header: _("How many"), end: true, cell: ({ count }) => count.toLocaleString(i18n.locale) },
            { header: _("Compared"), cell: ({ count, tone }) => <Bar parts={[{ value: count, tone }]} most={due} /> },
          ]}
        />
        <p className={page.soft}>
          {answer.counts
            .map(
              ({ status, invoices }) =>
                `${spelt(InvoiceStatusSchema, status)}: ${invoices.toLocaleString(i18n.locale)}`,
            )
            .join(" · ")}
        </p>
      </Section>
      <Section title={_("How much")}>
        {answer.amountsArePartial ? (
          <Note title={_("The day has more invoices than are added up: these are the first ones.")} />
        ) : null}
        <Table
          label={_("How much")}
          none={_("Nothing was billed for this day.")}
          rows={answer.amounts}
          rowId={({ billed: sum }) => String(sum?.currency ?? 0)}
          columns={[
            { header: _("Billed"), end: true, cell: (sums) => amount(sums.billed) },
            { header: _("Paid"), end: true, cell: (sums) => amount(sums.paid) },
            { header: _("Declined"), end: true, cell: (sums) => amount(sums.declined) },
            { header: _("Still open"), end: true, cell: (sums) => amount(sums.open) },
            {
              header: _("Compared"),
              cell: (sums) => (
                <Bar
                  parts={[
                    { value: Number(sums.paid?.amount ?? 0n), tone: "good" },
                    { value: Number(sums.declined?.amount ?? 0n), tone: "bad" },
                    { value: Number(sums.open?.amount ?? 0n), tone: "warning" },
                  ]}
                  most={Number(sums.billed?.amount ?? 0n)}
                />
              ),
            },
          ]}
        />
      </Section>
    </>
  );
}

/** The invoices of the day whose tries were refused. */
function Declined({ day }: { day: Day }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const query = useAnswer(InvoiceService.method.listAllInvoices, {
    status: InvoiceStatus.FAILED,
    dueFrom: day,
    dueUntil: day,
    orderBy: InvoiceOrder.DUE_FIRST,
    pageSize: PAGE,
  });
  return (
    <Section title={_("Declined")} end={<Link href="/desk/collections">{_("All that is unpaid")}</Link>}>
      <Asked query={query}>
        {({ invoices, nextPageToken }) => (
          <>
            {nextPageToken === "" ? null : (
              <Note title={_("There are more: this shows the first {most}.", { most: PAGE })} />
            )}
            <Table
              label={_("Declined")}
              none={_("No try was refused.")}
              rows={invoices}
              rowId={({ id }) => id}
              columns={[
                { header: _("Member"), cell: ({ ownerId }) => <PersonName id={ownerId} /> },
                {
                  header: _("Invoice"),
                  cell: ({ id, number, ownerId }) => (
                    <RecordLink desc={InvoiceSchema} id={id} owner={ownerId}>
                      {number || id}
                    </RecordLink>
                  ),
                },
                { header: _("Status"), cell: ({ status }) => <Status desc={InvoiceStatusSchema} value={status} /> },
                { header: _("Why"), cell: (invoice) => spelt(DeclineReasonSchema, refusalOf(invoice)) },
                { header: _("Next try"), cell: ({ dueToCollectOn }) => <DayText day={dueToCollectOn} /> },
                { header: _("Open"), end: true, cell: ({ openAmount }) => amount(openAmount) },
              ]}
            />
          </>
        )}
      </Asked>
    </Section>
  );
}

/** The workers of billing: run again, and the entries that wait for somebody. */
function Workers() {
  const { _ } = useLingui();
  const w = useWords();
  const { ask, may, operationOf } = useConsole();
  const reread = useReread();
  const { pending, error, run } = useAttempt();
  const { method } = PlatformWorkerService;
  const query = useAnswer(method.listWorkers, { domain: "billing" });
  const trigger = (workerName: string) =>
    run(async () => {
      await ask(method.triggerWorker, { workerName });
      await reread();
      toast({ title: _("The worker runs now") });
    });
  const mayTrigger = may(operationOf(method.triggerWorker));
  const title = (name: string) => w(words(name.split(".").at(-1) ?? name));
  return (
    <Section title={_("Workers of the day")}>
      {error === undefined ? null : <ProblemPanel error={error} />}
      <Asked query={query}>
        {({ workers }) => {
          const own = WORKERS.flatMap((name) => workers.find((worker) => worker.name === name) ?? []);
          return (
            <>
              <Table
                label={_("Workers of the day")}
                rows={own}
                rowId={({ name }) => name}
                columns={[
                  {
                    header: _("Worker"),
                    cell: ({ name }) => <Link href={`/desk/workers/${encodeURIComponent(name)}`}>{title(name)}</Link>,
                  },
                  { header: _("Last run"), cell: ({ endedAt }) => <DateTime at={moment(endedAt)} /> },
                  { header: _("Why it failed"), cell: ({ cause }) => cause },
                  { header: _("Parked"), end: true, cell: ({ parkedCount }) => String(parkedCount) },
                  {
                    header: _("Again"),
                    cell: ({ name, kind, status }) =>
                      kind === WorkerKind.JOURNAL || !mayTrigger ? null : (
                        <Button
                          kind="quiet"
                          isPending={pending}
                          isDisabled={status === WorkerStatus.PAUSED}
                          aria-label={_("Run now: {worker}", { worker: title(name) })}
                          onPress={() => void trigger(name)}
                        >
                          {_("Run now")}
                        </Button>
                      ),
                  },
                ]}
              />
              {workers
                .filter(({ parkedCount }) => parkedCount > 0n)
                .map((worker) => (
                  <Parked key={worker.name} worker={worker} title={title(worker.name)} />
                ))}
            </>
          );
        }}
      </Asked>
    </Section>
  );
}

/** The entries that a worker left to somebody, with their causes. */
function Parked({ worker, title }: { worker: Worker; title: string }) {
  const { _ } = useLingui();
  const query = useAnswer(PlatformWorkerService.method.listFailedEntries, {
    workerName: worker.name,
    pageSize: FEW,
  });
  return (
    <>
      <h3>{_("Parked by {worker}", { worker: title })}</h3>
      <Asked query={query}>
        {({ failedEntries }) => (
          <Table
            label={_("Parked by {worker}", { worker: title })}
            rows={failedEntries.filter(({ parked }) => parked)}
            rowId={({ clock }) => String(clock)}
            columns={[
              { header: _("Clock"), cell: ({ clock }) => String(clock) },
              { header: _("Why"), cell: ({ cause }) => cause },
              { header: _("Tries"), end: true, cell: ({ attempts }) => String(attempts) },
            ]}
          />
        )}
      </Asked>
      <p>
        <Link href={`/desk/workers/${encodeURIComponent(worker.name)}`}>
          {_("Try them again at the desk of workers")}
        </Link>
      </p>
    </>
  );
}
