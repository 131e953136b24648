// A dialog with one form, which saves a part of the profile.
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Checkbox } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import type { ReactNode } from "react";
import page from "@pavise/ui/Part.module.css";

export type EditDialogProps = {
  title: string;
  onClose: () => void;
  /** Whether the input can be sent. */
  right: boolean;
  onSave: () => Promise<unknown>;
  /** The fields. `checked` once they were sent with faults; `refused` is the refusal of the last attempt. */
  children: (checked: boolean, refused: unknown) => ReactNode;
};

/** The dialog. */
export function EditDialog({ title, onClose, right, onSave, children }: EditDialogProps) {
  const { _ } = useLingui();
  const { pending, error, run } = useAttempt();
  function done() {
    onClose();
    toast({ title: _("profile.saved") });
  }
  return (
    <Dialog title={title} open onOpenChange={(open) => (open ? undefined : onClose())} stays>
      <Form right={right} error={error} onSend={() => void run(onSave, done)}>
        {(checked) => (
          <>
            {children(checked, error)}
            {error === undefined ? null : <Refused error={error} />}
            <div className={page.actions}>
              <Button kind="primary" type="submit" isPending={pending}>
                {_("profile.save")}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Whether a refusal says that the item of the request is on the profile's list already. */
export function isTwice(error: unknown, item: string, list: string): boolean {
  if (error === undefined) return false;
  return problemOf(error).fields.some(({ path }) => path === item || path.startsWith(`${list}[`));
}

type PrimaryProps = {
  item: { readonly primary: boolean } | undefined;
  value: boolean;
  onChange: (primary: boolean) => void;
  children: string;
};

/** Asks whether the item becomes the primary one. The primary one stays so until another one takes its place. */
export function Primary({ item, value, onChange, children }: PrimaryProps) {
  if (item?.primary) return null;
  return (
    <Checkbox isSelected={value} onChange={onChange}>
      {children}
    </Checkbox>
  );
}
