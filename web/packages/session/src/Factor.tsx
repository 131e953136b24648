/** The second half of a sign-in: a code, an answer, a passkey or a recovery code. */
import { useLingui } from "@lingui/react";
import type { ChallengeFactor, SignInChallenge } from "@pavise/schema/pavise/identity/v1/challenge_pb";
import { FactorType } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { useState, type FormEvent } from "react";
import { knowsPasskeys } from "./passkey.ts";
import { Refusal } from "./Refusal.tsx";
import { useKeeper } from "./Session.tsx";
import styles from "./session.module.css";

/** Choices besides the factors: a passkey, and a recovery code for users without any of them at hand. */
const PASSKEY = "passkey";
const RECOVERY = "recovery";

export type FactorProps = { challenge: SignInChallenge; onSignedIn: () => Promise<void>; onBack: () => void };

/** Asks for a factor of the challenge. */
export function Factor({ challenge, onSignedIn, onBack }: FactorProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const first = challenge.factors.find(({ primary }) => primary) ?? challenge.factors[0];
  const passkeys = challenge.passkeys && knowsPasskeys();
  const [chosen, setChosen] = useState(first?.factorId ?? (passkeys ? PASSKEY : RECOVERY));
  const [typed, setTyped] = useState("");
  const [sent, setSent] = useState(false);
  const { pending, error, run, forget } = useAttempt();
  const fields = useTyped();
  const factor = challenge.factors.find(({ factorId }) => factorId === chosen);
  const choices = [
    ...challenge.factors.map((one) => ({ id: one.factorId, label: nameOf(one, _) })),
    ...(passkeys ? [{ id: PASSKEY, label: _("A passkey") }] : []),
    ...(challenge.recoveryCodes ? [{ id: RECOVERY, label: _("A recovery code") }] : []),
  ];

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      if (chosen === PASSKEY) await keeper.answerWithPasskey(challenge.id);
      else await keeper.answerChallenge({ challengeId: challenge.id, ...proofOf(factor, typed.trim()) });
      await onSignedIn();
    });
  }

  return (
    <form className={styles.form} onSubmit={submit} {...fields.on}>
      <Refusal error={error} />
      {choices.length < 2 ? null : (
        <Select
          label={_("Prove it is you with")}
          choices={choices}
          value={chosen}
          onChange={(id) => {
            setChosen(id);
            setTyped("");
            setSent(false);
            forget();
          }}
        />
      )}
      {factor !== undefined && sendsCodes(factor) ? (
        <Button
          wide
          isDisabled={pending}
          onPress={() =>
            void run(
              () => keeper.sendChallengeCode(challenge.id, factor.factorId),
              () => setSent(true),
            )
          }
        >
          {sent ? _("Send another code") : _("Send a code to {where}", { where: factor.sentTo })}
        </Button>
      ) : null}
      {chosen === PASSKEY ? null : <ProofField key={chosen} factor={factor} value={typed} onChange={setTyped} />}
      <Button kind="primary" type="submit" wide isPending={pending}>
        {chosen === PASSKEY ? _("Use the passkey") : _("Go on")}
      </Button>
      <Button kind="quiet" wide onPress={onBack}>
        {_("Start again")}
      </Button>
    </form>
  );
}

/** The field for the proof of a factor; without a factor, for a recovery code. */
function ProofField({
  factor,
  value,
  onChange,
}: {
  factor: ChallengeFactor | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const { _ } = useLingui();
  const inWords = factor === undefined || factor.type === FactorType.QUESTION;
  return (
    <TextField
      label={labelOf(factor, _)}
      value={value}
      onChange={onChange}
      isRequired
      name="code"
      autoComplete={inWords ? "off" : "one-time-code"}
      inputMode={inWords ? "text" : "numeric"}
      mono={factor === undefined}
    />
  );
}

function sendsCodes({ type }: ChallengeFactor): boolean {
  return type === FactorType.SMS || type === FactorType.EMAIL;
}

/** The typed proof as the call takes it. */
function proofOf(factor: ChallengeFactor | undefined, text: string) {
  const byCode = factor !== undefined && [FactorType.GOOGLE, FactorType.SMS, FactorType.EMAIL].includes(factor.type);
  return {
    factorId: factor?.factorId ?? "",
    code: byCode ? text : "",
    answer: factor !== undefined && !byCode ? text : "",
    recoveryCode: factor === undefined ? text : "",
  };
}

function nameOf(factor: ChallengeFactor, _: (id: string) => string): string {
  if (factor.name !== "") return factor.name;
  switch (factor.type) {
    case FactorType.GOOGLE:
      return _("An authenticator app");
    case FactorType.SMS:
      return _("A text message");
    case FactorType.EMAIL:
      return _("An e-mail");
    case FactorType.QUESTION:
      return _("A security question");
    default:
      return _("An account number");
  }
}

function labelOf(factor: ChallengeFactor | undefined, _: (id: string) => string): string {
  if (factor === undefined) return _("Recovery code");
  if (factor.type === FactorType.QUESTION) return factor.question;
  return factor.type === FactorType.ACCOUNT ? _("Account number") : _("Code of six digits");
}
