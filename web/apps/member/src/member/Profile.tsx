// Profile and security: addresses to sign in with, the password, where one is signed in.
import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { isEmail } from "@pavise/rules/patterns.ts";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { toast, Toasts } from "@pavise/ui/Toast.tsx";
import { DateTime, StatusDot } from "@pavise/ui/Value.tsx";
import { useMutation as useTanstackMutation, useQuery as useTanstackQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Loaded, Refused } from "../app/Loaded.tsx";
import { focusFirstWrong } from "../order/AccountStep.tsx";
import { useMemberId } from "./holdings.ts";
import { deviceName } from "./device.ts";
import { currentSessionId, endOtherSessions, endSession, listSessions, type OpenSession } from "./sessions.ts";
import page from "../app/Page.module.css";

/** The page. */
export function Profile() {
  const { _ } = useLingui();
  return (
    <>
      <div className={page.intro}>
        <h1>{_("profile.title")}</h1>
      </div>
      <Emails />
      <Password />
      <Sessions />
      <Toasts />
    </>
  );
}

function Emails() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const client = useQueryClient();
  const identity = useQuery(IdentityService.method.getIdentity, { identityId }, { enabled: identityId !== "" });
  const [email, setEmail] = useState("");
  const [checked, setChecked] = useState(false);
  const refresh = () =>
    client.invalidateQueries({
      queryKey: createConnectQueryKey({ schema: IdentityService.method.getIdentity, cardinality: "finite" }),
    });
  const add = useMutation(IdentityService.method.addEmail, {
    onSuccess: () => {
      setEmail("");
      setChecked(false);
      return refresh();
    },
  });
  const remove = useMutation(IdentityService.method.removeEmail, { onSuccess: refresh });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    if (isEmail(email.trim())) add.mutate({ identityId, email: email.trim() });
    else focusFirstWrong(event.currentTarget);
  }
  return (
    <section className={page.part} aria-labelledby="emails">
      <div className={page.partHead}>
        <h2 id="emails">{_("profile.emails")}</h2>
      </div>
      <Loaded query={identity} lines={2}>
        {({ emails }) => (
          <div className={page.rows}>
            {emails.map(({ address }) => (
              <div key={address} className={page.line}>
                <span>{address}</span>
                {emails.length > 1 ? (
                  <Button
                    kind="quiet"
                    isPending={remove.isPending && remove.variables?.email === address}
                    onPress={() => remove.mutate({ identityId, email: address })}
                    aria-label={_("profile.emails.remove.label", { email: address })}
                  >
                    {_("profile.emails.remove")}
                  </Button>
                ) : null}
              </div>
            ))}
          </div>
        )}
      </Loaded>
      {(add.error ?? remove.error) ? <Refused error={add.error ?? remove.error} /> : null}
      <form className={page.form} onSubmit={submit} noValidate>
        <TextField
          label={_("profile.emails.add")}
          type="email"
          autoComplete="email"
          value={email}
          onChange={setEmail}
          error={checked && !isEmail(email.trim()) ? _("account.email.wrong") : undefined}
        />
        <div className={page.actions}>
          <Button type="submit" isPending={add.isPending}>
            {_("profile.emails.save")}
          </Button>
        </div>
      </form>
    </section>
  );
}

const SHORTEST = 10;

function Password() {
  const { _ } = useLingui();
  const userId = useMemberId();
  const [before, setBefore] = useState("");
  const [next, setNext] = useState("");
  const [checked, setChecked] = useState(false);
  const change = useMutation(IdentityService.method.updatePassword, {
    onSuccess: () => {
      setBefore("");
      setNext("");
      setChecked(false);
      toast({ title: _("profile.password.changed") });
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
        <h2 id="password">{_("profile.password")}</h2>
      </div>
      {change.error ? <Refused error={change.error} /> : null}
      <form className={page.form} onSubmit={submit} noValidate>
        <TextField
          label={_("profile.password.old")}
          type="password"
          autoComplete="current-password"
          value={before}
          onChange={setBefore}
          error={checked && before === "" ? _("account.password.missing") : undefined}
        />
        <TextField
          label={_("profile.password.new")}
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          help={_("account.password.help", { count: SHORTEST })}
          error={checked && next.length < SHORTEST ? _("account.password.short", { count: SHORTEST }) : undefined}
        />
        <div className={page.actions}>
          <Button type="submit" isPending={change.isPending}>
            {_("profile.password.save")}
          </Button>
        </div>
      </form>
    </section>
  );
}

function Sessions() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const keeper = useKeeper();
  const client = useQueryClient();
  const sessions = useTanstackQuery({
    queryKey: ["sessions", identityId],
    queryFn: async () => {
      const [open, current] = await Promise.all([listSessions(identityId), currentSessionId()]);
      return { sessions: open, current };
    },
    enabled: identityId !== "",
  });
  const onSuccess = () => client.invalidateQueries({ queryKey: ["sessions"] });
  const revoke = useTanstackMutation({ mutationFn: (sessionId: string) => endSession(identityId, sessionId), onSuccess });
  const revokeOthers = useTanstackMutation({ mutationFn: () => endOtherSessions(identityId), onSuccess });
  return (
    <section className={page.part} aria-labelledby="sessions">
      <div className={page.partHead}>
        <h2 id="sessions">{_("profile.sessions")}</h2>
      </div>
      <Loaded query={sessions} lines={3}>
        {({ sessions: open, current }) => (
          <>
            <div className={page.rows}>
              {open.map((session) => (
                <SessionLine
                  key={session.id}
                  session={session}
                  current={session.id === current}
                  pending={revoke.isPending && revoke.variables === session.id}
                  onEnd={() => revoke.mutate(session.id)}
                />
              ))}
            </div>
            {revoke.error ? <Refused error={revoke.error} /> : null}
            <div className={page.actions}>
              {open.length > 1 ? (
                <Button isPending={revokeOthers.isPending} onPress={() => revokeOthers.mutate()}>
                  {_("profile.sessions.others")}
                </Button>
              ) : null}
              <Button kind="quiet" onPress={() => void keeper.signOut()}>
                {_("frame.signOut")}
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

type SessionLineProps = { session: OpenSession; current: boolean; pending: boolean; onEnd: () => void };

function SessionLine({ session, current, pending, onEnd }: SessionLineProps) {
  const { _ } = useLingui();
  const name = deviceName(session.userAgent ?? "") || _("profile.sessions.unknown");
  const used = session.lastUsedAt ?? session.createdAt;
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <span className={page.small}>
          {_("profile.sessions.used")} <DateTime at={used ? new Date(used) : null} />
        </span>
      </span>
      {current ? (
        <StatusDot tone="good">{_("profile.sessions.this")}</StatusDot>
      ) : (
        <Button kind="quiet" onPress={onEnd} isPending={pending} aria-label={_("profile.sessions.end.label", { device: name })}>
          {_("profile.sessions.end")}
        </Button>
      )}
    </div>
  );
}
