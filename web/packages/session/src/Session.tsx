/** The session for components: who is signed in, and what is shown to whom. */
import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from "react";
import type { CurrentSession, SessionKeeper, SessionState } from "./session.ts";

const SessionContext = createContext<SessionKeeper | undefined>(undefined);

export type SessionProviderProps = {
  keeper: SessionKeeper;
  /** Pages that need nobody ask only where somebody was signed in before. */
  ask?: "always" | "whenKnown";
  children: ReactNode;
};

/** Everything below knows the session. */
export function SessionProvider({ keeper, ask = "always", children }: SessionProviderProps) {
  useEffect(() => {
    // Whether the server can be reached is said by whatever is called next.
    const asks = ask === "always" || keeper.wasSignedIn();
    if (asks && keeper.state().status === "unknown") keeper.refresh().catch(() => undefined);
  }, [keeper, ask]);
  return <SessionContext value={keeper}>{children}</SessionContext>;
}

/** The keeper of the session. */
export function useKeeper(): SessionKeeper {
  const keeper = use(SessionContext);
  if (keeper === undefined) throw new Error("useKeeper outside of SessionProvider");
  return keeper;
}

/** What is known of the session, always up to date. */
export function useSessionState(): SessionState {
  const keeper = useKeeper();
  return useSyncExternalStore(keeper.subscribe, keeper.state, keeper.state);
}

/** The session of whoever is signed in; undefined for a visitor. */
export function useSession(): CurrentSession | undefined {
  const state = useSessionState();
  return state.status === "signedIn" ? state.session : undefined;
}
