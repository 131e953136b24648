/** Parts of desks: head, tables, amounts, next steps, and the joined journals. */
import type {
  DescEnum,
  DescMessage,
  DescMethodUnary,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { useLingui } from "@lingui/react";
import { differences } from "@pavise/descform/value.ts";
import { enumSpelling, enumWords, numberWords } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import type { CurrencyCode } from "@pavise/rules/currency.ts";
import { showAmount } from "@pavise/rules/price.ts";
import { CurrencySchema, type Money as Amount } from "@pavise/schema/pavise/common/v1/money_pb";
import { Boundary } from "@pavise/ui/Boundary.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { Timeline } from "@pavise/ui/Timeline.tsx";
import { useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Name, PersonName } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { entryBefore, readHistory, type Change } from "../console/journal.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import { WaitingHeading } from "../console/Waiting.tsx";
import { holds } from "../contract/caller.ts";
import { statusWords, type Entity, type Operation } from "../contract/operation.ts";
import { allowedFrom, journalOf, recordPath } from "../contract/screens.ts";
import { searchText } from "../frame/address.ts";
import { ActionDialog } from "../record/ActionDialog.tsx";
import { statusOf } from "../record/Actions.tsx";
import { Differences } from "../record/History.tsx";
import page from "../console/console.module.css";
import styles from "./desk.module.css";

/** How often a desk reads again while something is under way, in milliseconds. */
const AGAIN = 1_500;

type AskOptions<O extends DescMessage> = {
  enabled?: boolean;
  /** Whether the answer will change soon. */
  underWay?: (answer: MessageShape<O>) => boolean;
};

/** The answer of a permitted call. It is read again after each change and while something is under way. */
export function useAnswer<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  { enabled = true, underWay }: AskOptions<O> = {},
): UseQueryResult<MessageShape<O>> {
  const { ask, may, operationOf } = useConsole();
  return useQuery({
    queryKey: [
      "record",
      method.parent.typeName,
      method.name,
      JSON.stringify(request, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ],
    enabled: enabled && may(operationOf(method)),
    queryFn: ({ signal }) => ask(method, request, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && underWay?.(state.data as MessageShape<O>) === true ? AGAIN : false,
  });
}

type HeadProps = { desk: string; path: string; title: string; children?: ReactNode; actions?: ReactNode };

/** The head of a desk's page. */
export function DeskHead({ desk, path, title, children, actions }: HeadProps) {
  return (
    <header className={page.head}>
      <div className={page.titles}>
        <p className={page.kicker}>
          <Link href={path}>{desk}</Link>
        </p>
        <PageTitle>{title}</PageTitle>
        {children === undefined ? null : <div className={styles.state}>{children}</div>}
      </div>
      {actions === undefined ? null : <div className={page.tools}>{actions}</div>}
    </header>
  );
}

/** A part of a desk's page with its heading. */
export function Section({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {end}
      </header>
      <Boundary>{children}</Boundary>
    </section>
  );
}

/** The state of a query: loading, refused, or its content. */
export function Asked<T>({
  query,
  children,
  lines = 3,
  whole = false,
}: {
  query: UseQueryResult<T>;
  children: (answer: T) => ReactNode;
  lines?: number;
  /** The answer is the whole page, with its heading. */
  whole?: boolean;
}) {
  const { _ } = useLingui();
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null)
    return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (query.isLoading)
    return (
      <>
        {whole ? <WaitingHeading /> : null}
        <SkeletonText lines={lines} />
      </>
    );
  return <p className={page.soft}>{_("Your permissions do not show this.")}</p>;
}

/** A column of a desk's table. */
export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  readonly end?: boolean;
}

type TableProps<T> = {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  rowId: (row: T) => string;
  none?: string;
  current?: string | undefined;
};

