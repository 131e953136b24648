/** An action on a record in three steps: its input, the review of its effect, the call. */
import { useLingui } from "@lingui/react";
import { MessageFields } from "@pavise/descform/FieldEditor.tsx";
import { FormContextProvider } from "@pavise/descform/form.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { Faults } from "../console/Faults.tsx";
import { OwnerContext } from "../console/Picker.tsx";
import { textOf } from "../console/calls.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import { statusWords, type Operation } from "../contract/operation.ts";
import { useAction, type Subject } from "./action.ts";
import { Differences } from "./History.tsx";
import { statusOf } from "./Actions.tsx";
import styles from "../console/console.module.css";

/** The dialog of an action on a record. */
export function ActionDialog({ onClose, ...subject }: Subject & { onClose: () => void }) {
  const { _ } = useLingui();
  const w = useWords();
  const online = useOnline();
  const { operation, entity } = subject;
  const { form, known, seen, previewed, changed, error, conflict, pending, review, confirm, back } = useAction(
    subject,
    onClose,
  );
  const asked = operation.method.input.fields.some(({ name }) => !known.has(name));
  return (
    <Dialog
      open
      steps
      large={asked}
      title={w(operation.title)}
      danger={operation.danger}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      actions={(close) => (
        <>
          {!previewed || !asked ? (
            <Button onPress={close}>{_("Cancel")}</Button>
          ) : (
            <Button onPress={back}>{_("Back")}</Button>
          )}
          {!previewed ? (
            <Button kind="primary" isDisabled={!online} isPending={pending} onPress={() => void review()}>
              {_("Review")}
            </Button>
          ) : (
            <Button
              kind={operation.danger ? "danger" : "primary"}
              isDisabled={!online}
              isPending={pending}
              onPress={() => void confirm()}
            >
              {w(operation.title)}
            </Button>
          )}
        </>
      )}
    >
      <div className={styles.stack}>
        <Leads operation={operation} status={statusOf(entity, seen)} />
        {operation.danger ? <Note tone="warning" title={_("This cannot simply be taken back")} /> : null}
        {error === undefined ? null : <ProblemPanel error={error} />}
        {conflict === undefined || conflict.length === 0 ? null : <Differences changed={conflict} />}
        {!previewed ? (
          asked ? (
            <FormContextProvider value={form.context}>
              <OwnerContext value={entity.name === "Identity" ? subject.id : textOf(seen, entity.desc, "owner_id")}>
                <MessageFields desc={operation.method.input} slot={form.slot} omit={known} />
              </OwnerContext>
              <Faults desc={operation.method.input} faults={form.context.faults} />
            </FormContextProvider>
          ) : (
            <p className={styles.soft}>{_("Nothing more is needed. Review what would change.")}</p>
          )
        ) : (
          <>
            <p>{changed.length === 0 ? _("The platform would accept this.") : _("This would change:")}</p>
            {changed.length === 0 ? null : <Differences changed={changed} />}
            <Consequences operation={operation} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Consequences of the action outside the record's fields. */
function Consequences({ operation }: { operation: Operation }) {
  const { _ } = useLingui();
  const w = useWords();
  if (operation.consequences.length === 0) return null;
  return (
    <div>
      <p>{_("What follows:")}</p>
      <ul>
        {operation.consequences.map((one) => (
          <li key={one}>{w(one)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The change of status. */
function Leads({ operation, status }: { operation: Operation; status: string }) {
  const { _ } = useLingui();
  const w = useWords();
  const following = operation.leads(status);
  if (following.length === 0) return null;
  return (
    <p className={styles.soft}>
      {w(statusWords(operation.entity, status))}
      <span className={styles.arrow} aria-label={_("to")}>
        →
      </span>
      {following.map((to) => w(statusWords(operation.entity, to))).join(_(" or "))}
    </p>
  );
}
