/** One record: its fields, its history, and the actions on it. */
import { useWords } from "@pavise/i18n/words.ts";
import type { Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { constraintsOf } from "@pavise/descform/constraints.ts";
import { MessageView } from "@pavise/descform/View.tsx";
import { Boundary } from "@pavise/ui/Boundary.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { CopyText, EmptyState, Note } from "@pavise/ui/Notice.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { requestOf, textOf, valueOf } from "../console/calls.ts";
import { Status, useCell } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { readHistory, type Change } from "../console/journal.ts";
import { useTitle } from "../console/useTitle.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import type { Entity, Operation } from "../contract/operation.ts";
import { entityPath, getOf, journalOf, parentOf, recordPath } from "../contract/screens.ts";
import { searchText, useAddress } from "../frame/address.ts";
import { plural } from "../frame/places.ts";
import { remember } from "../frame/recent.ts";
import { deskPath } from "../desk/desks.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { Actions } from "./Actions.tsx";
import { Children } from "./Children.tsx";
import { History } from "./History.tsx";
import { Reveal } from "./Reveal.tsx";
import styles from "../console/console.module.css";

const SAID = new Set(["id", "status"]);

/** The page of the record with that id. */
export function RecordPage({ entity, id }: { entity: Entity; id: string }) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const { saying } = known;
  const { statusField } = entity;
  const cell = useCell();
  const { record, history, get } = useRecord(entity, id);
  const [action, setAction] = useState<Operation>();
  const [revealed, setRevealed] = useState<Message>();
  const title = useTitle(entity, id);
  const last = lastOf(entity, history.data);
  // Reads no longer return a removed record; the journal has its last state.
  const removed = last?.removed ?? false;
  const message = removed ? last?.message : (record.data ?? last?.message);
  const desk =
    message === undefined ? undefined : deskPath(known, entity, id, textOf(message, entity.desc, "owner_id"));
  useEffect(() => {
    if (message !== undefined) remember(entity, id);
  }, [entity, id, message]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <p className={styles.kicker}>
            <Above entity={entity} message={message} />
          </p>
          <PageTitle name={`${w(entity.title)} ${id}`}>{w(entity.title)}</PageTitle>
          {title === undefined ? null : <p className={styles.title}>{title}</p>}
          <div className={styles.tools}>
            <CopyText text={id} />
            {message === undefined || statusField?.enum === undefined ? null : (
              <Status desc={statusField.enum} value={valueOf(message, entity.desc, "status") as number} />
            )}
          </div>
        </div>
        <div className={styles.tools}>
          {desk === undefined || message === undefined ? null : (
            <Link kind="secondary" href={desk}>
              {_("Open at the desk")}
            </Link>
          )}
          {message === undefined || removed ? null : (
            <Reveal entity={entity} id={id} message={message} revealed={revealed} onReveal={setRevealed} />
          )}
          {message === undefined || removed ? null : <Actions entity={entity} message={message} onAction={setAction} />}
        </div>
      </header>
      {removed ? (
        <Note tone="warning" title={_("This record was removed")}>
          {_("What is shown is how it was at the end.")}
        </Note>
      ) : null}
      {record.error !== null && !removed ? (
        <ProblemPanel error={record.error} onRetry={() => void record.refetch()} retrying={record.isFetching} />
      ) : null}
      <div className={styles.columns}>
        <div className={styles.main}>
          {message === undefined || removed ? null : (
            <Boundary>
              <Children entity={entity} message={message} />
            </Boundary>
          )}
          {message === undefined ? (
            record.isLoading || history.isLoading ? (
              <SkeletonText lines={8} />
            ) : null
          ) : (
            <Boundary>
              <MessageView desc={entity.desc} message={revealed ?? message} saying={saying} cell={cell} omit={SAID} />
            </Boundary>
          )}
          {message === undefined && get === undefined && !history.isLoading ? (
            <EmptyState title={_("Not found")} />
          ) : null}
        </div>
        <div className={styles.side}>
          <Boundary>
            <Related entity={entity} id={id} message={message} />
          </Boundary>
          <Boundary>
            {history.data === undefined && !history.isLoading ? null : (
              <History entity={entity} changes={history.data} />
            )}
          </Boundary>
        </div>
      </div>
      {action === undefined || message === undefined ? null : (
        <ActionDialog
          operation={action}
          entity={entity}
          id={id}
          message={message}
          onClose={() => setAction(undefined)}
        />
      )}
    </div>
  );
}

