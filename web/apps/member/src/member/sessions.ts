// Where somebody is signed in, over REST as the session's other calls: the list, the end of one, the end of all others.
import { Code, ConnectError } from "@connectrpc/connect";

/** An open session. */
export type OpenSession = { id: string; userAgent?: string; createdAt?: string; lastUsedAt?: string };

async function send<T>(path: string, method: "GET" | "POST" | "DELETE", body?: object): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin" };
  if (method !== "GET") init.headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  if (body) init.body = JSON.stringify(body);
  const response = await fetch(path, init);
  if (response.ok) return (await response.json()) as T;
  throw new ConnectError(response.statusText, response.status === 401 ? Code.Unauthenticated : Code.Unavailable);
}

const at = (identityId: string) => `/v1/identities/${encodeURIComponent(identityId)}/sessions`;

/** The open sessions. */
export async function listSessions(identityId: string): Promise<OpenSession[]> {
  return (await send<{ sessions?: OpenSession[] }>(at(identityId), "GET")).sessions ?? [];
}

/** The one of this page; empty when nobody knows. */
export async function currentSessionId(): Promise<string> {
  return (await send<{ sessionId?: string }>("/v1/session", "GET")).sessionId ?? "";
}

/** Ends one. */
export async function endSession(identityId: string, sessionId: string): Promise<void> {
  await send(`${at(identityId)}/${encodeURIComponent(sessionId)}`, "DELETE");
}

/** Ends all but this one. */
export async function endOtherSessions(identityId: string): Promise<void> {
  await send(`${at(identityId)}/revokeAll`, "POST", { exceptCurrent: true });
}
