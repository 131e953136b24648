/** Applies one operation to many records, and shows the result for each. */
import { useWords } from "@pavise/i18n/words.ts";
import type { Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { MessageFields } from "@pavise/descform/FieldEditor.tsx";
import { FormContextProvider, useForm } from "@pavise/descform/form.ts";
import { problemText } from "@pavise/session/problems.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { Id, StatusDot } from "@pavise/ui/Value.tsx";
import { useRef, useState } from "react";
import { Faults } from "../console/Faults.tsx";
import { lacksReason } from "../console/calls.ts";
import { useConsole } from "../console/console.ts";
import { usePickers } from "../console/Picker.tsx";
import { titledOf } from "../console/titles.ts";
import { statusWords, type Entity, type Operation } from "../contract/operation.ts";
import { actionsOf, allowedFrom, recordPath } from "../contract/screens.ts";
import { knownOf, statusOfRow, useBulk, type Result } from "./bulk.ts";
import type { Row } from "./columns.tsx";
import styles from "../console/console.module.css";

const NONE: readonly string[] = [];

type BulkMenuProps = {
  entity: Entity;
  rows: readonly Row[];
  onDone: () => void;
  /** The calls that have buttons of their own, by name; all others are in the menu. */
  first?: readonly string[];
};

/** The operations for the ticked rows. */
export function BulkMenu({ entity, rows, onDone, first = NONE }: BulkMenuProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may } = useConsole();
  // The chosen rows stay fixed while the operation runs, even when the list changes.
  const [chosen, setChosen] = useState<{ operation: Operation; rows: readonly Row[] }>();
  const offered = actionsOf(contract, entity).filter(may);
  if (offered.length === 0) return null;
  const legalOf = (operation: Operation) =>
    rows.filter((row) => allowedFrom(operation, statusOfRow(row, entity))).length;
  const buttons = first.flatMap((name) => offered.find((operation) => operation.name === name) ?? []);
  return (
    <>
      {buttons.map((operation) => (
        <Button
          key={operation.id}
          isDisabled={legalOf(operation) === 0}
          onPress={() => setChosen({ operation, rows })}
        >{`${w(operation.title)}…`}</Button>
      ))}
      <Menu
        label={_("With the selected")}
        trigger={<Button>{_("With {count} selected", { count: rows.length })}</Button>}
      >
        {offered.map((operation) => {
          const legal = legalOf(operation);
          return (
            <MenuItem
              key={operation.id}
              label={w(operation.title)}
              detail={
                legal === rows.length ? undefined : _("allowed for {legal} of {all}", { legal, all: rows.length })
              }
              isDisabled={legal === 0}
              danger={operation.danger}
              onAction={() => setChosen({ operation, rows })}
            />
          );
        })}
      </Menu>
      {chosen === undefined ? null : (
        <BulkDialog
          entity={entity}
          {...chosen}
          onClose={(did) => {
            setChosen(undefined);
            if (did) onDone();
          }}
        />
      )}
    </>
  );
}

type BulkDialogProps = { entity: Entity; operation: Operation; rows: readonly Row[]; onClose: (did: boolean) => void };

