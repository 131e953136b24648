// Security: a user's sign-in methods and sessions.
import type { DescMethod } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { Facts } from "@pavise/ui/Value.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import type { ReactNode } from "react";
import { Factors } from "./Factors.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { Password } from "./Password.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { Sessions } from "./Sessions.tsx";
import page from "@pavise/ui/Part.module.css";

const { createFactor, createRecoveryCodes, listFactors, listPasskeys } = FactorService.method;

type PagePart = { readonly Part: () => ReactNode; readonly name: string; readonly needs: readonly DescMethod[] };

/** The parts of the page, their titles, and the calls that each part needs. */
const PARTS: readonly PagePart[] = [
  { Part: Factors, name: "security.factors", needs: [listFactors, createFactor] },
  { Part: Passkeys, name: "security.passkeys", needs: [listPasskeys, createFactor] },
  { Part: RecoveryCodes, name: "security.recovery", needs: [listFactors, createRecoveryCodes] },
  { Part: Password, name: "security.password", needs: [IdentityService.method.updatePassword] },
  { Part: Sessions, name: "security.sessions", needs: [SessionService.method.listSessions] },
];

/** The permissions of the signed-in user, where they may not do everything. */
export type Permitted = {
  /** The permission that the user lacks for a call; undefined when they may make it. */
  readonly lacks: (method: DescMethod) => string | undefined;
  /** The page that resets a password with a code by e-mail: it needs no permission. */
  readonly reset: string;
};

/** The page's parts; the caller stacks them. Members may do everything. */
export function Security({ permitted }: { permitted?: Permitted }) {
  const { _ } = useLingui();
  const parts = PARTS.map(({ Part, name, needs }) => ({
    Part,
    name,
    lacking: [...new Set(needs.flatMap((method) => permitted?.lacks(method) ?? []))],
  }));
  const closed = parts.filter(({ lacking }) => lacking.length > 0);
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("security.title")}</PageTitle>
        <p className={page.soft}>{_("security.lead")}</p>
      </div>
      {parts.map(({ Part, name, lacking }) => (lacking.length > 0 ? null : <Part key={name} />))}
      {permitted === undefined || closed.length === 0 ? null : <Closed parts={closed} reset={permitted.reset} />}
    </>
  );
}

/** The parts that the user may not change, with the missing permissions, and the remaining way. */
function Closed({
  parts,
  reset,
}: {
  parts: readonly { name: string; Part: unknown; lacking: readonly string[] }[];
  reset: string;
}) {
  const { _ } = useLingui();
  return (
    <>
      {parts.some(({ Part }) => Part === Password) ? (
        <Note
          title={_("security.closed.password.title")}
          actions={<Link href={reset}>{_("security.closed.reset")}</Link>}
        >
          {_("security.closed.password")}
        </Note>
      ) : null}
      <Note title={_("security.closed.title")}>
        <p>{_("security.closed.detail")}</p>
        <Facts
          facts={parts.map(({ name, lacking }) => ({
            name: _(name),
            value: lacking.map((permission) => (
              <div key={permission}>
                <code>{permission}</code>
              </div>
            )),
          }))}
        />
      </Note>
    </>
  );
}
