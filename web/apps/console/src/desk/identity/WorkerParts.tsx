/** How a worker stands and what it waits for, in the reader's language. */
import { useLingui } from "@lingui/react";
import { words } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { WorkerKind, WorkerStatus, type Worker } from "@pavise/schema/pavise/common/v1/worker_pb";
import { StatusDot, type Tone } from "@pavise/ui/Value.tsx";
import { stateOf, timeText, type Standing, type State } from "./workers.ts";

const TONES: Readonly<Record<State, Tone>> = {
  paused: "warning",
  parked: "bad",
  failed: "bad",
  asked: "busy",
  runs: "busy",
  behind: "busy",
  good: "good",
};

/** The standing of a worker. */
export function standingOf(worker: Worker): Standing {
  return {
    name: worker.name,
    paused: worker.status === WorkerStatus.PAUSED,
    asked: worker.triggeredAt !== undefined,
    runs: worker.startedAt !== undefined && worker.endedAt === undefined,
    cause: worker.cause,
    parked: worker.parkedCount,
    lagEntries: worker.lagEntries,
  };
}

/** The state of a worker, with its dot. */
export function WorkerState({ worker }: { worker: Worker }) {
  const { _ } = useLingui();
  const texts: Readonly<Record<State, string>> = {
    paused: _("Paused"),
    parked: _("Needs somebody"),
    failed: _("Failed last time"),
    asked: _("Asked to run"),
    runs: _("Running"),
    behind: _("Catching up"),
    good: _("Up to date"),
  };
  const state = stateOf(standingOf(worker));
  return <StatusDot tone={TONES[state]}>{texts[state]}</StatusDot>;
}

/** The period, the rule or the journal that a worker follows. */
export function useSchedule(): (worker: Worker) => string {
  const { _, i18n } = useLingui();
  const w = useWords();
  return ({ kind, journal, periodSeconds, rule, zone }) => {
    if (kind === WorkerKind.JOURNAL) return _("Each change in {journal}", { journal: w(words(journal)) });
    if (kind === WorkerKind.PERIOD) return _("Every {time}", { time: timeText(i18n.locale, periodSeconds) });
    return _("Calendar rule {rule}, {zone}", { rule, zone });
  };
}

/** The name of a worker as people say it: "Sell offers". */
export function workerTitle(name: string): string {
  return words(name.split(".").at(-1) ?? name);
}