function BulkDialog({ entity, operation, rows, onClose }: BulkDialogProps) {
  const { _ } = useLingui();
  const w = useWords();
  const online = useOnline();
  const { contract } = useConsole();
  const { results, state, failed, untried, run, retry, goOn, stop } = useBulk(entity, operation, rows);
  // Each record's own values are filled in per record; the first record stands for all while the form is checked.
  const first = rows[0] === undefined ? {} : knownOf(operation, entity, rows[0].id, rows[0].record.message);
  const { input } = operation.method;
  const initial = Object.fromEntries(
    input.fields.flatMap(({ name, localName }) => (first[name] === undefined ? [] : [[localName, first[name]]])),
  );
  const form = useForm(input, initial, contract.registry, { reference: usePickers() });
  const filled = useRef<Message | undefined>(undefined);
  const known = new Set(Object.keys(first));
  const asks = input.fields.some(({ name }) => !known.has(name));
  const running = state === "running";
  function begin() {
    const request = form.check();
    if (request !== undefined && lacksReason(operation, request))
      return form.refuse([{ path: "reason", description: _("Say why: the member will ask.") }]);
    filled.current = request;
    if (filled.current !== undefined) void run(filled.current);
  }
  const withFilled = (what: (message: Message) => Promise<void>) => () => {
    if (filled.current !== undefined) void what(filled.current);
  };
  return (
    <Dialog
      open
      large={asks || state !== "asked"}
      title={w(operation.title)}
      danger={operation.danger || running}
      onOpenChange={() => {
        stop();
        onClose(state !== "asked");
      }}
      actions={(close) =>
        state === "asked" ? (
          <>
            <Button onPress={close}>{_("Cancel")}</Button>
            <Button kind={operation.danger ? "danger" : "primary"} isDisabled={!online} onPress={begin}>
              {_("Do it for {count}", { count: rows.length })}
            </Button>
          </>
        ) : running ? (
          <Button onPress={stop}>{_("Stop")}</Button>
        ) : (
          <>
            {untried.length === 0 ? null : (
              <Button onPress={withFilled(goOn)}>{_("Go on with {count}", { count: untried.length })}</Button>
            )}
            {failed.length === 0 ? null : (
              <Button onPress={withFilled(retry)}>{_("Try the {count} failed again", { count: failed.length })}</Button>
            )}
            <Button kind="primary" onPress={close}>
              {_("Close")}
            </Button>
          </>
        )
      }
    >
      {state === "asked" ? (
        <div className={styles.stack}>
          <p>
            {_("Each record is checked and changed for itself; those for which it is not allowed stay as they are.")}
          </p>
          {operation.danger ? <Note tone="warning" title={_("This cannot simply be taken back")} /> : null}
          {asks ? (
            <FormContextProvider value={form.context}>
              <MessageFields desc={input} slot={form.slot} omit={known} />
              <Faults desc={input} faults={form.context.faults} />
            </FormContextProvider>
          ) : null}
        </div>
      ) : (
        <Progress entity={entity} rows={rows} results={results} failed={failed.length} state={state} />
      )}
    </Dialog>
  );
}

type ProgressProps = {
  entity: Entity;
  rows: readonly Row[];
  results: ReadonlyMap<string, Result>;
  failed: number;
  state: string;
};

/** The progress, and the result for each record. */
function Progress({ entity, rows, results, failed, state }: ProgressProps) {
  const { _ } = useLingui();
  const { saying } = useConsole();
  const done = [...results.values()].filter(({ outcome }) => outcome === "done").length;
  const running = state === "running";
  const titleOf = (id: string) => {
    const row = rows.find((one) => one.id === id);
    return row === undefined ? id : titledOf(entity, id, row.record.message, saying).title;
  };
  return (
    <div className={styles.stack}>
      <ProgressBar
        label={running ? _("Working") : state === "stopped" ? _("Stopped") : _("Finished")}
        value={results.size}
        most={rows.length}
        words={_("{done} of {all}", { done: results.size, all: rows.length })}
      />
      <p role="status">
        {_("{done} done, {failed} could not be done, {left} left as they are", {
          done,
          failed,
          left: results.size - done - failed,
        })}
      </p>
      <ul className={styles.results}>
        {[...results.values()].map((result) => (
          <Line key={result.id} entity={entity} result={result} title={titleOf(result.id)} />
        ))}
      </ul>
    </div>
  );
}

function Line({
  entity,
  title,
  result: { id, outcome, status, problem },
}: {
  entity: Entity;
  title: string;
  result: Result;
}) {
  const { _ } = useLingui();
  const w = useWords();
  const said = {
    done: () => (status === "" ? _("Done") : _("Done: it is {status} now", { status: w(statusWords(entity, status)) })),
    left: () => _("Left as it is: not allowed while it is {status}", { status: w(statusWords(entity, status)) }),
    failed: () => (problem === undefined ? "" : problemText(problem, _).detail),
  }[outcome]();
  return (
    <li>
      <Link href={recordPath(entity, id)}>{title === id ? <Id>{id}</Id> : title}</Link>
      <StatusDot
        tone={{ done: "good", left: "over", failed: "bad" }[outcome] as "good" | "over" | "bad"}
        className={styles.wrapped ?? ""}
      >
        {said}
        {problem?.reason ? <code className={styles.reason}>{problem.reason}</code> : null}
      </StatusDot>
    </li>
  );
}
