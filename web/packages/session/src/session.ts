// Who is signed in. The tokens are cookies that no script can read: what is known here came as an answer.
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { AccessToken } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import type { CurrentSession } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { transport } from "@pavise/rpc/transport.ts";
import type { SessionCalls } from "./calls.ts";

export type { CurrentSession } from "@pavise/schema/pavise/identity/v1/session_service_pb";

/** What is known of the session. */
export type SessionState =
  | { readonly status: "unknown" }
  /** `left` after a sign-out in this page; a session that ran out is not left. */
  | { readonly status: "signedOut"; readonly left: boolean }
  | { readonly status: "signedIn"; readonly session: CurrentSession };

/** What somebody signs in with. */
export interface Credentials {
  /** An e-mail address or a user name. */
  readonly name: string;
  readonly password: string;
}

/** Keeps the session of a page. */
export interface SessionKeeper {
  /** For every call of the app: renews the session when it has run out. */
  readonly transport: Transport;
  state(): SessionState;
  /** The identity whose pages this tab may still show, also after its session ran out; undefined for nobody. */
  shown(): string | undefined;
  subscribe(listener: () => void): () => void;
  /** Whether somebody was signed in when this browser was last here: who never was is not asked for. */
  wasSignedIn(): boolean;
  /** Asks the server who is signed in. */
  refresh(): Promise<SessionState>;
  /** The answer says whether a further proof is asked for. */
  signIn(credentials: Credentials): Promise<AccessToken>;
  /** Signs in with a passkey, without a name and a password. */
  signInWithPasskey(): Promise<void>;
  /** Completes a sign-in for which a further proof was asked. */
  answerChallenge(answer: ChallengeAnswer): Promise<void>;
  /** Completes it with a passkey. */
  answerWithPasskey(challengeId: string): Promise<void>;
  /** Sends a code to a factor of the challenge. */
  sendChallengeCode(challengeId: string, factorId: string): Promise<void>;
  /** Makes a member's account and signs in with it; the answer is that of the sign-in. */
  signUp(account: { readonly email: string; readonly password: string }): Promise<AccessToken>;
  /** Sends a code to the address, if somebody has it. */
  askReset(email: string): Promise<void>;
  /** Chooses a new password with the code. */
  reset(chosen: { readonly email: string; readonly code: string; readonly password: string }): Promise<void>;
  signOut(): Promise<void>;
}

/** What proves somebody besides the password. */
export interface ChallengeAnswer {
  readonly challengeId: string;
  readonly factorId: string;
  readonly code: string;
  readonly answer: string;
  readonly recoveryCode: string;
}

/** Says that somebody was signed in here; who it was is not kept. */
const SIGNED_IN = "pavise.session";

const load = () => import("./calls.ts");

/** The session of this page, on the page's own origin. */
export function createSessionKeeper(options: { baseUrl?: string; fetch?: typeof globalThis.fetch } = {}): SessionKeeper {
  const bare = transport(options);
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "unknown" };
  let shown: string | undefined;
  let renewing: Promise<boolean> | undefined;
  let asking: Promise<SessionState> | undefined;

  const calls = async () => (await load()).sessionCalls(bare);

  const put = (next: SessionState) => {
    state = next;
    if (next.status === "signedIn") shown = next.session.identityId;
    else if (next.status === "signedOut" && next.left) shown = undefined;
    if (next.status === "signedIn") localStorage.setItem(SIGNED_IN, "open");
    else localStorage.removeItem(SIGNED_IN);
    for (const listener of listeners) listener();
    return next;
  };

  // All calls that are refused at once wait for one exchange.
  const renew = () => {
    renewing ??= calls()
      .then(exchange)
      .finally(() => (renewing = undefined));
    return renewing.then((renewed) => {
      if (!renewed && state.status === "signedIn") put({ status: "signedOut", left: false });
      return renewed;
    });
  };

  const currentOrRenewed = async () => {
    const { sessions } = await calls();
    try {
      return await sessions.getCurrentSession({});
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated || !(await renew())) throw error;
      return sessions.getCurrentSession({});
    }
  };

  const ask = async () => {
    try {
      return put({ status: "signedIn", session: await currentOrRenewed() });
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated) throw error;
      return put({ status: "signedOut", left: false });
    }
  };

  return {
    transport: transport({ ...options, renew }),
    state: () => state,
    shown: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wasSignedIn: () => localStorage.getItem(SIGNED_IN) !== null,
    refresh() {
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
    signIn: async (credentials) => (await load()).signIn(await calls(), credentials),
    signInWithPasskey: async () => (await load()).signInWithPasskey(await calls()),
    answerChallenge: async (answer) => (await load()).answerChallenge(await calls(), answer),
    answerWithPasskey: async (challengeId) => (await load()).answerWithPasskey(await calls(), challengeId),
    async sendChallengeCode(challengeId, factorId) {
      await (await calls()).identities.sendChallengeCode({ challengeId, factorId });
    },
    signUp: async (account) => (await load()).signUp(await calls(), account),
    async askReset(email) {
      await (await calls()).identities.sendPasswordResetEmail({ email });
    },
    async reset({ email, code, password }) {
      await (await calls()).identities.resetPassword({ userId: "-", email, code, password });
    },
    async signOut() {
      await (await calls()).sessions.signOut({});
      put({ status: "signedOut", left: true });
    },
  };
}

/** Exchanges the refresh cookie. Whoever comes second of two pages uses what the first got. */
async function exchange({ sessions }: SessionCalls): Promise<boolean> {
  try {
    await sessions.refreshToken({ cookie: true });
    return true;
  } catch (error) {
    const { code } = ConnectError.from(error);
    return code === Code.Aborted || code === Code.AlreadyExists;
  }
}
