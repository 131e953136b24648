/** A worker: what it waits for, its last run, what it could not handle, and the orders that staff can give. */
import { useLingui } from "@lingui/react";
import { words } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { WorkerKind, WorkerStatus, type FailedEntry, type Worker } from "@pavise/schema/pavise/common/v1/worker_pb";
import { PlatformWorkerService } from "@pavise/schema/pavise/identity/v1/platform_worker_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime, Facts, Id, StatusDot } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Name, PersonName } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { recordPath } from "../../contract/screens.ts";
import { Asked, DeskHead, moment, Section, Table } from "../parts.tsx";
import { useSchedule, WorkerState, workerTitle } from "./WorkerParts.tsx";
import { AGAIN, timeText, WORKERS } from "./workers.ts";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

const { method } = PlatformWorkerService;

/** The most failed entries that a page shows. */
const PAGE = 50;

/** The page of a worker, by its name. It is read again by itself. */
export function WorkerDesk({ id: workerName }: { id: string }) {
  const { _ } = useLingui();
  const w = useWords();
  const { ask } = useConsole();
  const query = useQuery({
    queryKey: ["record", "worker", workerName],
    queryFn: ({ signal }) => ask(method.getWorker, { workerName }, { signal }),
    refetchInterval: AGAIN,
  });
  return (
    <div className={styles.desk}>
      <Asked query={query} whole>
        {(worker) => (
          <>
            <DeskHead
              desk={_("Workers")}
              path={WORKERS}
              title={w(workerTitle(worker.name))}
              actions={<Orders worker={worker} />}
            >
              <WorkerState worker={worker} />
            </DeskHead>
            <About worker={worker} />
            <Failed worker={worker} />
          </>
        )}
      </Asked>
    </div>
  );
}

const when = (at: Worker["nextAt"]) => <DateTime at={moment(at)} />;

function About({ worker }: { worker: Worker }) {
  const { _, i18n } = useLingui();
  const w = useWords();
  const schedule = useSchedule();
  const { lagKnown, lagEntries, lagSeconds } = worker;
  const behind = lagKnown
    ? _("{entries} entries, {time}", {
        entries: lagEntries.toLocaleString(i18n.locale),
        time: timeText(i18n.locale, lagSeconds),
      })
    : _("Not known: the journal does not answer");
  const facts: { name: string; value: ReactNode }[] = [
    { name: _("Part"), value: w(words(worker.domain)) },
    { name: _("Name in the log"), value: <Id>{worker.name}</Id> },
    { name: _("Works on"), value: schedule(worker) },
    ...(worker.kind === WorkerKind.JOURNAL
      ? [{ name: _("Behind by"), value: behind }]
      : [
          { name: _("Last run"), value: when(worker.startedAt) },
          { name: _("Ended"), value: when(worker.endedAt) },
          { name: _("Outcome"), value: outcomeOf(worker, _) },
          { name: _("Next run"), value: when(worker.nextAt) },
        ]),
  ];
  if (worker.triggeredAt !== undefined)
    facts.push({ name: _("Asked to run by"), value: <PersonName id={worker.triggeredBy} /> });
  if (worker.steeredAt !== undefined)
    facts.push(
      {
        name: worker.status === WorkerStatus.PAUSED ? _("Paused by") : _("Activated by"),
        value: (
          <>
            <PersonName id={worker.steeredBy} /> · {when(worker.steeredAt)}
          </>
        ),
      },
      { name: _("Note"), value: worker.note || "–" },
    );
  return (
    <Section title={_("About it")}>
      <Facts facts={facts} />
    </Section>
  );
}

function outcomeOf({ startedAt, endedAt, cause }: Worker, _: (id: string) => string): string {
  if (startedAt === undefined) return "–";
  if (endedAt === undefined) return _("Running");
  return cause === "" ? _("Done") : cause;
}

/** The buttons for orders that the caller may give. */
function Orders({ worker }: { worker: Worker }) {
  const { _ } = useLingui();
  const { ask, may, operationOf } = useConsole();
  const reread = useReread();
  const { pending, error, run, forget } = useAttempt();
  const [pausing, setPausing] = useState(false);
  const { name: workerName } = worker;
  const isPaused = worker.status === WorkerStatus.PAUSED;
  const activate = () =>
    run(async () => {
      await ask(method.activateWorker, { workerName });
      await reread();
      toast({ title: _("The worker goes on") });
    });
  const trigger = () =>
    run(async () => {
      await ask(method.triggerWorker, { workerName });
      await reread();
      toast({ title: _("The worker runs now") });
    });
  return (
    <>
      {error === undefined ? null : <ProblemPanel error={error} />}
      {worker.kind !== WorkerKind.JOURNAL && may(operationOf(method.triggerWorker)) ? (
        <Button isDisabled={isPaused} isPending={pending} onPress={() => void trigger()}>
          {_("Run now")}
        </Button>
      ) : null}
      {isPaused && may(operationOf(method.activateWorker)) ? (
        <Button kind="primary" isPending={pending} onPress={() => void activate()}>
          {_("Activate")}
        </Button>
      ) : null}
      {!isPaused && may(operationOf(method.pauseWorker)) ? (
        <Button
          onPress={() => {
            forget();
            setPausing(true);
          }}
        >
          {_("Pause…")}
        </Button>
      ) : null}
      {pausing ? <Pause workerName={workerName} onClose={() => setPausing(false)} /> : null}
    </>
  );
}

