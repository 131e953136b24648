// The change of the password, which needs the current one.
import { useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { useState } from "react";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { useOwnId } from "./factors.ts";
import page from "@pavise/ui/Part.module.css";

/** The shortest password that is accepted. */
const SHORTEST = 10;

/** The page part that changes the password. */
export function Password() {
  const { _ } = useLingui();
  const userId = useOwnId();
  const [before, setBefore] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation(IdentityService.method.updatePassword, {
    onSuccess: () => {
      setBefore("");
      setNext("");
      toast({ title: _("security.password.changed") });
    },
  });
  return (
    <Part id="password" title={_("security.password")}>
      {change.error ? <Refused error={change.error} /> : null}
      <Form
        error={change.error}
        right={before !== "" && next.length >= SHORTEST}
        onSend={() => change.mutate({ userId, oldPassword: before, newPassword: next })}
      >
        {(checked) => (
          <>
            <TextField
              label={_("security.password.old")}
              type="password"
              autoComplete="current-password"
              name="old_password"
              maxLength={LENGTHS["identity.v1.UpdatePasswordRequest.old_password"]}
              value={before}
              onChange={setBefore}
              error={checked && before === "" ? _("security.password.missing") : undefined}
            />
            <TextField
              label={_("security.password.new")}
              type="password"
              autoComplete="new-password"
              name="new_password"
              maxLength={LENGTHS["identity.v1.UpdatePasswordRequest.new_password"]}
              value={next}
              onChange={setNext}
              help={_("security.password.help", { count: SHORTEST })}
              error={checked && next.length < SHORTEST ? _("security.password.short", { count: SHORTEST }) : undefined}
            />
            <div className={page.actions}>
              <Button type="submit" isPending={change.isPending}>
                {_("security.password.save")}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Part>
  );
}
