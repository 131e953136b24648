// The session of a page. The tokens are cookies that scripts cannot read; the state here comes from answers.
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { AccessToken } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import type { CurrentSession } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { transport } from "@pavise/rpc/transport.ts";
import type { SessionCalls } from "./calls.ts";

export type { CurrentSession } from "@pavise/schema/pavise/identity/v1/session_service_pb";

/** The state of the session. */
export type SessionState =
  | { readonly status: "unknown" }
  /** `left` after a sign-out in this page; an expired session is not left. */
  | { readonly status: "signedOut"; readonly left: boolean }
  | { readonly status: "signedIn"; readonly session: CurrentSession };

/** The credentials of a sign-in. */
export interface Credentials {
  /** An e-mail address or a user name. */
  readonly name: string;
  readonly password: string;
}

/** Keeps the session of a page. */
export interface SessionKeeper {
  /** Renews an expired session, for the transport of every call. */
  readonly transport: Transport;
  /** Renews the session and asks for proofs, for calls that do not go over the transport. */
  readonly remedies: { readonly renew: () => Promise<boolean>; readonly prove: () => Promise<boolean> };
  state(): SessionState;
  /** The identity whose pages this tab may still show, also after its session expired; undefined for none. */
  shown(): string | undefined;
  subscribe(listener: () => void): () => void;
  /** Whether this browser had a session before; without one a public page does not ask the server. */
  wasSignedIn(): boolean;
  /** Asks the server for the current session. */
  refresh(): Promise<SessionState>;
  /** Exchanges the tokens, which get the rights that were gained since, and reads the session anew. */
  renew(): Promise<SessionState>;
  /** Signs in by name. The answer says whether a further proof is required. */
  signIn(credentials: Credentials): Promise<AccessToken>;
  /** Signs in with a passkey, without a name and a password. */
  signInWithPasskey(): Promise<void>;
  /** Completes a sign-in that required a further proof. */
  answerChallenge(answer: ChallengeAnswer): Promise<void>;
  /** Completes it with a passkey. */
  answerWithPasskey(challengeId: string): Promise<void>;
  /** Sends a code to a factor of the challenge. */
  sendChallengeCode(challengeId: string, factorId: string): Promise<void>;
  /** Makes a member's account and signs in; the answer is that of the sign-in. */
  signUp(account: { readonly email: string; readonly password: string }): Promise<AccessToken>;
  /** Sends a code to the address, if an identity has it. */
  askReset(email: string): Promise<void>;
  /** Sets a new password with the code. */
  reset(chosen: { readonly email: string; readonly code: string; readonly password: string }): Promise<void>;
  signOut(): Promise<void>;
  /** Gives a proof in this session: calls that ask for a fresh one are admitted for ten minutes. */
  prove(proof: Proof): Promise<void>;
  /** Gives it with a passkey. */
  proveWithPasskey(): Promise<void>;
  /** Sets what asks the user for a proof when a call needs one. Returns the function that unsets it. */
  onProofNeeded(ask: () => Promise<void>): () => void;
}

/** A proof: the password, or the code or answer of a factor. */
export type Proof =
  | { readonly password: string }
  | { readonly factorId: string; readonly code: string; readonly answer: string };

/** The further proof of a sign-in. */
export interface ChallengeAnswer {
  readonly challengeId: string;
  readonly factorId: string;
  readonly code: string;
  readonly answer: string;
  readonly recoveryCode: string;
}

/** Remembers that there was a session in this browser, without its identity. */
const SIGNED_IN = "pavise.session";

const load = () => import("./calls.ts");

/** The session of this page, on the page's origin. */
export function createSessionKeeper(
  options: { baseUrl?: string; fetch?: typeof globalThis.fetch } = {},
): SessionKeeper {
  const bare = transport(options);
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "unknown" };
  let shown: string | undefined;
  let renewing: Promise<boolean> | undefined;
  let asking: Promise<SessionState> | undefined;
  let askProof: (() => Promise<void>) | undefined;
  let proving: Promise<void> | undefined;

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

  // All calls that are refused at once share one exchange.
  const renew = () => {
    renewing ??= calls()
      .then(exchange)
      .finally(() => (renewing = undefined));
    return renewing.then((renewed) => {
      if (!renewed && state.status === "signedIn") put({ status: "signedOut", left: false });
      return renewed;
    });
  };

  // All calls that need a proof at once share one dialog.
  const prove = async () => {
    if (askProof === undefined) return false;
    proving ??= askProof().finally(() => (proving = undefined));
    await proving;
    return true;
  };
  const renewed = transport({ ...options, renew });
  const proofs = async () => (await load()).sessionCalls(renewed);

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
    transport: transport({ ...options, renew, prove }),
    remedies: { renew, prove },
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
    async renew() {
      await renew();
      return this.refresh();
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
    async prove(proof) {
      await (await proofs()).identities.proveSession(proof);
    },
    proveWithPasskey: async () => (await load()).proveWithPasskey(await proofs()),
    onProofNeeded(asker) {
      askProof = asker;
      return () => {
        if (askProof === asker) askProof = undefined;
      };
    },
  };
}

/** Exchanges the refresh cookie. Of two tabs, the second uses the tokens that the first received. */
async function exchange({ sessions }: SessionCalls): Promise<boolean> {
  try {
    await sessions.refreshToken({ cookie: true });
    return true;
  } catch (error) {
    const { code } = ConnectError.from(error);
    return code === Code.Aborted || code === Code.AlreadyExists;
  }
}
