/** The workers of all domains: how each stands, and how far it is. */
import { useLingui } from "@lingui/react";
import { words } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import type { Worker } from "@pavise/schema/pavise/common/v1/worker_pb";
import { PlatformWorkerService } from "@pavise/schema/pavise/identity/v1/platform_worker_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { IconRefresh } from "@pavise/ui/icons.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useAddress } from "../../frame/address.ts";
import { DeskHead, moment } from "../parts.tsx";
import { standingOf, useSchedule, WorkerState, workerTitle } from "./WorkerParts.tsx";
import { AGAIN, byNeed, timeText, WORKERS } from "./workers.ts";
import page from "../../console/console.module.css";

/** The list of the desk. It is read again by itself. */
export function WorkersDesk() {
  const { _, i18n } = useLingui();
  const w = useWords();
  const schedule = useSchedule();
  const { ask } = useConsole();
  const { go } = useAddress();
  const query = useQuery({
    queryKey: ["record", "workers"],
    queryFn: ({ signal }) => ask(PlatformWorkerService.method.listWorkers, {}, { signal }),
    refetchInterval: AGAIN,
  });
  const rows = useMemo(
    () => (query.data?.workers ?? []).toSorted((left, right) => byNeed(standingOf(left), standingOf(right))),
    [query.data],
  );
  const count = (number: bigint) => (number === 0n ? "" : number.toLocaleString(i18n.locale));
  const columns: GridColumn<Worker>[] = [
    { id: "name", header: _("Worker"), width: 250, cell: ({ name }) => w(workerTitle(name)) },
    { id: "domain", header: _("Part"), width: 130, cell: ({ domain }) => w(words(domain)) },
    { id: "state", header: _("State"), width: 180, cell: (worker) => <WorkerState worker={worker} /> },
    { id: "schedule", header: _("Works on"), width: 260, cell: schedule },
    {
      id: "behind",
      header: _("Entries behind"),
      width: 120,
      end: true,
      cell: ({ lagKnown, lagEntries }) => (lagKnown ? lagEntries.toLocaleString(i18n.locale) : ""),
    },
    {
      id: "since",
      header: _("Behind by"),
      width: 130,
      cell: ({ lagEntries, lagSeconds }) => (lagEntries > 0n ? timeText(i18n.locale, lagSeconds) : ""),
    },
    { id: "parked", header: _("Parked"), width: 90, end: true, cell: ({ parkedCount }) => count(parkedCount) },
    { id: "retried", header: _("Tried again"), width: 110, end: true, cell: ({ retriedCount }) => count(retriedCount) },
    { id: "last", header: _("Last run"), width: 190, cell: ({ startedAt }) => <DateTime at={moment(startedAt)} /> },
    { id: "next", header: _("Next run"), width: 190, cell: ({ nextAt }) => <DateTime at={moment(nextAt)} /> },
  ];
  const silent = query.data?.silentDomains ?? [];
  return (
    <div className={page.full}>
      <DeskHead desk={_("Desks")} path="/" title={_("Workers")}>
        {silent.length === 0 ? undefined : (
          <span role="status">
            {_("These parts do not answer: {parts}", { parts: silent.map((domain) => w(words(domain))).join(", ") })}
          </span>
        )}
      </DeskHead>
      <div className={page.bar}>
        <div className={page.filters} />
        <Button kind="quiet" onPress={() => void query.refetch()}>
          <IconRefresh /> {_("Refresh")}
        </Button>
      </div>
      {query.error === null ? null : (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      <Grid
        className={page.grow}
        label={_("Workers")}
        rows={rows}
        columns={columns}
        rowId={({ name }) => name}
        onOpen={({ name }) => go(`${WORKERS}/${encodeURIComponent(name)}`)}
        loading={query.isLoading}
        empty={<EmptyState title={_("No worker")}>{_("No part of the platform has workers here.")}</EmptyState>}
      />
    </div>
  );
}
