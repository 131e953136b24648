/** The values of a record that are else masked, for a reason that is recorded. */
import type { Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextArea } from "@pavise/ui/Field.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useState } from "react";
import { requestOf, valueOf } from "../console/calls.ts";
import { useConsole } from "../console/console.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import type { Entity, Operation } from "../contract/operation.ts";
import { revealOf } from "../contract/screens.ts";
import styles from "../console/console.module.css";

const LONGEST_REASON = 500;

type RevealProps = {
  entity: Entity;
  id: string;
  message: Message;
  /** The record with its values, or undefined for the masked ones. */
  revealed: Message | undefined;
  onReveal: (revealed: Message | undefined) => void;
};

/** A button that asks for the reason and shows the values, where the caller may see them. They are kept by the page only. */
export function Reveal({ entity, id, message, revealed, onReveal }: RevealProps) {
  const { _ } = useLingui();
  const { contract, may } = useConsole();
  const [open, setOpen] = useState(false);
  const operation = revealOf(contract, entity);
  if (operation === undefined || !may(operation)) return null;
  if (revealed !== undefined) return <Button onPress={() => onReveal(undefined)}>{_("Mask the values again")}</Button>;
  return (
    <>
      <Button onPress={() => setOpen(true)}>{_("Show masked values…")}</Button>
      {open ? (
        <ReasonDialog
          operation={operation}
          given={givenOf(operation, entity, id, message)}
          onClose={() => setOpen(false)}
          onReveal={onReveal}
        />
      ) : null}
    </>
  );
}

/** The request's fields that name the record: its id, and what it has under the same names. */
function givenOf(operation: Operation, entity: Entity, id: string, message: Message): Record<string, unknown> {
  const given: Record<string, unknown> = { [operation.idField?.name ?? "id"]: id };
  for (const { name } of operation.method.input.fields) {
    const known = name === operation.ownerField ? "owner_id" : name;
    if (name !== operation.reveals) given[name] ??= valueOf(message, entity.desc, known);
  }
  return given;
}

type ReasonProps = {
  operation: Operation;
  given: Record<string, unknown>;
  onClose: () => void;
  onReveal: (revealed: Message) => void;
};

function ReasonDialog({ operation, given, onClose, onReveal }: ReasonProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { call } = useConsole();
  const [reason, setReason] = useState("");
  const { pending, error, run } = useAttempt();
  const said = reason.trim();
  const reveal = () =>
    run(
      () => call(operation, requestOf(operation, { ...given, [operation.reveals]: said }), {}),
      (answer) => {
        onReveal(answer);
        onClose();
      },
    );
  return (
    <Dialog
      open
      stays
      title={w(operation.title)}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="primary" isPending={pending} isDisabled={said === ""} onPress={() => void reveal()}>
            {_("Show the values")}
          </Button>
        </>
      )}
    >
      <div className={styles.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <Note
          tone="info"
          title={_("Your reading is recorded, with the reason. The member can see who read their data.")}
        />
        <FieldErrors error={error}>
          <TextArea label={_("Reason")} name="reason" value={reason} onChange={setReason} maxLength={LONGEST_REASON} />
        </FieldErrors>
      </div>
    </Dialog>
  );
}
