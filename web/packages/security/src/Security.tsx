// Security: what somebody signs in with, and where he is signed in.
import type { DescMethod } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { Note } from "@pavise/ui/Notice.tsx";
import { Factors } from "./Factors.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { Password } from "./Password.tsx";
import { ProofProvider } from "./Proof.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { Sessions } from "./Sessions.tsx";
import page from "./page.module.css";

const { createFactor, createRecoveryCodes, listFactors, listPasskeys } = FactorService.method;

/** The parts of the page, and the calls without which each is of no use. */
const PARTS = [
  { Part: Factors, needs: [listFactors, createFactor] },
  { Part: Passkeys, needs: [listPasskeys, createFactor] },
  { Part: RecoveryCodes, needs: [listFactors, createRecoveryCodes] },
  { Part: Password, needs: [IdentityService.method.updatePassword] },
  { Part: Sessions, needs: [SessionService.method.listSessions] },
] as const;

/** The page, inside of whatever sets its parts one below the other. `may` says which calls whoever is signed in may make: all, where it is not given. */
export function Security({ may }: { may?: (method: DescMethod) => boolean }) {
  const { _ } = useLingui();
  const open = PARTS.filter(({ needs }) => may === undefined || needs.every((method) => may(method)));
  return (
    <ProofProvider>
      <div className={page.intro}>
        <h1>{_("security.title")}</h1>
        <p className={page.soft}>{_("security.lead")}</p>
      </div>
      {open.map(({ Part }) => (
        <Part key={Part.name} />
      ))}
      {open.length < PARTS.length ? <Note title={_("security.closed.title")}>{_("security.closed.detail")}</Note> : null}
    </ProofProvider>
  );
}
