// gRPC-web on the page's own origin. The session is a cookie, so the code has no token.
import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { ErrorInfoSchema } from "@pavise/schema/google/rpc/error_details_pb";
import { noteAnswered } from "./broken.ts";
import { reads } from "./methods.ts";
import { problemOf } from "./problem.ts";
import { noteToday } from "./today.ts";

/** The deadline of a call, in milliseconds. */
const DEADLINE = { read: 15_000, write: 30_000 } as const;
/** How much longer an answer is waited for, so that the server's own refusal arrives. */
const GRACE = 1_000;

/** The app's options of the transport. */
export interface TransportOptions {
  /** The base URL of the calls; by default the page's origin. */
  readonly baseUrl?: string;
  /** Renews the session. Returns whether there is a session again, so that the refused call is repeated. */
  readonly renew?: () => Promise<boolean>;
  /** Asks the user for a fresh proof. Returns whether there is one, so that the refused call is repeated. */
  readonly prove?: () => Promise<boolean>;
  readonly fetch?: typeof globalThis.fetch;
}

/** Gives each write an idempotency key. A caller that retries sends its own key. */
const idempotency: Interceptor = (next) => (request) => {
  if (!reads(request.method) && !request.header.has("idempotency-key")) {
    request.header.set("idempotency-key", crypto.randomUUID());
  }
  return next(request);
};

/** Gives each unary call a deadline, which is sent to the server too. An answer that does not come ends there. */
const deadline: Interceptor = (next) => async (request) => {
  if (request.stream || request.header.has("grpc-timeout")) return next(request);
  const time = reads(request.method) ? DEADLINE.read : DEADLINE.write;
  const header = new Headers(request.header);
  header.set("grpc-timeout", `${time}m`);
  const over = AbortSignal.timeout(time + GRACE);
  try {
    return await next({ ...request, header, signal: AbortSignal.any([request.signal, over]) });
  } catch (error) {
    if (!over.aborted || request.signal.aborted) throw error;
    throw new ConnectError("no answer came in time", Code.DeadlineExceeded);
  }
};

/** Stores the id of each answered request, for a page that cannot show the answer, and the server's day. */
const noting: Interceptor = (next) => async (request) => {
  const response = await next(request);
  noteAnswered(response.header.get("x-request-id") ?? "");
  noteToday(response.header.get("pavise-today"));
  return response;
};

type Next = Parameters<Interceptor>[0];
type Request = Parameters<Next>[0];
type Response = UnaryResponse | StreamResponse;

/** Makes a call, and makes it once more if there is a remedy for its refusal; a write keeps its idempotency key. */
async function remedied(next: Next, request: Request, remedy: (error: unknown) => Promise<boolean>): Promise<Response> {
  const call = await repeatable(next, request);
  try {
    return await call();
  } catch (error) {
    if (!(await remedy(error))) throw error;
    return call();
  }
}

/**
 * A call that can be made again. A stream's request is used up by the first try, so that its messages are kept. Browsers send one.
 */
async function repeatable(next: Next, request: Request): Promise<() => Promise<Response>> {
  if (!request.stream) return () => next(request);
  const messages: unknown[] = [];
  for await (const message of request.message) messages.push(message);
  return async () => begun(await next({ ...request, message: again(messages) } as Request));
}

async function* again(messages: readonly unknown[]) {
  yield* messages;
}

/** A stream has begun with its first message: until then it may be refused. */
async function begun(response: Response): Promise<Response> {
  if (!response.stream) return response;
  const messages = response.message[Symbol.asyncIterator]();
  return { ...response, message: onward(await messages.next(), messages) } as StreamResponse;
}

async function* onward<T>(first: IteratorResult<T>, others: AsyncIterator<T>) {
  try {
    for (let one = first; one.done !== true; one = await others.next()) yield one.value;
  } finally {
    await others.return?.();
  }
}

/** Renews an expired session once and repeats the call. */
function renewing(renew: () => Promise<boolean>): Interceptor {
  return (next) => (request) => remedied(next, request, async (error) => isOver(error) && renew());
}

/** Asks for a proof that a call needs, and repeats the call. */
function proving(prove: () => Promise<boolean>): Interceptor {
  return (next) => (request) =>
    remedied(next, request, async (error) => problemOf(error).reason === "PROOF_NEEDED" && prove());
}

/** Whether the session ended. A wrong code or password has the same status code, but is not sent again. */
function isOver(error: unknown): boolean {
  const refused = ConnectError.from(error);
  if (refused.code !== Code.Unauthenticated) return false;
  const [info] = refused.findDetails(ErrorInfoSchema);
  return info === undefined || info.reason.startsWith("TOKEN_");
}

/** The transport of an app. */
export function transport(options: TransportOptions = {}): Transport {
  // The first is the outermost: each try has its own deadline, and the user takes the time for a proof that they need.
  const interceptors = [idempotency];
  if (options.renew !== undefined) interceptors.push(renewing(options.renew));
  if (options.prove !== undefined) interceptors.push(proving(options.prove));
  interceptors.push(deadline, noting);
  return createGrpcWebTransport({
    baseUrl: options.baseUrl ?? globalThis.location.origin,
    useBinaryFormat: true,
    interceptors,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, { ...init, credentials: "same-origin" })),
  });
}
