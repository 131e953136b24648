// Some changes need a proof of the last ten minutes. Without one the user is asked, and then the change continues.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { FactorType, type Factor } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { GivenUp, useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { createContext, use, useMemo, useState, type FormEvent, type ReactNode } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { CodeField, proofOf, sendsCodes } from "./CodeField.tsx";
import { isActive, useFactors } from "./factors.ts";
import page from "@pavise/ui/Part.module.css";

type Asked = { resolve: () => void; reject: (error: Error) => void };
type Proof = { proven: <T>(run: () => Promise<T>) => Promise<T> };
const ProofContext = createContext<Proof | null>(null);

/** Provides the proof to the changes below. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const proof = useMemo<Proof>(
    () => ({
      async proven(run) {
        try {
          return await run();
        } catch (error) {
          if (problemOf(error).reason !== "PROOF_NEEDED") throw error;
        }
        await new Promise<void>((resolve, reject) => setAsked({ resolve, reject }));
        return run();
      },
    }),
    [],
  );
  return (
    <ProofContext value={proof}>
      {children}
      {asked === undefined ? null : (
        <ProofDialog
          onProven={() => {
            setAsked(undefined);
            asked.resolve();
          }}
          onClose={() => {
            setAsked(undefined);
            asked.reject(new GivenUp());
          }}
        />
      )}
    </ProofContext>
  );
}

/** Runs changes that may need a proof. */
export function useProof(): Proof {
  const proof = use(ProofContext);
  if (!proof) throw new Error("useProof outside of ProofProvider");
  return proof;
}

function ProofDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const { _ } = useLingui();
  const factors = useFactors();
  return (
    <Dialog title={_("security.proof.title")} open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Loaded query={factors} lines={2}>
        {({ factors: all }) => {
          const usable = all.filter((factor) => isActive(factor) && factor.type !== FactorType.ACCOUNT);
          // A user with only passkeys proves who they are by signing in again.
          if (usable.length === 0)
            return <Note title={_("security.proof.passkey.title")}>{_("security.proof.passkey.detail")}</Note>;
          return (
            <ProofForm
              factors={usable.toSorted((one, other) => Number(other.primary) - Number(one.primary))}
              onProven={onProven}
            />
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function ProofForm({ factors, onProven }: { factors: readonly Factor[]; onProven: () => void }) {
  const { _ } = useLingui();
  const { transport } = useKeeper();
  const [chosen, setChosen] = useState(factors[0]?.id ?? "");
  const [typed, setTyped] = useState("");
  const [sent, setSent] = useState(false);
  const { pending, error, run } = useAttempt();
  const factor = factors.find(({ id }) => id === chosen);
  if (!factor) return null;
  const ids = { identityId: factor.ownerId, factorId: factor.id };
  function submit(event: FormEvent) {
    event.preventDefault();
    if (factor) {
      void run(
        () =>
          callUnaryMethod(transport, FactorService.method.validateFactor, { ...ids, ...proofOf(factor.type, typed) }),
        onProven,
      );
    }
  }
  return (
    <form className={page.form} onSubmit={submit} noValidate>
      <p className={page.soft}>{_("security.proof.lead")}</p>
      {factors.length > 1 ? (
        <NativeSelect
          label={_("security.proof.with")}
          choices={factors.map(({ id, name }) => ({ id, label: name }))}
          value={chosen}
          onChange={(id) => {
            setChosen(id);
            setTyped("");
            setSent(false);
          }}
        />
      ) : null}
      {sendsCodes(factor.type) ? (
        <Button
          onPress={() =>
            void run(
              () => callUnaryMethod(transport, FactorService.method.sendFactorCode, ids),
              () => setSent(true),
            )
          }
          isDisabled={pending}
        >
          {_(sent ? "security.code.again" : "security.code.send")}
        </Button>
      ) : null}
      <FieldErrors error={error}>
        <CodeField factor={factor} value={typed} onChange={setTyped} />
      </FieldErrors>
      {error === undefined ? null : <Refused error={error} />}
      <div className={page.actions}>
        <Button kind="primary" type="submit" isPending={pending} isDisabled={typed.trim() === ""}>
          {_("security.proof.go")}
        </Button>
      </div>
    </form>
  );
}
