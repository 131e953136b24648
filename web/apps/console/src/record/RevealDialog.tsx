/** The values of a record's masked fields, for a reason that the record of reads keeps. */
import type { Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { MessageFields } from "@pavise/descform/FieldEditor.tsx";
import { FormContextProvider, useForm } from "@pavise/descform/form.ts";
import { MessageView } from "@pavise/descform/View.tsx";
import { useWords } from "@pavise/i18n/words.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { useMemo, useState } from "react";
import { useCell } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { Faults } from "../console/Faults.tsx";
import { usePickers } from "../console/Picker.tsx";
import { ProblemPanel } from "../console/Problem.tsx";
import type { Subject } from "./action.ts";
import { startOf } from "./start.ts";
import styles from "../console/console.module.css";

/** The dialog of a call that reveals. What it shows is gone with it: no page keeps the values. */
export function RevealDialog({ operation, entity, id, message, onClose }: Subject & { onClose: () => void }) {
  const { _ } = useLingui();
  const w = useWords();
  const online = useOnline();
  const cell = useCell();
  const { contract, call, saying } = useConsole();
  const { known, initial } = useMemo(
    () => startOf(operation, entity, id, message, contract.registry),
    [operation, entity, id, message, contract],
  );
  const form = useForm(operation.method.input, initial, contract.registry, { reference: usePickers() });
  const [revealed, setRevealed] = useState<Message>();
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState(false);

  async function reveal() {
    const request = form.check();
    if (request === undefined) return;
    setPending(true);
    setError(undefined);
    try {
      setRevealed(await call(operation, request));
    } catch (thrown) {
      form.refuse(problemOf(thrown).fields);
      setError(thrown);
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog
      open
      large
      title={w(operation.title)}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      actions={(close) => (
        <>
          <Button onPress={close}>{revealed === undefined ? _("Cancel") : _("Close")}</Button>
          {revealed === undefined ? (
            <Button kind="primary" isDisabled={!online} isPending={pending} onPress={() => void reveal()}>
              {w(operation.title)}
            </Button>
          ) : null}
        </>
      )}
    >
      <div className={styles.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        {revealed === undefined ? (
          <>
            <Note title={_("This read is recorded")}>
              {_("The reason stands on the record of reads, with your name.")}
            </Note>
            <FormContextProvider value={form.context}>
              <MessageFields desc={operation.method.input} slot={form.slot} omit={known} />
              <Faults desc={operation.method.input} faults={form.context.faults} />
            </FormContextProvider>
          </>
        ) : (
          <MessageView desc={entity.desc} message={revealed} saying={saying} cell={cell} />
        )}
      </div>
    </Dialog>
  );
}
