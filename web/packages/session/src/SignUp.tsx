/** Makes an account for a member, and signs in with it. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useState, type FormEvent, type ReactNode } from "react";
import { problemText } from "./problems.ts";
import { useKeeper } from "./Session.tsx";
import { SessionPage } from "./SignIn.tsx";
import styles from "./session.module.css";

export type SignUpProps = { title: string; onSignedIn: () => void; children?: ReactNode };

/** The sign-up form. */
export function SignUp({ title, onSignedIn, children }: SignUpProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [faults, setFaults] = useState<{ email?: string; password?: string }>({});
  const [problem, setProblem] = useState<{ title: string; detail: string }>();
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isEmail(email.trim())) {
      setFaults({ email: _("This is not an e-mail address.") });
      return;
    }
    setFaults({});
    setProblem(undefined);
    setPending(true);
    try {
      await keeper.signUp({ email: email.trim(), password });
      setPassword("");
      await keeper.refresh();
      onSignedIn();
    } catch (error) {
      const refused = problemOf(error);
      const of = (name: string) => refused.fields.find(({ path }) => path.startsWith(name))?.description;
      const [wrongEmail, wrongPassword] = [of("emails"), of("password")];
      setFaults({ ...(wrongEmail === undefined ? {} : { email: wrongEmail }), ...(wrongPassword === undefined ? {} : { password: wrongPassword }) });
      if (wrongEmail === undefined && wrongPassword === undefined) setProblem(problemText(refused, _));
    } finally {
      setPending(false);
    }
  }

  return (
    <SessionPage title={title}>
      {problem === undefined ? null : (
        <Note tone="danger" title={problem.title} spoken>
          {problem.detail}
        </Note>
      )}
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField label={_("E-mail address")} type="email" name="email" value={email} onChange={setEmail} autoComplete="email" isRequired error={faults.email} />
        <TextField
          label={_("Password")}
          type="password"
          name="password"
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          isRequired
          help={_("A sentence of a few words is easy to remember and hard to guess.")}
          error={faults.password}
        />
        <Button kind="primary" type="submit" wide isPending={pending}>
          {_("Make an account")}
        </Button>
      </form>
      {children}
    </SessionPage>
  );
}
