// The first step: a new account, or an existing one.
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import type { SignInChallenge } from "@pavise/schema/pavise/identity/v1/challenge_pb";
import { knowsPasskeys } from "@pavise/session/passkey.ts";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useSigningIn } from "@pavise/session/signing-in.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { lazy, Suspense, useState } from "react";
import page from "@pavise/ui/Part.module.css";

const Factor = lazy(async () => ({ default: (await import("@pavise/session/Factor.tsx")).Factor }));

/** The shortest password that is accepted. */
const SHORTEST = 10;

export type AccountStepProps = {
  /** Begins with the sign-in instead of the sign-up. */
  known?: boolean;
  onSignedIn?: () => void;
};

/** Signs up or in; the page continues when the session exists. */
export function AccountStep({ known: starts = false, onSignedIn }: AccountStepProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [known, setKnown] = useState(starts);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const entering = useSigningIn(() => onSignedIn?.());
  const { pending, error, challenge } = entering;
  if (challenge) return <SecondStep challenge={challenge} onSignedIn={entering.entered} onBack={entering.startAgain} />;

  const name = email.trim();
  const wrongEmail = !isEmail(name);
  const wrongPassword = known ? password === "" : password.length < SHORTEST;
  const taken = !known && error !== undefined && problemOf(error).kind === "exists";
  const wordsOfEmail = (checked: boolean) =>
    checked && wrongEmail ? _("account.email.wrong") : taken ? _("account.email.taken") : undefined;
  const wordsOfPassword = (checked: boolean) =>
    checked && wrongPassword
      ? _(known ? "account.password.missing" : "account.password.short", { count: SHORTEST })
      : undefined;
  return (
    <section className={page.part}>
      <div className={page.intro}>
        <PageTitle>{_(known ? "account.signIn.title" : "account.signUp.title")}</PageTitle>
        <p className={page.soft}>{_(known ? "account.signIn.lead" : "account.signUp.lead")}</p>
      </div>
      {error !== undefined && !taken ? <Refused error={error} /> : null}
      {/* An error of the sign-up is not shown on the sign-in. */}
      <Form
        key={String(known)}
        right={!wrongEmail && !wrongPassword}
        error={error}
        onSend={() =>
          entering.enter(() => (known ? keeper.signIn({ name, password }) : keeper.signUp({ email: name, password })))
        }
      >
        {(checked) => (
          <>
            <TextField
              label={_("account.email")}
              type="email"
              name={known ? "email" : "emails[0]"}
              maxLength={LENGTHS["identity.v1.CreateTokenRequest.email"]}
              autoComplete="username"
              value={email}
              onChange={setEmail}
              error={wordsOfEmail(checked)}
            />
            <TextField
              label={_("account.password")}
              type="password"
              name="password"
              maxLength={LENGTHS["identity.v1.CreateTokenRequest.password"]}
              autoComplete={known ? "current-password" : "new-password"}
              value={password}
              onChange={setPassword}
              {...(known ? {} : { help: _("account.password.help", { count: SHORTEST }) })}
              error={wordsOfPassword(checked)}
            />
            <div className={page.actions}>
              <Button kind="primary" type="submit" isPending={pending}>
                {_(known ? "account.signIn" : "account.signUp")}
              </Button>
              {known && knowsPasskeys() ? (
                <Button onPress={entering.withPasskey} isDisabled={pending}>
                  {_("account.passkey")}
                </Button>
              ) : null}
            </div>
          </>
        )}
      </Form>
      <div className={page.actions}>
        <Button
          kind="quiet"
          onPress={() => {
            setKnown(!known);
            entering.forget();
          }}
        >
          {_(known ? "account.toSignUp" : "account.toSignIn")}
        </Button>
      </div>
    </section>
  );
}

/** The further proof, for a member who has set one up. */
function SecondStep(props: { challenge: SignInChallenge; onSignedIn: () => Promise<void>; onBack: () => void }) {
  const { _ } = useLingui();
  return (
    <section className={page.part}>
      <PageTitle>{_("account.signIn.title")}</PageTitle>
      <Suspense fallback={<SkeletonText lines={3} />}>
        <Factor {...props} />
      </Suspense>
    </section>
  );
}