function Pause({ workerName, onClose }: { workerName: string; onClose: () => void }) {
  const { _ } = useLingui();
  const { ask } = useConsole();
  const reread = useReread();
  const { pending, error, run } = useAttempt();
  const [note, setNote] = useState("");
  const pause = () =>
    run(async () => {
      await ask(method.pauseWorker, { workerName, note: note.trim() });
      await reread();
      toast({ title: _("The worker is paused") });
    }, onClose);
  return (
    <Dialog
      open
      title={_("Pause this worker?")}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="primary" isPending={pending} onPress={() => void pause()}>
            {_("Pause")}
          </Button>
        </>
      )}
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <p>{_("It handles nothing until somebody activates it. What happens meanwhile waits for it.")}</p>
        <TextField label={_("Note for others")} value={note} onChange={setNote} maxLength={500} />
      </div>
    </Dialog>
  );
}

/** The entries that the worker could not handle. */
function Failed({ worker }: { worker: Worker }) {
  const { _ } = useLingui();
  const { ask, may, operationOf } = useConsole();
  const reread = useReread();
  const { pending, error, run } = useAttempt();
  const [after, setAfter] = useState<readonly bigint[]>([]);
  const afterClock = after.at(-1) ?? 0n;
  const { name: workerName } = worker;
  const query = useQuery({
    queryKey: ["record", "worker failures", workerName, String(afterClock)],
    queryFn: ({ signal }) => ask(method.listFailedEntries, { workerName, afterClock, pageSize: PAGE }, { signal }),
    enabled: worker.kind === WorkerKind.JOURNAL,
    refetchInterval: AGAIN,
  });
  if (worker.kind !== WorkerKind.JOURNAL) return null;
  const mayReplay = may(operationOf(method.replayFailedEntry));
  const replay = (clock?: bigint) =>
    run(async () => {
      if (clock === undefined) await ask(method.replayParkedEntries, { workerName });
      else await ask(method.replayFailedEntry, { workerName, clock });
      await reread();
      toast({ title: _("It is tried again") });
    });
  return (
    <Section
      title={_("What it could not handle")}
      end={
        mayReplay && worker.parkedCount > 0n ? (
          <Button kind="quiet" isPending={pending} onPress={() => void replay()}>
            {_("Try all parked ones again")}
          </Button>
        ) : null
      }
    >
      {error === undefined ? null : <ProblemPanel error={error} />}
      <Asked query={query}>
        {({ failedEntries, nextClock }) => (
          <>
            <Table
              label={_("What it could not handle")}
              none={_("Nothing: it handled each entry.")}
              rows={failedEntries}
              rowId={({ clock }) => String(clock)}
              columns={[
                { header: _("Record"), cell: (entry) => <Entry worker={worker} entry={entry} /> },
                { header: _("State"), cell: (entry) => <EntryState entry={entry} /> },
                { header: _("Why"), cell: ({ cause }) => cause },
                { header: _("Tries"), end: true, cell: ({ attempts }) => String(attempts) },
                { header: _("Next try"), cell: ({ nextAt }) => <DateTime at={moment(nextAt)} /> },
                { header: _("Clock"), end: true, cell: ({ clock }) => String(clock) },
                {
                  header: _("Again"),
                  cell: ({ clock }) =>
                    mayReplay ? (
                      <Button
                        kind="quiet"
                        isPending={pending}
                        aria-label={_("Try entry {clock} again", { clock: String(clock) })}
                        onPress={() => void replay(clock)}
                      >
                        {_("Try again")}
                      </Button>
                    ) : null,
                },
              ]}
            />
            <div className={styles.steps}>
              {after.length === 0 ? null : (
                <Button kind="quiet" onPress={() => setAfter(after.slice(0, -1))}>
                  {_("Earlier entries")}
                </Button>
              )}
              {nextClock === 0n ? null : (
                <Button kind="quiet" onPress={() => setAfter([...after, nextClock])}>
                  {_("Later entries")}
                </Button>
              )}
            </div>
          </>
        )}
      </Asked>
    </Section>
  );
}

function EntryState({ entry: { parked } }: { entry: FailedEntry }) {
  const { _ } = useLingui();
  return <StatusDot tone={parked ? "bad" : "busy"}>{parked ? _("Parked") : _("Tried again")}</StatusDot>;
}

/** The record that an entry is about, by its title. */
function Entry({ worker: { journal }, entry: { entityId } }: { worker: Worker; entry: FailedEntry }) {
  const entity = useConsole().contract.entities.find(
    ({ service, display }) => service === journal && display !== undefined,
  );
  if (entity === undefined) return <Id>{entityId}</Id>;
  return (
    <Link href={recordPath(entity, entityId)}>
      <Name entity={entity} id={entityId} />
    </Link>
  );
}
