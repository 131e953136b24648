/** The children of a record, such as the notes on an order: their list, a new one, and the actions on each. */
import { create, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { useMemo, useState } from "react";
import { requestOf, textOf } from "../console/calls.ts";
import { useCell } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import type { Entity, Operation } from "../contract/operation.ts";
import { childrenOf, listsOf, orderNumber, recordPath, screenOf } from "../contract/screens.ts";
import { Section, Table } from "../desk/parts.tsx";
import { searchText } from "../frame/address.ts";
import { plural } from "../frame/places.ts";
import { columnsOf, type Row } from "../list/columns.tsx";
import { useRows } from "../list/source.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { Actions } from "./Actions.tsx";
import styles from "../console/console.module.css";

/** How many children are shown at first. */
const FIRST = 5;

/** A section for each kind of children that the caller may list. */
export function Children({ entity, message }: { entity: Entity; message: Message }) {
  const { contract, may } = useConsole();
  const id = textOf(message, entity.desc, "id");
  return childrenOf(contract, entity).map((child) => {
    const list = listsOf(contract, child).find(may);
    return list === undefined ? null : <ChildSection key={child.typeName} child={child} list={list} of={id} />;
  });
}

/** The children of one kind; `of` is the parent's id. */
function ChildSection({ child, list, of }: { child: Entity; list: Operation; of: string }) {
  const w = useWords();
  const { contract, may } = useConsole();
  const [action, setAction] = useState<{ operation: Operation; id: string; message: Message }>();
  const parent = child.parent?.field ?? "";
  const request = useMemo(
    () => requestOf(list, { [parent]: of, [list.orderField]: orderNumber(list, child.parent?.order ?? "") }),
    [child, list, of, parent],
  );
  const query = useRows(child, { id: list.name, kind: "list", operation: list }, request);
  const starts = contract.operations.filter(
    (operation) =>
      operation.entity === child && !operation.reads && screenOf(operation).screen === "form" && may(operation),
  );
  return (
    <Section
      title={w(plural(child.title))}
      end={starts.map((operation) => (
        <Button
          key={operation.id}
          onPress={() => setAction({ operation, id: "", message: startOf(child, parent, of) })}
        >
          {w(operation.title)}
        </Button>
      ))}
    >
      {query.error === null ? null : (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      {query.isLoading ? <SkeletonText lines={3} /> : null}
      {query.data === undefined ? null : (
        <Rows
          child={child}
          rows={query.rows}
          more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
          onAction={(operation, { id, record }) => setAction({ operation, id, message: record.message })}
        />
      )}
      {action === undefined ? null : <ActionDialog {...action} entity={child} onClose={() => setAction(undefined)} />}
    </Section>
  );
}

/** A new child, which says nothing yet but its parent. */
function startOf(child: Entity, field: string, of: string): Message {
  const start = reflect(child.desc, create(child.desc), false);
  const named = child.desc.fields.find(({ name }) => name === field);
  if (named !== undefined) start.set(named, of);
  return start.message;
}

type RowsProps = {
  child: Entity;
  rows: readonly Row[];
  /** Reads the next page, if there is one. */
  more: (() => void) | undefined;
  onAction: (operation: Operation, row: Row) => void;
};

function Rows({ child, rows, more, onAction }: RowsProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { saying } = useConsole();
  const cell = useCell();
  const [shown, setShown] = useState(FIRST);
  const names = child.display?.columns ?? [];
  const columns = columnsOf(child, saying, cell).filter(({ field: { name } }) => names.includes(name));
  const parent = child.parent?.field ?? "";
  const label = w(plural(child.title));
  return (
    <>
      <Table
        label={label}
        rows={rows.slice(0, shown)}
        rowId={({ id }) => id}
        columns={[
          ...columns.map(({ header, cell: show }, index) => ({
            header,
            cell: (row: Row) => (index === 0 ? <span className={styles.said}>{show(row)}</span> : show(row)),
          })),
          {
            header: _("Actions"),
            cell: (row) => (
              <div className={styles.tools}>
                <Actions
                  entity={child}
                  message={row.record.message}
                  onAction={(operation) => onAction(operation, row)}
                />
                <Link href={recordPath(child, row.id) + searchText({ [parent]: parentId(child, row, parent) })}>
                  {_("Open")}
                </Link>
              </div>
            ),
          },
        ]}
      />
      {rows.length > shown || more !== undefined ? (
        <div>
          <Button
            kind="quiet"
            onPress={() => {
              if (rows.length <= shown + FIRST) more?.();
              setShown(shown + 4 * FIRST);
            }}
          >
            {_("Show more")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function parentId(child: Entity, { record }: Row, field: string): string {
  return textOf(record.message, child.desc, field);
}
