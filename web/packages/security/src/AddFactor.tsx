// Adds a second factor: its kind, its data, and the proof that it works. An unfinished factor is removed.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { FactorType, type Factor } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { FactorService, type CreateFactorResponse } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { useKeeper, useSession } from "@pavise/session/Session.tsx";
import { isGivenUp, useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { useState } from "react";
import { Authenticator } from "./Authenticator.tsx";
import { FactorForm, type Wanted } from "./FactorForm.tsx";
import { type Kind, kindName, useKinds, useOwnId, useRecoveryCodes, useRefresh } from "./factors.ts";
import { NewCodes } from "./RecoveryCodes.tsx";
import { Verify } from "./Verify.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import page from "@pavise/ui/Part.module.css";

/** The dialog. */
export function AddFactor({ onClose }: { onClose: () => void }) {
  const { _ } = useLingui();
  const identityId = useOwnId();
  const keeper = useKeeper();
  const { transport } = keeper;
  const needed = useSession()?.needsSecondFactor ?? false;
  const refresh = useRefresh();
  const codes = useRecoveryCodes();
  const [kind, setKind] = useState<Kind>();
  const [made, setMade] = useState<CreateFactorResponse>();
  const [keeping, setKeeping] = useState(false);
  const { pending, error, run } = useAttempt();
  const factor = made?.factor;

  function begin(wanted: Wanted) {
    const name = _(`security.kind.${kindName(wanted.type ?? FactorType.UNSPECIFIED)}`);
    const create = () => callUnaryMethod(transport, FactorService.method.createFactor, { identityId, name, ...wanted });
    void run(async () => {
      try {
        return await create();
      } catch (refused) {
        // Without the proof no factor is added.
        if (isGivenUp(refused)) onClose();
        throw refused;
      }
    }, setMade);
  }

  function choose(next: Kind) {
    setKind(next);
    if (next === FactorType.GOOGLE) begin({ type: next });
  }

  /** Removes an unverified factor, which could prove nothing. */
  async function takeBack(begun: Factor) {
    await callUnaryMethod(transport, FactorService.method.deleteFactor, { identityId, factorId: begun.id }).catch(
      () => undefined,
    );
    await refresh();
  }

  function close() {
    if (factor && !keeping) void takeBack(factor);
    onClose();
  }

  function verified() {
    // With its first second factor the session has all rights.
    if (needed) void keeper.renew();
    void refresh();
    toast({ title: _("security.added") });
    if (codes.data?.left === 0) setKeeping(true);
    else onClose();
  }

  if (keeping) return <NewCodes onClose={onClose} />;
  return (
    <Dialog
      title={_(kind === undefined ? "security.factors.add" : `security.kind.${kindName(kind)}`)}
      open
      onOpenChange={(open) => (open ? undefined : close())}
      stays
    >
      {kind === undefined ? <KindChoice onChoose={choose} /> : null}
      {error === undefined ? null : (
        <Refused error={error} {...(kind === FactorType.GOOGLE ? { onRetry: () => choose(kind) } : {})} />
      )}
      {kind !== undefined && kind !== FactorType.GOOGLE && !factor ? (
        <FactorForm kind={kind} onSubmit={begin} pending={pending} error={error} />
      ) : null}
      {made?.authenticator ? <Authenticator setup={made.authenticator} /> : null}
      {factor ? <Verify factor={factor} {...(made.sent ? { sent: made.sent } : {})} onVerified={verified} /> : null}
    </Dialog>
  );
}

function KindChoice({ onChoose }: { onChoose: (kind: Kind) => void }) {
  return (
    <Loaded query={useKinds()} lines={3}>
      {(kinds) => <KindForm kinds={kinds} onChoose={onChoose} />}
    </Loaded>
  );
}

function KindForm({ kinds, onChoose }: { kinds: readonly Kind[]; onChoose: (kind: Kind) => void }) {
  const { _ } = useLingui();
  const [chosen, setChosen] = useState<string>(kindName(FactorType.GOOGLE));
  return (
    <div className={page.form}>
      <RadioGroup label={_("security.kinds")} value={chosen} onChange={setChosen}>
        {kinds.map((kind) => (
          <Radio key={kind} value={kindName(kind)} detail={_(`security.kind.detail.${kindName(kind)}`)}>
            {_(`security.kind.${kindName(kind)}`)}
          </Radio>
        ))}
      </RadioGroup>
      <div className={page.actions}>
        <Button
          kind="primary"
          onPress={() => onChoose(kinds.find((kind) => kindName(kind) === chosen) ?? FactorType.GOOGLE)}
        >
          {_("security.continue")}
        </Button>
      </div>
    </div>
  );
}
