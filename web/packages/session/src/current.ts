// The session's own calls, over REST: who is signed in, a new token for an old one, the end.
import { Code, ConnectError } from "@connectrpc/connect";

/** Who is signed in and what he may do. */
export interface CurrentSession {
  readonly identityId: string;
  /** The number that the contract gives the realm. */
  readonly realm: number;
  readonly subType: string;
  readonly permissions: readonly { readonly application: string; readonly permissions: readonly string[] }[];
  readonly groupIds: readonly string[];
  readonly actorId: string;
  readonly actorMayWrite: boolean;
}

const REALMS: Readonly<Record<string, number>> = { User: 1, Machine: 2, Internal: 3, Partner: 4, GroupAdmin: 5 };

/** The calls of the session service. */
export interface SessionCalls {
  current(): Promise<CurrentSession>;
  renew(): Promise<void>;
  end(): Promise<void>;
}

/** The session service at an address; the page's own when none is named. */
export function sessionCalls(options: { baseUrl?: string; fetch?: typeof globalThis.fetch }): SessionCalls {
  const { baseUrl = "", fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const send = async (path: string, body?: object): Promise<unknown> => {
    const init: RequestInit = { credentials: "same-origin" };
    if (body !== undefined) Object.assign(init, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const response = await fetch(baseUrl + path, init);
    if (response.ok) return response.json();
    throw new ConnectError(await messageOf(response), codeOf(response.status));
  };
  return {
    async current() {
      const answer = (await send("/v1/session")) as Omit<CurrentSession, "realm"> & { realm: string };
      return { ...answer, realm: REALMS[answer.realm] ?? 0 };
    },
    async renew() {
      await send("/v1/tokens/refresh", { cookie: true });
    },
    async end() {
      await send("/v1/tokens/revoke", {});
    },
  };
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { message?: string };
  return body.message ?? response.statusText;
}

function codeOf(status: number): Code {
  const codes: Readonly<Record<number, Code>> = {
    400: Code.InvalidArgument,
    401: Code.Unauthenticated,
    403: Code.PermissionDenied,
    404: Code.NotFound,
    409: Code.Aborted,
    429: Code.ResourceExhausted,
    503: Code.Unavailable,
    504: Code.Unavailable,
  };
  return codes[status] ?? Code.Internal;
}
