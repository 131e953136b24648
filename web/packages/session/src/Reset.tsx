/** Chooses a new password: asks for a code by mail, then takes the code and the password. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useState, type FormEvent } from "react";
import { problemText } from "./problems.ts";
import { useKeeper } from "./Session.tsx";
import { SessionPage } from "./SignIn.tsx";
import styles from "./session.module.css";

/** Leads to the page of a forgotten password. */
export function ForgottenPassword({ href }: { href: string }) {
  const { _ } = useLingui();
  return <Link href={href}>{_("Choose a new password")}</Link>;
}

/** The page of a forgotten password. `signIn` is the sign-in page; whoever has a code already begins with `choose`. */
export function Reset({ signIn, begin = "ask" }: { signIn: string; begin?: "ask" | "choose" }) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [step, setStep] = useState<"ask" | "choose" | "done">(begin);
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<{ title: string; detail: string }>();

  async function attempt(event: FormEvent, run: () => Promise<void>, next: "choose" | "done") {
    event.preventDefault();
    setPending(true);
    setProblem(undefined);
    try {
      await run();
      setStep(next);
    } catch (error) {
      setProblem(problemText(problemOf(error), _));
    } finally {
      setPending(false);
    }
  }

  if (step === "done") return <Changed signIn={signIn} />;
  const refused =
    problem === undefined ? null : (
      <Note tone="danger" title={problem.title} spoken>
        {problem.detail}
      </Note>
    );
  if (step === "ask") {
    return (
      <SessionPage title={_("Choose a new password")}>
        {refused}
        <form className={styles.form} onSubmit={(event) => void attempt(event, () => keeper.askReset(email.trim()), "choose")}>
          <TextField label={_("E-mail address")} type="email" name="email" value={email} onChange={setEmail} autoComplete="email" isRequired />
          <Button kind="primary" type="submit" wide isPending={pending}>
            {_("Send me a code")}
          </Button>
        </form>
        <Link href={signIn}>{_("Back to the sign-in")}</Link>
      </SessionPage>
    );
  }
  return (
    <SessionPage title={_("Choose a new password")}>
      {refused}
      {begin === "choose" ? null : (
        <p className={styles.words}>{_("If we know the address, a code is on its way to it. It is good for half an hour.")}</p>
      )}
      <form className={styles.form} onSubmit={(event) => void attempt(event, () => keeper.reset({ email: email.trim(), code: code.trim(), password }), "done")}>
        {begin === "choose" ? (
          <TextField label={_("E-mail address")} type="email" name="email" value={email} onChange={setEmail} autoComplete="email" isRequired />
        ) : null}
        <TextField label={_("The code from the message")} name="code" value={code} onChange={setCode} autoComplete="one-time-code" isRequired mono />
        <TextField
          label={_("New password")}
          type="password"
          name="password"
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          isRequired
          help={_("A sentence of a few words is easy to remember and hard to guess.")}
        />
        <Button kind="primary" type="submit" wide isPending={pending}>
          {_("Change my password")}
        </Button>
      </form>
      <Button kind="quiet" wide onPress={() => setStep("ask")}>
        {_("Send another code")}
      </Button>
    </SessionPage>
  );
}

/** What is said once it is done. */
function Changed({ signIn }: { signIn: string }) {
  const { _ } = useLingui();
  return (
    <SessionPage title={_("Your password is changed")}>
      <p className={styles.words}>{_("You are signed out everywhere. Sign in with the new password.")}</p>
      <Link kind="primary" href={signIn} wide>
        {_("Sign in")}
      </Link>
    </SessionPage>
  );
}
