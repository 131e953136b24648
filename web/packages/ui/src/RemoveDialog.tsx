/** Asks for confirmation of a removal. */
import { useLingui } from "@lingui/react";
import type { ReactNode } from "react";
import { useAttempt } from "./attempt.ts";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Refused } from "./Loaded.tsx";

export type RemoveDialogProps = {
  title: string;
  /** The label of the confirming button. */
  label?: string;
  /** The label of the cancelling button. */
  keep?: string;
  /** The consequences. */
  children: ReactNode;
  onClose: () => void;
  onRemove: () => Promise<unknown>;
};

/** The confirmation, open until it is decided; it shows a refusal. */
export function RemoveDialog({ title, label, keep, children, onClose, onRemove }: RemoveDialogProps) {
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
          <Button onPress={onClose}>{keep ?? _("ui.keep")}</Button>
          <Button kind="danger" isPending={pending} onPress={() => void run(onRemove, onClose)}>
            {label ?? _("ui.remove")}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {error === undefined ? null : <Refused error={error} />}
    </Dialog>
  );
}
