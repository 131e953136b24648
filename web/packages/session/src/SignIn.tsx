/** Signs in, and leads back to where somebody came from. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { SignInChallenge } from "@pavise/schema/pavise/identity/v1/challenge_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { createContext, use, useState, type FormEvent, type ReactNode } from "react";
import { Factor } from "./Factor.tsx";
import { knowsPasskeys } from "./passkey.ts";
import { problemText } from "./problems.ts";
import { useKeeper } from "./Session.tsx";
import styles from "./session.module.css";

export type SignInProps = {
  /** The name of the app, over the form. */
  title: string;
  /** Called when somebody is signed in. */
  onSignedIn: () => void;
  /** Under the form: sign up, reset. */
  children?: ReactNode;
  /** Said over the form: why one is here. */
  notice?: string | undefined;
};

/** The sign-in form. */
export function SignIn({ title, onSignedIn, children, notice }: SignInProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<{ title: string; detail: string }>();
  const [pending, setPending] = useState(false);
  const [challenge, setChallenge] = useState<SignInChallenge>();
  async function entered() {
    await keeper.refresh();
    onSignedIn();
  }
  async function attempt(run: () => Promise<void>) {
    setPending(true);
    setProblem(undefined);
    try {
      await run();
    } catch (error) {
      setProblem(problemText(problemOf(error), _));
    } finally {
      setPending(false);
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void attempt(async () => {
      const { challenge: asked } = await keeper.signIn({ name, password });
      setPassword("");
      if (asked === undefined) await entered();
      else setChallenge(asked);
    });
  }
  if (challenge !== undefined) {
    return (
      <SessionPage title={_("One more step")}>
        <Factor challenge={challenge} onSignedIn={entered} onBack={() => setChallenge(undefined)} />
      </SessionPage>
    );
  }
  return (
    <SessionPage title={title}>
      {notice === undefined || problem !== undefined ? null : <Note tone="info" title={notice} />}
      {problem === undefined ? null : (
        <Note tone="danger" title={problem.title} spoken>
          {problem.detail}
        </Note>
      )}
      <form className={styles.form} onSubmit={submit}>
        <TextField label={_("E-mail address or user name")} value={name} onChange={setName} autoComplete="username" isRequired name="name" />
        <TextField label={_("Password")} type="password" value={password} onChange={setPassword} autoComplete="current-password" isRequired name="password" />
        <Button kind="primary" type="submit" wide isPending={pending}>
          {_("Sign in")}
        </Button>
        {knowsPasskeys() ? (
          <Button wide isDisabled={pending} onPress={() => void attempt(() => keeper.signInWithPasskey().then(entered))}>
            {_("Use a passkey")}
          </Button>
        ) : null}
      </form>
      {children}
    </SessionPage>
  );
}

/** Whether an app's own page is around the pages that sign in: it has the landmark and the room then. */
export const WithinPage = createContext(false);

/** The frame of the pages around signing in. */
export function SessionPage({ title, children }: { title: string; children: ReactNode }) {
  const within = use(WithinPage);
  const sheet = (
    <div className={styles.sheet}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
  return within ? <div className={styles.within}>{sheet}</div> : <main className={styles.page}>{sheet}</main>;
}