/** A link to the record's list; for a child to its parent. */
function Above({ entity, message }: { entity: Entity; message: Message | undefined }) {
  const w = useWords();
  const parent = parentOf(useConsole().contract, entity);
  const id = message === undefined ? "" : textOf(message, entity.desc, entity.parent?.field ?? "");
  return parent === undefined || id === "" ? (
    <Link href={entityPath(parent ?? entity)}>{w(plural((parent ?? entity).title))}</Link>
  ) : (
    <Link href={recordPath(parent, id)}>{w(parent.title)}</Link>
  );
}

/** The record and its history. Some records are read together with their owner, named by the address or the journal. */
function useRecord(entity: Entity, id: string) {
  const { contract, call, may } = useConsole();
  const { search } = useAddress();
  const getOperation = getOf(contract, entity);
  const get = may(getOperation) ? getOperation : undefined;
  const journalOperation = journalOf(contract, entity.service);
  const journal = may(journalOperation) ? journalOperation : undefined;
  const history = useQuery({
    queryKey: ["history", entity.typeName, id],
    enabled: journal !== undefined,
    queryFn: ({ signal }): Promise<Change[]> =>
      journal === undefined ? Promise.resolve([]) : readHistory(call, journal, id, contract.registry, signal),
  });
  const last = lastOf(entity, history.data);
  const given: Record<string, unknown> = { [get?.idField?.name ?? "id"]: id };
  for (const name of get === undefined ? [] : needed(get, contract.registry)) {
    if (name === get?.ownerField) given[name] = search["owner"] ?? last?.ownerId;
    else
      given[name] ??=
        search[name] ?? (last?.message === undefined ? undefined : valueOf(last.message, entity.desc, name));
  }
  const record = useQuery({
    queryKey: ["record", entity.typeName, JSON.stringify(given)],
    enabled: get !== undefined && Object.values(given).every((value) => value !== undefined && value !== ""),
    queryFn: ({ signal }) =>
      get === undefined
        ? Promise.reject(new Error("no call answers this record"))
        : call(get, requestOf(get, given), { signal }),
  });
  return { record, history, get };
}

/** The newest entry of the entity's own type. */
function lastOf(entity: Entity, changes: readonly Change[] | undefined): Change | undefined {
  return changes?.findLast(({ typeName }) => typeName === entity.typeName);
}

/** The required fields of a request. */
function needed(operation: Operation, registry: Parameters<typeof constraintsOf>[0]): Set<string> {
  const constraints = constraintsOf(registry);
  return new Set(operation.method.input.fields.filter((field) => constraints(field).required).map(({ name }) => name));
}

/** Lists that can be narrowed to this record, and to its owner. */
function Related({ entity, id, message }: { entity: Entity; id: string; message: Message | undefined }) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may } = useConsole();
  const field = `${entity.name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase()}_id`;
  const owner = message === undefined ? "" : textOf(message, entity.desc, "owner_id");
  const links = contract.operations
    .filter(
      (operation) =>
        operation.answers === "many" &&
        operation.entity !== undefined &&
        operation.entity !== entity &&
        operation.entity.parent === undefined &&
        may(operation),
    )
    .flatMap((operation) => {
      const names = operation.filters;
      if (names.has(field)) return [{ operation, search: { by: operation.name, [field]: id } }];
      if (entity.name !== "Identity" && owner !== "" && names.has("identity_id")) {
        return [{ operation, search: { by: operation.name, identity_id: owner } }];
      }
      return [];
    })
    .filter(
      ({ operation }, index, all) => all.findIndex((other) => other.operation.entity === operation.entity) === index,
    );
  if (links.length === 0) return null;
  return (
    <section aria-label={_("Related")}>
      <h2>{_("Related")}</h2>
      <div className={styles.links}>
        {links.map(({ operation, search }) =>
          operation.entity === undefined ? null : (
            <Link key={operation.id} href={entityPath(operation.entity) + searchText(search)}>
              <span>{w(plural(operation.entity.title))}</span>
              <small>{field in search ? _("of this record") : _("of the same owner")}</small>
            </Link>
          ),
        )}
      </div>
    </section>
  );
}
