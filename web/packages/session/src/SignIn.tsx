/** Signs in, and returns to the page that was asked for. */
import { useLingui } from "@lingui/react";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { createContext, lazy, Suspense, use, useState, type FormEvent, type ReactNode } from "react";
import { knowsPasskeys } from "./passkey.ts";
import { Refusal } from "./Refusal.tsx";
import { useKeeper } from "./Session.tsx";
import { useSigningIn } from "./signing-in.ts";
import styles from "./session.module.css";

// Loaded on demand: few users need a further proof each time.
const Factor = lazy(async () => ({ default: (await import("./Factor.tsx")).Factor }));

export type SignInProps = {
  /** The app's name, above the form. */
  title: string;
  /** Called after the sign-in. */
  onSignedIn: () => void;
  /** Content under the form: sign up, reset. */
  children?: ReactNode;
  /** Content above the form: the reason for the sign-in. */
  notice?: string | undefined;
};

/** The sign-in form. */
export function SignIn({ title, onSignedIn, children, notice }: SignInProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { pending, error, challenge, enter, entered, startAgain, withPasskey } = useSigningIn(onSignedIn);
  const typed = useTyped();
  function submit(event: FormEvent) {
    event.preventDefault();
    enter(async () => {
      const answer = await keeper.signIn({ name, password });
      setPassword("");
      return answer;
    });
  }
  if (challenge !== undefined) {
    return (
      <SessionPage title={_("One more step")}>
        <Suspense>
          <Factor challenge={challenge} onSignedIn={entered} onBack={startAgain} />
        </Suspense>
      </SessionPage>
    );
  }
  return (
    <SessionPage title={title}>
      {notice === undefined || error !== undefined ? null : <Note tone="info" title={notice} />}
      <Refusal error={error} />
      <form className={styles.form} onSubmit={submit} {...typed.on}>
        <FieldErrors error={error}>
          <TextField
            label={_("E-mail address or user name")}
            value={name}
            onChange={setName}
            autoComplete="username"
            isRequired
            name={name.includes("@") ? "email" : "username"}
            maxLength={LENGTHS["identity.v1.CreateTokenRequest.email"]}
          />
          <TextField
            label={_("Password")}
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            isRequired
            name="password"
            maxLength={LENGTHS["identity.v1.CreateTokenRequest.password"]}
          />
        </FieldErrors>
        <Button kind="primary" type="submit" wide isPending={pending}>
          {_("Sign in")}
        </Button>
        {knowsPasskeys() ? (
          <Button wide isDisabled={pending} onPress={withPasskey}>
            {_("Use a passkey")}
          </Button>
        ) : null}
      </form>
      {children}
    </SessionPage>
  );
}

/** Whether an app's own page surrounds the sign-in pages; that page then has the landmark. */
export const WithinPage = createContext(false);

/** The frame of the sign-in pages. */
export function SessionPage({ title, children }: { title: string; children: ReactNode }) {
  const within = use(WithinPage);
  const sheet = (
    <div className={styles.sheet}>
      <PageTitle className={styles.title}>{title}</PageTitle>
      {children}
    </div>
  );
  return within ? <div className={styles.within}>{sheet}</div> : <main className={styles.page}>{sheet}</main>;
}
