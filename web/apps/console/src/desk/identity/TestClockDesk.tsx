/** The test clock: both days, an advance day by day, and what each day brought. */
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { isoDay, noteToday, type Day } from "@pavise/rpc/today.ts";
import {
  TestClockService,
  type TestClock,
  type TestClockAdvance,
  type TestClockDay,
} from "@pavise/schema/pavise/identity/v1/test_clock_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { DateField } from "@pavise/ui/DateField.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { NumberField } from "@pavise/ui/NumberField.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { dayText, DayText, Facts } from "@pavise/ui/Value.tsx";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { Asked, DeskHead, Section, Table } from "../parts.tsx";
import { dayOfSeconds, happened, MOST_AHEAD, progressOf, sumsOf, targetOf, type Figure } from "./clock.ts";
import { workerTitle } from "./WorkerParts.tsx";
import { AGAIN, WORKERS } from "./workers.ts";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

const { method } = TestClockService;
const KEY = ["record", "test clock"];

/** The desk. It follows an advance, whoever began it. */
export function TestClockDesk() {
  const { _ } = useLingui();
  const query = useClock();
  const isOff = query.data === undefined && query.error !== null && problemOf(query.error).reason === "NOT_CONFIGURED";
  return (
    <div className={styles.desk}>
      <DeskHead desk={_("Desks")} path="/" title={_("Test clock")} />
      {isOff ? (
        <EmptyState title={_("This installation lives by the machine’s clock")}>
          {_("Start the server of a trial with “pavise serve --test-clock”: then its days can be moved here.")}
        </EmptyState>
      ) : (
        <Asked query={query}>
          {(clock) => (
            <>
              <Today clock={clock} />
              {clock.lastAdvance === undefined ? null : <Days advance={clock.lastAdvance} />}
            </>
          )}
        </Asked>
      )}
    </div>
  );
}

/** The clock. While it goes, each day comes by a stream; else, or without the stream, it is read again by itself. */
function useClock(): UseQueryResult<TestClock> {
  const { ask, stream } = useConsole();
  const queries = useQueryClient();
  const reread = useReread();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => ask(method.getTestClock, {}, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined && state.error !== null ? false : AGAIN),
  });
  const isAdvancing = query.data?.lastAdvance?.advancing === true;
  useEffect(() => {
    if (!isAdvancing) return undefined;
    const end = new AbortController();
    const clocks = stream(method.watchTestClock, {}, end.signal);
    follow(clocks, (clock) => {
      if (clock.today !== undefined) noteToday(`${isoDay(clock.today)}${clock.moved ? ";moved" : ""}`);
      queries.setQueryData(KEY, clock);
      // Other pages show an earlier day.
      if (clock.lastAdvance?.advancing !== true) void reread();
    }).catch(() => undefined);
    return () => end.abort();
  }, [isAdvancing, stream, queries, reread]);
  return query;
}

async function follow(clocks: AsyncIterable<TestClock>, each: (clock: TestClock) => void) {
  for await (const clock of clocks) each(clock);
}

function Today({ clock }: { clock: TestClock }) {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const { today, machineNow, lastAdvance } = clock;
  const machineDay = dayOfSeconds(machineNow?.seconds ?? 0n);
  const mayAdvance = may(operationOf(method.advanceTestClock));
  return (
    <Section title={_("Today")}>
      <Facts
        facts={[
          { name: _("Today, as members live it"), value: <DayText day={today} long /> },
          { name: _("The machine’s day"), value: <DayText day={machineDay} long /> },
        ]}
      />
      {lastAdvance?.advancing === true ? (
        <Under advance={lastAdvance} mayStop={may(operationOf(method.stopTestClock))} />
      ) : mayAdvance && today !== undefined ? (
        <Move today={today} machineDay={machineDay} />
      ) : (
        <p className={page.soft}>
          {_("It needs the permission {permission}.", {
            permission: operationOf(method.advanceTestClock)?.permission ?? "",
          })}
        </p>
      )}
    </Section>
  );
}

