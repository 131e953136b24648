// The calls that begin, renew and end a session. They are loaded on demand: a visitor of the shop needs none.
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { IdentityRealm } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import type { ChallengeAnswer, Credentials } from "./session.ts";

/** The clients of the sign-in services. */
export interface SessionCalls {
  readonly sessions: Client<typeof SessionService>;
  readonly identities: Client<typeof IdentityService>;
}

/** The clients over a transport that never renews the session. */
export function sessionCalls(bare: Transport): SessionCalls {
  return { sessions: createClient(SessionService, bare), identities: createClient(IdentityService, bare) };
}

/** Signs in by name. The answer says whether a further proof is required. */
export function signIn({ identities }: SessionCalls, { name, password }: Credentials) {
  const who = name.includes("@") ? { email: name.trim() } : { username: name.trim() };
  return identities.createToken({ ...who, password, cookie: true });
}

/** Signs in with any passkey on the device. */
export async function signInWithPasskey({ identities }: SessionCalls): Promise<void> {
  const { showCredential } = await import("./passkey.ts");
  const { challengeId, optionsJson } = await identities.beginPasskeySignIn({});
  await identities.finishPasskeySignIn({
    challengeId,
    credentialJson: await showCredential(optionsJson),
    cookie: true,
  });
}

/** Gives a proof in the session with a passkey of the account. */
export async function proveWithPasskey({ identities }: SessionCalls): Promise<void> {
  const { showCredential } = await import("./passkey.ts");
  const { challengeId, optionsJson } = await identities.beginPasskeySignIn({});
  await identities.proveSession({ challengeId, credentialJson: await showCredential(optionsJson) });
}

/** Completes a sign-in with a passkey. */
export async function answerWithPasskey({ identities }: SessionCalls, challengeId: string): Promise<void> {
  const { showCredential } = await import("./passkey.ts");
  const { optionsJson } = await identities.beginChallengePasskey({ challengeId });
  await identities.answerChallenge({ challengeId, credentialJson: await showCredential(optionsJson) });
}

/** Completes a sign-in. */
export async function answerChallenge({ identities }: SessionCalls, answer: ChallengeAnswer): Promise<void> {
  await identities.answerChallenge(answer);
}

/** Makes a member's account and signs in. */
export async function signUp({ identities }: SessionCalls, { email, password }: { email: string; password: string }) {
  await identities.createIdentity({ realm: IdentityRealm.USER, emails: [email], password });
  return identities.createToken({ email, password, cookie: true });
}
