// The dialog for a fresh proof: a factor, a passkey, or the password of an account without a second factor.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import type { Factor, FactorType } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { knowsPasskeys } from "@pavise/session/passkey.ts";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import page from "@pavise/ui/Part.module.css";
import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { CodeField, proofOf, sendsCodes } from "./CodeField.tsx";
import { isActive, KINDS, useOwnId } from "./factors.ts";

/** The choices besides the factors. */
const PASSWORD = "password";
const PASSKEY = "passkey";

/** Asks for one proof. Escape and the close button give up. */
export function ProofDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const { _ } = useLingui();
  const ways = useWays();
  return (
    <Dialog title={_("security.proof.title")} open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Loaded query={ways} lines={2}>
        {(known) => <ProofForm {...known} onProven={onProven} />}
      </Loaded>
    </Dialog>
  );
}

type Ways = { factors: readonly Factor[]; passkeys: boolean };

/** The user's factors that complete a sign-in, and whether there is a passkey. */
function useWays() {
  const { transport } = useKeeper();
  const identityId = useOwnId();
  return useQuery({
    queryKey: ["proof", identityId],
    gcTime: 0,
    queryFn: async (): Promise<Ways> => {
      const asked = { identityId, pageSize: 50 };
      const [{ factors }, { passkeys }] = await Promise.all([
        callUnaryMethod(transport, FactorService.method.listFactors, asked),
        callUnaryMethod(transport, FactorService.method.listPasskeys, asked),
      ]);
      const completing: readonly FactorType[] = KINDS;
      const usable = factors.filter((factor) => isActive(factor) && completing.includes(factor.type));
      return {
        factors: usable.toSorted((one, other) => Number(other.primary) - Number(one.primary)),
        passkeys: passkeys.length > 0 && knowsPasskeys(),
      };
    },
  });
}

function ProofForm({ factors, passkeys, onProven }: Ways & { onProven: () => void }) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const choices = [
    ...factors.map(({ id, name }) => ({ id, label: name })),
    ...(factors.length === 0 ? [{ id: PASSWORD, label: _("security.proof.password") }] : []),
    ...(passkeys ? [{ id: PASSKEY, label: _("security.proof.passkey") }] : []),
  ];
  const [chosen, setChosen] = useState(choices[0]?.id ?? PASSWORD);
  const [typed, setTyped] = useState("");
  const [sent, setSent] = useState(false);
  const { pending, error, run, forget } = useAttempt();
  const factor = factors.find(({ id }) => id === chosen);

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(() => {
      if (chosen === PASSKEY) return keeper.proveWithPasskey();
      if (factor === undefined) return keeper.prove({ password: typed });
      return keeper.prove({ factorId: factor.id, ...proofOf(factor.type, typed) });
    }, onProven);
  }

  return (
    <form className={page.form} onSubmit={submit} noValidate>
      <p className={page.soft}>{_("security.proof.lead")}</p>
      {choices.length > 1 ? (
        <NativeSelect
          label={_("security.proof.with")}
          choices={choices}
          value={chosen}
          onChange={(id) => {
            setChosen(id);
            setTyped("");
            setSent(false);
            forget();
          }}
        />
      ) : null}
      {factor !== undefined && sendsCodes(factor.type) ? (
        <Button
          onPress={() =>
            void run(
              () => sendCode(keeper, factor),
              () => setSent(true),
            )
          }
          isDisabled={pending}
        >
          {_(sent ? "security.code.again" : "security.code.send")}
        </Button>
      ) : null}
      {chosen === PASSKEY ? null : (
        <FieldErrors error={error}>
          {factor === undefined ? (
            <TextField
              label={_("security.proof.password")}
              type="password"
              name="password"
              autoComplete="current-password"
              value={typed}
              onChange={setTyped}
            />
          ) : (
            <CodeField factor={factor} value={typed} onChange={setTyped} />
          )}
        </FieldErrors>
      )}
      {error === undefined ? null : <Refused error={error} />}
      <div className={page.actions}>
        <Button kind="primary" type="submit" isPending={pending} isDisabled={chosen !== PASSKEY && typed.trim() === ""}>
          {_("security.proof.go")}
        </Button>
      </div>
    </form>
  );
}

function sendCode({ transport }: ReturnType<typeof useKeeper>, { ownerId, id }: Factor) {
  return callUnaryMethod(transport, FactorService.method.sendFactorCode, { identityId: ownerId, factorId: id });
}
