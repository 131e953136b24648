// The password: another one for whoever knows the one before.
import { useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { toast } from "@pavise/ui/Toast.tsx";
import { useState, type FormEvent } from "react";
import { Refused } from "./Loaded.tsx";
import { useOwnId } from "./factors.ts";
import { focusFirstWrong } from "@pavise/ui/focus.ts";
import page from "./page.module.css";

/** The shortest password that is taken. */
const SHORTEST = 10;

/** The part of the page that changes it. */
export function Password() {
  const { _ } = useLingui();
  const userId = useOwnId();
  const [before, setBefore] = useState("");
  const [next, setNext] = useState("");
  const [checked, setChecked] = useState(false);
  const change = useMutation(IdentityService.method.updatePassword, {
    onSuccess: () => {
      setBefore("");
      setNext("");
      setChecked(false);
      toast({ title: _("security.password.changed") });
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    if (before !== "" && next.length >= SHORTEST) change.mutate({ userId, oldPassword: before, newPassword: next });
    else focusFirstWrong(event.currentTarget);
  }
  return (
    <section className={page.part} aria-labelledby="password">
      <div className={page.partHead}>
        <h2 id="password">{_("security.password")}</h2>
      </div>
      {change.error ? <Refused error={change.error} /> : null}
      <form className={page.form} onSubmit={submit} noValidate>
        <TextField
          label={_("security.password.old")}
          type="password"
          autoComplete="current-password"
          value={before}
          onChange={setBefore}
          error={checked && before === "" ? _("security.password.missing") : undefined}
        />
        <TextField
          label={_("security.password.new")}
          type="password"
          autoComplete="new-password"
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
      </form>
    </section>
  );
}