/** A small table; its first column names the row. */
export function Table<T>({ label, rows, columns, rowId, none, current }: TableProps<T>) {
  const { _ } = useLingui();
  if (rows.length === 0) return <p className={page.soft}>{none ?? _("None")}</p>;
  return (
    <div className={styles.scroll} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ header, end }) => (
              <th key={header} scope="col" {...(end === true ? { "data-end": "" } : {})}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)} {...(current === rowId(row) ? { "data-current": "" } : {})}>
              {columns.map(({ header, cell, end }) => (
                <td key={header} {...(end === true ? { "data-end": "" } : {})}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** ISO 4217 of an amount. */
export function currencyOf(amount: Amount | undefined): string {
  return amount === undefined || amount.currency === 0 ? "USD" : enumSpelling(CurrencySchema, amount.currency);
}

/** Formats amounts as the locale does, so that dollars of two countries differ; empty for none. */
export function useAmount(): (amount: Amount | undefined) => string {
  const { i18n } = useLingui();
  return (amount) =>
    amount === undefined
      ? ""
      : showAmount({ currency: currencyOf(amount) as CurrencyCode, amount: amount.amount }, i18n.locale);
}

/** The label of an enumeration's value; empty when it is unset. */
export function useSpelt(): (desc: DescEnum, value: number) => string {
  const w = useWords();
  return (desc, value) => (value === 0 ? "" : w(numberWords(desc, value)));
}

/** A timestamp of the contract as a JavaScript date. */
export function moment(at: Timestamp | undefined): Date | null {
  return at === undefined ? null : new Date(Number(at.seconds) * 1000 + at.nanos / 1e6);
}

/** The entity of a record by its type. */
export function useEntity(desc: DescMessage): Entity | undefined {
  return useConsole().contract.entities.find((entity) => entity.typeName === desc.typeName);
}

/** A link to a record, with its id or its title as the text. */
export function RecordLink({
  desc,
  id,
  owner,
  children,
}: {
  desc: DescMessage;
  id: string;
  owner: string;
  children?: string;
}) {
  const entity = useEntity(desc);
  if (id === "" || entity === undefined) return children ?? "–";
  return (
    <Link href={`${recordPath(entity, id)}${searchText({ owner })}`}>
      {children ?? <Name entity={entity} id={id} />}
    </Link>
  );
}

type NextProps = {
  desc: DescMessage;
  message: Message & { readonly id: string };
  /** The calls that matter at this desk, by name, the likeliest first. */
  calls: readonly string[];
};

/** Next steps: a button for each allowed call, and the reason why each other call is not allowed. */
export function NextSteps({ desc, message, calls }: NextProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may, caller } = useConsole();
  const entity = useEntity(desc);
  const [action, setAction] = useState<Operation>();
  if (entity === undefined) return null;
  const status = statusOf(entity, message);
  const operations = calls.flatMap(
    (name) => contract.operations.find((one) => one.entity === entity && one.name === name) ?? [],
  );
  const possible = operations.filter((operation) => may(operation) && allowedFrom(operation, status));
  const others = operations.filter((operation) => !possible.includes(operation));
  const why = (operation: Operation) =>
    allowedFrom(operation, status)
      ? operation.permission !== "" && !holds(caller, operation.permission)
        ? _("It needs the permission {permission}.", { permission: operation.permission })
        : _("It is not for your realm.")
      : _("Not while it is {status}.", { status: w(statusWords(entity, status)) });
  return (
    <Section title={_("What can be done next")}>
      {possible.length === 0 ? <p className={page.soft}>{_("Nothing more: it is at its end.")}</p> : null}
      <div className={styles.steps}>
        {possible.map((operation, index) => (
          <Button
            key={operation.id}
            kind={operation.danger ? "danger" : index === 0 ? "primary" : "secondary"}
            onPress={() => setAction(operation)}
          >
            {w(operation.title)}
          </Button>
        ))}
      </div>
      {others.length === 0 ? null : (
        <details className={styles.later}>
          <summary>{_("Not possible now: {count}", { count: others.length })}</summary>
          <ul className={styles.not}>
            {others.map((operation) => (
              <li key={operation.id}>
                {w(operation.title)}: {why(operation)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {action === undefined ? null : (
        <ActionDialog
          operation={action}
          entity={entity}
          id={message.id}
          message={message}
          onClose={() => setAction(undefined)}
        />
      )}
    </Section>
  );
}

/** A record whose journal is shown. */
export interface Followed {
  readonly desc: DescMessage;
  readonly id: string;
}

/** How many changes are shown at once. */
const MORE = 20;

function timeOf({ change }: { change: Change }): number {
  return change.at?.getTime() ?? 0;
}

/** The joined journals of several records, newest first, with the changed fields of each entry. */
export function Journals({ records, underWay }: { records: readonly Followed[]; underWay?: boolean }) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, call, may, saying } = useConsole();
  const [shown, setShown] = useState(MORE);
  const sources = records.flatMap(({ desc, id }) => {
    const entity = contract.entities.find((one) => one.typeName === desc.typeName);
    const journal = entity === undefined ? undefined : journalOf(contract, entity.service);
    return entity === undefined || !may(journal) || id === "" ? [] : [{ entity, journal, id }];
  });
  const read = useQueries({
    queries: sources.map(({ entity, journal, id }) => ({
      queryKey: ["history", entity.typeName, id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        await contract.load(entity.domain);
        return readHistory(call, journal, id, contract.registry, signal);
      },
      refetchInterval: underWay === true ? AGAIN : (false as const),
    })),
  });
  if (sources.length === 0) return null;
  const events = read.flatMap(({ data = [] }, index) =>
    data.map((change, at) => ({ change, before: entryBefore(data, at), source: sources[index] })),
  );
  const sorted = events.toSorted(
    (left, right) => timeOf(right) - timeOf(left) || Number(right.change.clock - left.change.clock),
  );
  return (
    <Section title={_("What happened")}>
      {read.some(({ isLoading }) => isLoading) && sorted.length === 0 ? <SkeletonText lines={5} /> : null}
      <Timeline
        label={_("What happened")}
        events={sorted.slice(0, shown).map(({ change, before, source }) => {
          const entity = contract.entities.find(({ typeName }) => typeName === change.typeName) ?? source?.entity;
          const changed =
            entity === undefined || before === undefined
              ? []
              : differences(entity.desc, before.message, change.message, saying);
          return {
            id: `${change.typeName} ${change.clock}`,
            action: `${w(entity?.title ?? "")} · ${w(enumWords(change.action))}`,
            at: change.at,
            who: <Actor change={change} />,
            more:
              changed.length === 0 ? null : (
                <details className={page.more}>
                  <summary>{_("What changed: {count}", { count: changed.length })}</summary>
                  <Differences changed={changed} />
                </details>
              ),
          };
        })}
      />
      {sorted.length > shown ? (
        <Button kind="quiet" onPress={() => setShown(shown + MORE)}>
          {_("Show older changes: {count}", { count: sorted.length - shown })}
        </Button>
      ) : null}
    </Section>
  );
}

function Actor({ change: { actor, subject } }: { change: Change }) {
  const { _ } = useLingui();
  if (actor === "") return null;
  return (
    <>
      <PersonName id={actor} />
      {subject === "" || subject === actor ? null : (
        <>
          {" "}
          {_("for")} <PersonName id={subject} />
        </>
      )}
    </>
  );
}