/** The advance that goes on: how far it is, what it waits for, and the way to stop it. */
function Under({ advance, mayStop }: { advance: TestClockAdvance; mayStop: boolean }) {
  const { _, i18n } = useLingui();
  const w = useWords();
  const { ask } = useConsole();
  const reread = useReread();
  const { pending, error, run } = useAttempt();
  const { over, all } = progressOf(advance);
  const { untilDay, waitsFor } = advance;
  const stop = () =>
    run(async () => {
      await ask(method.stopTestClock, {});
      await reread();
    });
  return (
    <div className={page.stack}>
      <ProgressBar
        label={_("On the way to {day}", { day: untilDay === undefined ? "" : dayText(i18n.locale, untilDay, true) })}
        value={over}
        most={Math.max(all, 1)}
        words={_("{over} of {all} days", { over, all })}
      />
      {error === undefined ? null : <ProblemPanel error={error} />}
      {waitsFor.length === 0 ? null : (
        <div>
          <p>{_("The next day begins when these have done what is due on this one:")}</p>
          <ul className={styles.plain}>
            {waitsFor.map((name) => (
              <li key={name}>
                <Link href={`${WORKERS}/${encodeURIComponent(name)}`}>{w(workerTitle(name))}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {mayStop ? (
        <div>
          <Button isPending={pending} onPress={() => void stop()}>
            {_("Stop on this day")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Moves the clock by days or until a day, after a question. */
function Move({ today, machineDay }: { today: Day; machineDay: Day }) {
  const { _, i18n } = useLingui();
  const { ask } = useConsole();
  const reread = useReread();
  const { pending, error, run, forget } = useAttempt();
  const [by, setBy] = useState<"days" | "until">("days");
  const [days, setDays] = useState(1);
  const [until, setUntil] = useState<Day | null>(null);
  const [asking, setAsking] = useState(false);
  const target = targetOf({ by, days, until }, today, machineDay);
  const named = target === undefined ? "" : dayText(i18n.locale, target, true);
  const advance = () =>
    run(
      async () => {
        await ask(method.advanceTestClock, target === undefined ? {} : { untilDay: target });
        await reread();
      },
      () => setAsking(false),
    );
  return (
    <form
      className={styles.form}
      aria-label={_("Move the clock")}
      onSubmit={(event) => {
        event.preventDefault();
        forget();
        if (target !== undefined) setAsking(true);
      }}
    >
      <RadioGroup label={_("How far")} value={by} onChange={setBy}>
        <Radio value="days">{_("By a number of days")}</Radio>
        <Radio value="until">{_("Until a day")}</Radio>
      </RadioGroup>
      {by === "days" ? (
        <NumberField label={_("Days")} value={days} onChange={setDays} minValue={1} maxValue={MOST_AHEAD} steps />
      ) : (
        <DateField label={_("Day")} value={until} onChange={setUntil} />
      )}
      <p className={page.soft} aria-live="polite">
        {target === undefined
          ? _("It goes forward alone, to at most {most} days after the machine’s day.", { most: MOST_AHEAD })
          : _("It goes to {day}.", { day: named })}
      </p>
      <div>
        <Button kind="primary" type="submit" isDisabled={target === undefined}>
          {_("Move the clock…")}
        </Button>
      </div>
      <Dialog
        danger
        open={asking && target !== undefined}
        onOpenChange={setAsking}
        title={_("Move the clock to {day}?", { day: named })}
        actions={(close) => (
          <>
            <Button onPress={close}>{_("Cancel")}</Button>
            <Button kind="danger" isPending={pending} onPress={() => void advance()}>
              {_("Move the clock")}
            </Button>
          </>
        )}
      >
        <div className={page.stack}>
          {error === undefined ? null : <ProblemPanel error={error} />}
          <p>{_("What is due on each day is done: members are billed, plans end, letters go out.")}</p>
          <p>{_("There is no way back to an earlier day.")}</p>
        </div>
      </Dialog>
    </form>
  );
}

/** The days of the last advance, the newest first, and all of them together. */
function Days({ advance }: { advance: TestClockAdvance }) {
  const { _ } = useLingui();
  const { days } = advance;
  const figures = useFigures();
  if (days.length === 0) return null;
  return (
    <>
      <Section title={_("All days together")}>
        <Table
          label={_("All days together")}
          none={_("Nothing was due.")}
          rows={sumsOf(days)}
          rowId={({ name }) => name}
          columns={[
            { header: _("What happened"), cell: ({ name }: Figure) => figures.name(name) },
            { header: _("How often"), end: true, cell: ({ count }: Figure) => figures.count(count) },
          ]}
        />
      </Section>
      <Section title={_("Day by day")}>
        <Table
          label={_("Day by day")}
          rows={days.toReversed()}
          rowId={({ day }) => (day === undefined ? "" : isoDay(day))}
          columns={[
            { header: _("Day"), cell: ({ day }: TestClockDay) => <DayText day={day} /> },
            {
              header: _("What happened"),
              cell: (day: TestClockDay) =>
                day.figures.length === 0
                  ? _("Nothing was due.")
                  : sumsOf([day])
                      .map(({ name, count }) => `${figures.name(name)} ${figures.count(count)}`)
                      .join(" · "),
            },
          ]}
        />
      </Section>
    </>
  );
}

/** Figures in the reader's language. */
function useFigures() {
  const { _, i18n } = useLingui();
  const w = useWords();
  return {
    name(name: string): string {
      const what = happened(name);
      if (what !== undefined) return `${w(what.journal)}: ${w(what.action)}`;
      return name === "parked" ? _("Left to somebody") : name === "set_aside" ? _("To be tried again") : name;
    },
    count: (count: bigint) => count.toLocaleString(i18n.locale),
  };
}
