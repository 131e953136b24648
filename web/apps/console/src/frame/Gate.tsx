/** Lets in signed-in callers, with the contract loaded. It keeps the page when the session ends meanwhile. */
import { useLingui } from "@lingui/react";
import { inLanguage } from "@pavise/i18n/words.ts";
import { reloadPage } from "@pavise/rpc/reload.ts";
import { returnPath } from "@pavise/rules/redirect.ts";
import { CrossRealm, realmNamed } from "@pavise/session/CrossRealm.tsx";
import { useKeeper, useSessionState } from "@pavise/session/Session.tsx";
import { SignIn } from "@pavise/session/SignIn.tsx";
import { signInPath } from "@pavise/session/sign-in-address.ts";
import type { CurrentSession } from "@pavise/session/session.ts";
import { Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { ConsoleContext, consoleOf } from "../console/console.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import { Waiting } from "../console/Waiting.tsx";
import type { Caller } from "../contract/caller.ts";
import { loadContract } from "../contract/load.ts";
import type { Contract } from "../contract/operation.ts";
import { searchText, useAddress } from "./address.ts";
import styles from "../console/console.module.css";
import gate from "./gate.module.css";

const SIGN_IN = "/sign-in";

/** Everything behind the sign-in. */
export function Gate({ children }: { children: ReactNode }) {
  const state = useSessionState();
  const keeper = useKeeper();
  const { pathname, search, replace } = useAddress();
  // The session that the page was made for is kept, so that the page survives the end of the session.
  const [session, setSession] = useState<CurrentSession>();
  if (state.status === "signedIn" && state.session !== session) setSession(state.session);
  const unreachable = useQuery({
    queryKey: ["session"],
    queryFn: () => keeper.refresh().then(({ status }) => status),
    enabled: state.status === "unknown",
    retry: 2,
  });
  const stranger = state.status === "signedOut" && session === undefined;
  const misplaced = session !== undefined && session.realm === (Realm.USER as number) && session.actorId === "";
  const here = `/console${pathname}${searchText(search)}`;
  useEffect(() => {
    // While this page is being left, the address is already that of the sign-in page.
    if ((!stranger || pathname === SIGN_IN) && !misplaced) return undefined;
    let left = false;
    void signInPath(keeper.transport, "console", here, misplaced ? "user" : "").then((path) => {
      if (!left) replace(path.replace(/^\/console/, ""));
    });
    return () => {
      left = true;
    };
  }, [stranger, misplaced, replace, pathname, here, keeper]);
  if (session === undefined) {
    if (unreachable.error === null) return <Waiting alone onRetry={() => void reloadPage()} />;
    return (
      <main className={styles.page}>
        <ProblemPanel error={unreachable.error} onRetry={() => void unreachable.refetch()} />
      </main>
    );
  }
  if (misplaced) return <CrossRealm realm="user" signOut="/sign-out" />;
  return (
    <>
      <WithContract session={session}>{children}</WithContract>
      {state.status === "signedOut" ? <Again session={session} /> : null}
    </>
  );
}

/** Signing in again over the page keeps everything that was typed. */
function Again({ session }: { session: CurrentSession }) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  return (
    <div className={gate.over} role="dialog" aria-modal="true" aria-label={_("Sign in")}>
      <SignIn
        title={_("Sign in again")}
        notice={_("Your session ended. Your work is still here.")}
        onSignedIn={() => {
          const now = keeper.state();
          // Another identity signed in: the page's data is not theirs.
          if (now.status === "signedIn" && now.session.identityId !== session.identityId)
            window.location.assign("/console/");
        }}
      />
    </div>
  );
}

function WithContract({ session, children }: { session: CurrentSession; children: ReactNode }) {
  const contract = useQuery({
    queryKey: ["contract"],
    queryFn: ({ signal }) => loadContract(signal),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  if (contract.data === undefined) {
    if (contract.error === null) return <Waiting alone />;
    return (
      <main className={styles.page}>
        <ProblemPanel error={contract.error} onRetry={() => void contract.refetch()} retrying={contract.isFetching} />
      </main>
    );
  }
  return (
    <Provided contract={contract.data} session={session}>
      {children}
    </Provided>
  );
}

function Provided({
  contract,
  session,
  children,
}: {
  contract: Contract;
  session: CurrentSession;
  children: ReactNode;
}) {
  const { i18n } = useLingui();
  const { locale } = i18n;
  const keeper = useKeeper();
  const console = useMemo(() => {
    const saying = { locale, registry: contract.registry, translate: (words: string) => inLanguage(i18n, words) };
    return consoleOf(contract, callerOf(session), saying, keeper.transport);
  }, [contract, session, i18n, locale, keeper]);
  return <ConsoleContext value={console}>{children}</ConsoleContext>;
}

/** The caller of a session. */
export function callerOf(session: CurrentSession): Caller {
  return {
    identityId: session.identityId,
    // The two enumerations have the same numbers.
    realm: session.realm as number as Realm,
    permissions: session.permissions.find(({ application }) => application === "pavise")?.permissions ?? [],
    scopes: session.scopes,
    actor: session.actorId === "" ? undefined : { id: session.actorId, mayWrite: session.actorMayWrite },
  };
}

/** The sign-in page; afterwards it returns to the page that was asked for. */
export function SignInPage() {
  const { _ } = useLingui();
  const { search, replace } = useAddress();
  const state = useSessionState();
  const back = returnPath(search["return"], "/console/").replace(/^\/console/, "") || "/";
  const signedIn = state.status === "signedIn";
  useEffect(() => {
    if (signedIn) replace(back);
  }, [signedIn, replace, back]);
  return (
    <SignIn
      title={_("Pavise Console")}
      notice={search["return"] === undefined || back === "/" ? undefined : _("Sign in to see this page.")}
      onSignedIn={() => replace(back)}
    >
      <Link href="/reset">{_("I forgot my password")}</Link>
    </SignIn>
  );
}

/** The page for a signed-in identity of another realm, as the address names it. */
export function CrossRealmPage() {
  const { search } = useAddress();
  return <CrossRealm realm={realmNamed(search["realm"])} signOut="/sign-out" />;
}
