// Verifies a new factor.
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { FactorType, type Factor } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { FactorService, type SendFactorCodeResponse } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { useEffect, useState, type FormEvent } from "react";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { CodeField, proofOf, sendsCodes } from "./CodeField.tsx";
import page from "@pavise/ui/Part.module.css";

type VerifyProps = { factor: Factor; sent?: SendFactorCodeResponse; onVerified: () => void };

/** Takes the code or the answer. */
export function Verify({ factor, sent: first, onVerified }: VerifyProps) {
  const { _ } = useLingui();
  const { transport } = useKeeper();
  const [typed, setTyped] = useState("");
  const [sent, setSent] = useState(first);
  const { pending, error, run } = useAttempt();
  const fields = useTyped();
  const wait = useSecondsUntil(sent?.nextAt ? timestampMs(sent.nextAt) : 0);
  const ids = { identityId: factor.ownerId, factorId: factor.id };
  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = { ...ids, ...proofOf(factor.type, typed) };
    void run(() => callUnaryMethod(transport, FactorService.method.verifyFactor, wanted), onVerified);
  }
  return (
    <form className={page.form} onSubmit={submit} noValidate {...fields.on}>
      {sent ? <p>{_("security.code.sent", { where: sent.sentTo })}</p> : null}
      {factor.type === FactorType.QUESTION ? <p>{_("security.answer.again")}</p> : null}
      <FieldErrors error={error}>
        <CodeField factor={factor} value={typed} onChange={setTyped} />
      </FieldErrors>
      {error === undefined ? null : <Refused error={error} />}
      <div className={page.actions}>
        <Button kind="primary" type="submit" isPending={pending} isDisabled={typed.trim() === ""}>
          {_("security.verify")}
        </Button>
        {sendsCodes(factor.type) ? (
          <Button
            kind="quiet"
            isDisabled={pending || wait > 0}
            onPress={() =>
              void run(() => callUnaryMethod(transport, FactorService.method.sendFactorCode, ids), setSent)
            }
          >
            {wait > 0 ? _("security.code.wait", { seconds: wait }) : _("security.code.again")}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Counts down to a moment. */
function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((moment - now) / 1000));
  const waiting = left > 0;
  useEffect(() => {
    if (!waiting) return;
    const ticking = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, [waiting]);
  return left;
}
