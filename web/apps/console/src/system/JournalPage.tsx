/** A service's journal: every change, newest first. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { enumWords, words } from "@pavise/descform/words.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { IconRefresh } from "@pavise/ui/icons.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { DateTime, Id } from "@pavise/ui/Value.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { PersonName } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { readRecent, type Change } from "../console/journal.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import { fieldSegment } from "../contract/address.ts";
import type { Operation } from "../contract/operation.ts";
import { recordPath } from "../contract/screens.ts";
import { useAddress } from "../frame/address.ts";
import styles from "../console/console.module.css";

/** The journal of a service. */
export function JournalPage({ journal, journals }: { journal: Operation; journals: readonly Operation[] }) {
  const { _ } = useLingui();
  const w = useWords();
  const { call, contract } = useConsole();
  const { go } = useAddress();
  const query = useInfiniteQuery({
    queryKey: ["journal", journal.id],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      readRecent(call, journal, contract.registry, {
        before: pageParam === "" ? undefined : BigInt(pageParam),
        signal,
      }),
    getNextPageParam: (last) => (last.before > 0n ? String(last.before) : undefined),
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.changes) ?? [], [query.data]);
  const columns = useMemo(() => columnsOf(_, w), [_, w]);
  const open = ({ typeName, entityId, ownerId }: Change) => {
    const entity = contract.entities.find((one) => one.typeName === typeName);
    if (entity !== undefined)
      go(`${recordPath(entity, entityId)}${ownerId === "" ? "" : `?owner=${encodeURIComponent(ownerId)}`}`);
  };
  return (
    <div className={styles.full}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <PageTitle>{_("Journal")}</PageTitle>
        </div>
      </header>
      <div className={styles.bar}>
        <Select
          label={_("Service")}
          choices={journals.map(({ service }) => ({ id: service, label: w(words(service)) }))}
          value={journal.service}
          onChange={(service) => go(`/journal/${fieldSegment(service)}`)}
        />
        <div className={styles.filters} />
        <Button kind="quiet" onPress={() => void query.refetch()}>
          <IconRefresh /> {_("Refresh")}
        </Button>
      </div>
      {query.error === null ? null : (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      <Grid
        className={styles.grow}
        label={_("Journal")}
        rows={rows}
        columns={columns}
        rowId={({ clock }) => String(clock)}
        onOpen={open}
        loading={query.isLoading}
        loadingMore={query.isFetchingNextPage}
        {...(query.hasNextPage ? { onEnd: () => void query.fetchNextPage() } : {})}
        {...(query.data?.pages[0] === undefined ? {} : { total: Number(query.data.pages[0].maxClock) })}
        compact
      />
    </div>
  );
}

function columnsOf(_: (id: string) => string, w: (words: string) => string): GridColumn<Change>[] {
  return [
    { id: "clock", header: _("Clock"), width: 90, end: true, cell: ({ clock }) => String(clock) },
    { id: "at", header: _("When"), width: 190, cell: ({ at }) => <DateTime at={at} /> },
    { id: "action", header: _("Action"), width: 210, cell: ({ action }) => w(enumWords(action)) },
    { id: "type", header: _("Record"), width: 140, cell: ({ typeName }) => w(words(typeName.split(".").at(-1) ?? "")) },
    { id: "entity", header: _("ID"), width: 310, cell: ({ entityId }) => <Id>{entityId}</Id> },
    { id: "version", header: _("Version"), width: 80, end: true, cell: ({ version }) => String(version) },
    {
      id: "actor",
      header: _("Who"),
      width: 310,
      cell: ({ actor }) => (actor === "" ? null : <PersonName id={actor} />),
    },
    { id: "request", header: _("Request"), width: 310, cell: ({ requestId }) => <Id>{requestId}</Id> },
  ];
}
