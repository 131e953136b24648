/** Asks before typed text is dropped. */
import { useLingui } from "@lingui/react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";

/** The question, open until it is answered. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { _ } = useLingui();
  return (
    <Dialog
      open
      danger
      title={_("ui.leave.title")}
      onOpenChange={onStay}
      actions={
        <>
          <Button onPress={onStay}>{_("ui.leave.stay")}</Button>
          <Button kind="danger" onPress={onLeave}>
            {_("ui.leave.go")}
          </Button>
        </>
      }
    >
      <p>{_("ui.leave.detail")}</p>
    </Dialog>
  );
}
