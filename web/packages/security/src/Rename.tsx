// Renames a factor or a passkey.
import { useLingui } from "@lingui/react";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { useState } from "react";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import page from "@pavise/ui/Part.module.css";

/** Asks for the new name. */
export function RenameDialog({
  name,
  onClose,
  onSave,
}: {
  name: string;
  onClose: () => void;
  onSave: (name: string) => Promise<unknown>;
}) {
  const { _ } = useLingui();
  const [typed, setTyped] = useState(name);
  const { pending, error, run } = useAttempt();
  const wanted = typed.trim();
  return (
    <Dialog title={_("security.rename.title")} open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Form right={wanted !== ""} error={error} onSend={() => void run(() => onSave(wanted), onClose)}>
        {(checked) => (
          <>
            <TextField
              label={_("security.name")}
              value={typed}
              onChange={setTyped}
              name="name"
              maxLength={LENGTHS["identity.v1.UpdateFactorNameRequest.name"]}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is there for this field
              autoFocus
              error={checked && wanted === "" ? _("security.missing") : undefined}
            />
            {error === undefined ? null : <Refused error={error} />}
            <div className={page.actions}>
              <Button kind="primary" type="submit" isPending={pending}>
                {_("security.save")}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
