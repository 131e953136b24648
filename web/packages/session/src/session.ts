// Who is signed in. The tokens are cookies that no script can read: what is known here came as an answer.
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { IdentityService, type AccessToken } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { IdentityRealm } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { transport } from "@pavise/rpc/transport.ts";
import { sessionCalls, type CurrentSession, type SessionCalls } from "./current.ts";

/** What is known of the session. */
export type SessionState =
  | { readonly status: "unknown" }
  | { readonly status: "signedOut" }
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
  subscribe(listener: () => void): () => void;
  /** Asks the server who is signed in. */
  refresh(): Promise<SessionState>;
  /** The answer says whether a further proof is asked for. */
  signIn(credentials: Credentials): Promise<AccessToken>;
  /** Completes a sign-in for which a further proof was asked. */
  answerChallenge(answer: ChallengeAnswer): Promise<void>;
  /** Sends a code to a factor of the challenge. */
  sendChallengeCode(challengeId: string, factorId: string): Promise<void>;
  /** Makes a member's account and signs in with it. */
  signUp(account: { readonly email: string; readonly password: string }): Promise<void>;
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

/** The session of this page, on the page's own origin. */
export function createSessionKeeper(options: { baseUrl?: string; fetch?: typeof globalThis.fetch } = {}): SessionKeeper {
  const bare = transport(options);
  const sessions = sessionCalls(options);
  const identities = createClient(IdentityService, bare);
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "unknown" };
  let renewing: Promise<boolean> | undefined;
  let asking: Promise<SessionState> | undefined;

  const put = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
    return next;
  };

  // All calls that are refused at once wait for one exchange.
  const renew = () => {
    renewing ??= exchange(sessions).finally(() => (renewing = undefined));
    return renewing.then((renewed) => {
      if (!renewed && state.status === "signedIn") put({ status: "signedOut" });
      return renewed;
    });
  };

  const renewingTransport = transport({ ...options, renew });

  const currentOrRenewed = async () => {
    try {
      return await sessions.current();
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated || !(await renew())) throw error;
      return sessions.current();
    }
  };

  const ask = async () => {
    try {
      return put({ status: "signedIn", session: await currentOrRenewed() });
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated) throw error;
      return put({ status: "signedOut" });
    }
  };

  return {
    transport: renewingTransport,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh() {
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
    async signIn({ name, password }) {
      const who = name.includes("@") ? { email: name.trim() } : { username: name.trim() };
      return identities.createToken({ ...who, password, cookie: true });
    },
    async answerChallenge(answer) {
      await identities.answerChallenge(answer);
    },
    async sendChallengeCode(challengeId, factorId) {
      await identities.sendChallengeCode({ challengeId, factorId });
    },
    async signUp({ email, password }) {
      await identities.createIdentity({ realm: IdentityRealm.USER, emails: [email], password });
      await identities.createToken({ email, password, cookie: true });
    },
    async askReset(email) {
      await identities.sendPasswordResetEmail({ email });
    },
    async reset({ email, code, password }) {
      await identities.resetPassword({ userId: "-", email, code, password });
    },
    async signOut() {
      await sessions.end();
      put({ status: "signedOut" });
    },
  };
}

/** Exchanges the refresh cookie. Whoever comes second of two pages uses what the first got. */
async function exchange(sessions: SessionCalls): Promise<boolean> {
  try {
    await sessions.renew();
    return true;
  } catch (error) {
    const { code } = ConnectError.from(error);
    return code === Code.Aborted || code === Code.AlreadyExists;
  }
}
