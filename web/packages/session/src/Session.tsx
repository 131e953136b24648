/** The session for components: the signed-in identity, and content that depends on it. */
import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from "react";
import type { CurrentSession, SessionKeeper, SessionState } from "./session.ts";

const SessionContext = createContext<SessionKeeper | undefined>(undefined);

export type SessionProviderProps = {
  keeper: SessionKeeper;
  /** Public pages ask the server only if this browser had a session before. */
  ask?: "always" | "whenKnown";
  children: ReactNode;
};

/** Provides the session to the components below. */
export function SessionProvider({ keeper, ask = "always", children }: SessionProviderProps) {
  useEffect(() => {
    // A failure is ignored: the next call tells whether the server can be reached.
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

/** The current state of the session. */
export function useSessionState(): SessionState {
  const keeper = useKeeper();
  return useSyncExternalStore(keeper.subscribe, keeper.state, keeper.state);
}

/** The session of the signed-in identity; undefined for a visitor. */
export function useSession(): CurrentSession | undefined {
  const state = useSessionState();
  return state.status === "signedIn" ? state.session : undefined;
}
