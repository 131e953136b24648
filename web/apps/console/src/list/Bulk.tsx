/** Does one thing with many records, one after the other, and says for each what became of it. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { constraintsOf } from "@pavise/descform/constraints.ts";
import { enumSpelling } from "@pavise/descform/words.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { problemText } from "@pavise/session/problems.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { Id, StatusDot } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { requestOf, textOf, versionOf } from "../console/calls.ts";
import { useConsole } from "../console/console.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { actionsOf, allowedFrom } from "../contract/screens.ts";
import type { Row } from "./columns.tsx";
import styles from "../console/console.module.css";

type Result = { readonly id: string; readonly done: boolean; readonly words: string };

/** What can be done with the ticked rows: whatever needs nothing but the record. */
export function BulkMenu({ entity, rows, onDone }: { entity: Entity; rows: readonly Row[]; onDone: () => void }) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may } = useConsole();
  const [chosen, setChosen] = useState<Operation>();
  const constraints = constraintsOf(contract.registry);
  const offered = actionsOf(contract, entity)
    .filter(may)
    .filter(
      ({ method, idField, ownerField, groupField }) =>
        !method.input.fields.some((field) => field !== idField && field.name !== ownerField && field.name !== groupField && constraints(field).required),
    );
  if (offered.length === 0) return null;
  return (
    <>
      <Menu label={_("With the selected")} trigger={<Button>{_("With {count} selected", { count: rows.length })}</Button>}>
        {offered.map((operation) => {
          const legal = rows.filter((row) => allowedFrom(operation, statusOf(row, entity))).length;
          return (
            <MenuItem
              key={operation.id}
              label={w(operation.title)}
              detail={legal === rows.length ? undefined : _("allowed for {legal} of {all}", { legal, all: rows.length })}
              isDisabled={legal === 0}
              danger={operation.danger}
              onAction={() => setChosen(operation)}
            />
          );
        })}
      </Menu>
      {chosen === undefined ? null : (
        <BulkDialog
          entity={entity}
          operation={chosen}
          rows={rows}
          onClose={(did) => {
            setChosen(undefined);
            if (did) onDone();
          }}
        />
      )}
    </>
  );
}

function statusOf({ record }: Row, { statusField }: Entity): string {
  return statusField?.enum === undefined ? "" : enumSpelling(statusField.enum, record.get(statusField) as number);
}

type BulkDialogProps = { entity: Entity; operation: Operation; rows: readonly Row[]; onClose: (did: boolean) => void };

function BulkDialog({ entity, operation, rows, onClose }: BulkDialogProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { call } = useConsole();
  const queries = useQueryClient();
  const [results, setResults] = useState<readonly Result[]>([]);
  const [state, setState] = useState<"asked" | "running" | "done">("asked");
  const stopped = useRef(false);
  async function run() {
    setState("running");
    for (const row of rows) {
      if (stopped.current) break;
      const result = await one(row);
      setResults((before) => [...before, result]);
    }
    setState("done");
    await queries.invalidateQueries({ queryKey: ["rows"] });
  }
  async function one({ id, record }: Row): Promise<Result> {
    try {
      const given = { [operation.idField?.name ?? "id"]: id, [operation.ownerField]: textOf(record.message, entity.desc, "owner_id") };
      await call(operation, requestOf(operation, given), { version: versionOf(record.message, entity.desc) });
      return { id, done: true, words: _("Done") };
    } catch (error) {
      return { id, done: false, words: problemText(problemOf(error), _).detail };
    }
  }
  const failed = results.filter(({ done }) => !done).length;
  return (
    <Dialog
      open
      title={w(operation.title)}
      danger={operation.danger}
      onOpenChange={() => {
        stopped.current = true;
        onClose(state !== "asked");
      }}
      actions={(close) =>
        state === "asked" ? (
          <>
            <Button onPress={close}>{_("Cancel")}</Button>
            <Button kind={operation.danger ? "danger" : "primary"} onPress={() => void run()}>
              {_("Do it for {count}", { count: rows.length })}
            </Button>
          </>
        ) : (
          <Button onPress={close}>{state === "running" ? _("Stop") : _("Close")}</Button>
        )
      }
    >
      {state === "asked" ? (
        <p>{_("Each record is checked and changed for itself; those for which it is not allowed stay as they are.")}</p>
      ) : (
        <div className={styles.stack}>
          <ProgressBar
            label={failed === 0 ? _("Working") : _("{failed} could not be done", { failed })}
            value={results.length}
            most={rows.length}
            words={_("{done} of {all}", { done: results.length, all: rows.length })}
          />
          <ul className={styles.results}>
            {results.map(({ id, done, words }) => (
              <li key={id}>
                <Id>{id}</Id>
                <StatusDot tone={done ? "good" : "bad"}>{words}</StatusDot>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}
