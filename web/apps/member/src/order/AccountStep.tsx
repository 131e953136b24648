// The first step: an account, new or the one that somebody has.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import type { SignInChallenge } from "@pavise/schema/pavise/identity/v1/challenge_pb";
import { IdentityRealm } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { knowsPasskeys } from "@pavise/session/passkey.ts";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { focusFirstWrong } from "@pavise/ui/focus.ts";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { lazy, Suspense, useState, type FormEvent } from "react";
import { Refused } from "../app/Loaded.tsx";
import page from "../app/Page.module.css";

const Factor = lazy(async () => ({ default: (await import("@pavise/session/Factor.tsx")).Factor }));

/** The shortest password that is taken. */
const SHORTEST = 10;

export type AccountStepProps = {
  /** Begins with the sign-in instead of the sign-up. */
  known?: boolean;
  onSignedIn?: () => void;
};

/** Signs up or in; the page goes on by itself when the session is there. */
export function AccountStep({ known: starts = false, onSignedIn }: AccountStepProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [known, setKnown] = useState(starts);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [checked, setChecked] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [challenge, setChallenge] = useState<SignInChallenge>();
  const wrongEmail = !isEmail(email.trim());
  const wrongPassword = known ? password === "" : password.length < SHORTEST;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    setError(undefined);
    if (wrongEmail || wrongPassword) {
      focusFirstWrong(event.currentTarget);
      return;
    }
    setPending(true);
    try {
      if (!known) await signUp();
      const { challenge: further } = await keeper.signIn({ name: email.trim(), password });
      if (further) setChallenge(further);
      else await entered();
    } catch (refused) {
      setError(refused);
      setPending(false);
    }
  }

  async function withPasskey() {
    setPending(true);
    setError(undefined);
    try {
      await keeper.signInWithPasskey();
      await entered();
    } catch (refused) {
      setError(refused);
      setPending(false);
    }
  }

  async function entered() {
    await keeper.refresh();
    onSignedIn?.();
  }

  async function signUp() {
    await callUnaryMethod(keeper.transport, IdentityService.method.createIdentity, {
      realm: IdentityRealm.USER,
      emails: [email.trim()],
      password,
    });
  }

  if (challenge) {
    return (
      <section className={page.part}>
        <h1>{_("account.signIn.title")}</h1>
        <Suspense fallback={<SkeletonText lines={3} />}>
          <Factor
            challenge={challenge}
            onSignedIn={entered}
            onBack={() => {
              setChallenge(undefined);
              setPending(false);
            }}
          />
        </Suspense>
      </section>
    );
  }
  const taken = !known && error !== undefined && problemOf(error).kind === "exists";
  return (
    <section className={page.part}>
      <div className={page.intro}>
        <h1>{_(known ? "account.signIn.title" : "account.signUp.title")}</h1>
        <p className={page.soft}>{_(known ? "account.signIn.lead" : "account.signUp.lead")}</p>
      </div>
      {error !== undefined && !taken ? <Refused error={error} /> : null}
      {/* What is wrong is said beside the fields, in the visitor's language. */}
      <form className={page.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={_("account.email")}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={checked && wrongEmail ? _("account.email.wrong") : taken ? _("account.email.taken") : undefined}
        />
        <TextField
          label={_("account.password")}
          type="password"
          name="password"
          autoComplete={known ? "current-password" : "new-password"}
          value={password}
          onChange={setPassword}
          {...(known ? {} : { help: _("account.password.help", { count: SHORTEST }) })}
          error={
            checked && wrongPassword
              ? _(known ? "account.password.missing" : "account.password.short", { count: SHORTEST })
              : undefined
          }
        />
        <div className={page.actions}>
          <Button kind="primary" type="submit" isPending={pending}>
            {_(known ? "account.signIn" : "account.signUp")}
          </Button>
          {known && knowsPasskeys() ? (
            <Button onPress={() => void withPasskey()} isDisabled={pending}>
              {_("account.passkey")}
            </Button>
          ) : null}
        </div>
        <div className={page.actions}>
          <Button
            kind="quiet"
            onPress={() => {
              setKnown(!known);
              setError(undefined);
              setChecked(false);
            }}
          >
            {_(known ? "account.toSignUp" : "account.toSignIn")}
          </Button>
        </div>
      </form>
    </section>
  );
}
