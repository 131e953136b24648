/** Chooses a new password: asks for a code by mail, then takes the code and the password. */
import { useLingui } from "@lingui/react";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { useState, type FormEvent } from "react";
import { Refusal } from "./Refusal.tsx";
import { useKeeper } from "./Session.tsx";
import { SessionPage } from "./SignIn.tsx";
import styles from "./session.module.css";

/** A link to the page that resets a password. */
export function ForgottenPassword({ href }: { href: string }) {
  const { _ } = useLingui();
  return <Link href={href}>{_("Choose a new password")}</Link>;
}

/** The page that resets a password. `signIn` is the sign-in page; `choose` starts at the step that takes a code. */
export function Reset({ signIn, begin = "ask" }: { signIn: string; begin?: "ask" | "choose" }) {
  const [step, setStep] = useState<"ask" | "choose" | "done">(begin);
  const [email, setEmail] = useState("");
  if (step === "done") return <Changed signIn={signIn} />;
  if (step === "ask") return <Ask email={email} onEmail={setEmail} onSent={() => setStep("choose")} signIn={signIn} />;
  return (
    <Choose
      email={email}
      {...(begin === "choose" ? { onEmail: setEmail } : {})}
      onChosen={() => setStep("done")}
      onAgain={() => setStep("ask")}
    />
  );
}

type AskProps = { email: string; onEmail: (email: string) => void; onSent: () => void; signIn: string };

/** Asks for the address that gets the code. */
function Ask({ email, onEmail, onSent, signIn }: AskProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const { pending, error, run } = useAttempt();
  const typed = useTyped();
  function submit(event: FormEvent) {
    event.preventDefault();
    void run(() => keeper.askReset(email.trim()), onSent);
  }
  return (
    <SessionPage title={_("Choose a new password")}>
      <Refusal error={error} />
      <form className={styles.form} onSubmit={submit} {...typed.on}>
        <FieldErrors error={error}>
          <Address email={email} onEmail={onEmail} />
        </FieldErrors>
        <Button kind="primary" type="submit" wide isPending={pending}>
          {_("Send me a code")}
        </Button>
      </form>
      <Link href={signIn}>{_("Back to the sign-in")}</Link>
    </SessionPage>
  );
}

type ChooseProps = {
  email: string;
  /** Set while the address is not known. */
  onEmail?: (email: string) => void;
  onChosen: () => void;
  onAgain: () => void;
};

/** Takes the code and the new password. */
function Choose({ email, onEmail, onChosen, onAgain }: ChooseProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const { pending, error, run } = useAttempt();
  const typed = useTyped();
  function submit(event: FormEvent) {
    event.preventDefault();
    void run(() => keeper.reset({ email: email.trim(), code: code.trim(), password }), onChosen);
  }
  return (
    <SessionPage title={_("Choose a new password")}>
      <Refusal error={error} />
      {onEmail ? null : (
        <p className={styles.words}>
          {_("If we know the address, a code is on its way to it. It is good for half an hour.")}
        </p>
      )}
      <form className={styles.form} onSubmit={submit} {...typed.on}>
        <FieldErrors error={error}>
          {onEmail ? <Address email={email} onEmail={onEmail} /> : null}
          <TextField
            label={_("The code from the message")}
            name="code"
            maxLength={LENGTHS["identity.v1.ResetPasswordRequest.code"]}
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            isRequired
            mono
          />
          <TextField
            label={_("New password")}
            type="password"
            name="password"
            maxLength={LENGTHS["identity.v1.ResetPasswordRequest.password"]}
            value={password}
            onChange={setPassword}
            autoComplete="new-password"
            isRequired
            help={_("A sentence of a few words is easy to remember and hard to guess.")}
          />
        </FieldErrors>
        <Button kind="primary" type="submit" wide isPending={pending}>
          {_("Change my password")}
        </Button>
      </form>
      <Button kind="quiet" wide onPress={onAgain}>
        {_("Send another code")}
      </Button>
    </SessionPage>
  );
}

function Address({ email, onEmail }: Pick<AskProps, "email" | "onEmail">) {
  const { _ } = useLingui();
  return (
    <TextField
      label={_("E-mail address")}
      type="email"
      name="email"
      maxLength={LENGTHS["identity.v1.CreateTokenRequest.email"]}
      value={email}
      onChange={onEmail}
      autoComplete="email"
      isRequired
    />
  );
}

/** The confirmation of the new password. */
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
