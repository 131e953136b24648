// Two questions about a factor or a passkey: what it shall be called, and whether it shall go.
import { useLingui } from "@lingui/react";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { useState, type FormEvent, type ReactNode } from "react";
import { Refused } from "./Loaded.tsx";
import { wasCancelled } from "./Proof.tsx";
import page from "./page.module.css";

/** Asks for another name. */
export function RenameDialog({ name, onClose, onSave }: { name: string; onClose: () => void; onSave: (name: string) => Promise<unknown> }) {
  const { _ } = useLingui();
  const [typed, setTyped] = useState(name);
  const [checked, setChecked] = useState(false);
  const { pending, error, run } = useAttempt();
  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (typed.trim() !== "") void run(() => onSave(typed.trim()), onClose);
  }
  return (
    <Dialog title={_("security.rename.title")} open onOpenChange={(open) => (open ? undefined : onClose())}>
      <form className={page.form} onSubmit={submit} noValidate>
        <TextField
          label={_("security.name")}
          value={typed}
          onChange={setTyped}
          maxLength={64}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is there for this field
          autoFocus
          error={checked && typed.trim() === "" ? _("security.missing") : undefined}
        />
        {error === undefined ? null : <Refused error={error} />}
        <div className={page.actions}>
          <Button kind="primary" type="submit" isPending={pending}>
            {_("security.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type RemoveDialogProps = { title: string; /** The word that does it. */ label?: string; children: ReactNode; onClose: () => void; onRemove: () => Promise<unknown> };

/** Asks whether it shall go. */
export function RemoveDialog({ title, label, children, onClose, onRemove }: RemoveDialogProps) {
  const { _ } = useLingui();
  const { pending, error, run } = useAttempt();
  return (
    <Dialog
      title={title}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      danger
      actions={
        <>
          <Button onPress={onClose}>{_("security.keep")}</Button>
          <Button kind="danger" isPending={pending} onPress={() => void run(onRemove, onClose)}>
            {label ?? _("security.remove")}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {error === undefined ? null : <Refused error={error} />}
    </Dialog>
  );
}

/** One attempt after the other, and what came of the last. */
export function useAttempt() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  async function run<T>(attempt: () => Promise<T>, then?: (answer: T) => void): Promise<void> {
    setPending(true);
    setError(undefined);
    try {
      const answer = await attempt();
      setPending(false);
      then?.(answer);
    } catch (refused) {
      setPending(false);
      if (!wasCancelled(refused)) setError(refused);
    }
  }
  return { pending, error, run };
}
