// A refusal, read from the error's details once, so that screens need not know gRPC.
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "@pavise/schema/google/rpc/error_details_pb";

/** The kind of a refusal decides the screen's reaction. */
export type ProblemKind =
  | "fields" // something in the request is wrong: say it beside the fields
  | "signIn" // nobody is signed in, or not any more
  | "permission" // the caller may not
  | "notFound"
  | "status" // not allowed as things are: say how they are
  | "conflict" // somebody else changed it in the meantime
  | "exists"
  | "throttled"
  | "unavailable" // not now; the same call may succeed later
  | "offline" // the server was not reached
  | "cancelled"
  | "internal";

/** One wrong field of a request. */
export interface FieldProblem {
  /** The path in proto names: `offers[0].tier_id`. */
  readonly path: string;
  readonly description: string;
  readonly reason: string;
}

/** A refusal, ready for display. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly code: Code;
  /** The reason for programs (`STATUS_NOT_ALLOWED`); empty when the answer had none. */
  readonly reason: string;
  readonly domain: string;
  /** The server's message for people. */
  readonly message: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fields: readonly FieldProblem[];
  /** For a refusal by status: the calls that are legal instead. */
  readonly preconditions: readonly { readonly type: string; readonly subject: string; readonly description: string }[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** The request's id in the logs; empty when the server was not reached. */
  readonly traceId: string;
}

const KINDS: Partial<Record<Code, ProblemKind>> = {
  [Code.InvalidArgument]: "fields",
  [Code.OutOfRange]: "fields",
  [Code.Unauthenticated]: "signIn",
  [Code.PermissionDenied]: "permission",
  [Code.NotFound]: "notFound",
  [Code.FailedPrecondition]: "status",
  [Code.Aborted]: "conflict",
  [Code.AlreadyExists]: "exists",
  [Code.ResourceExhausted]: "throttled",
  [Code.Unavailable]: "unavailable",
  [Code.DeadlineExceeded]: "unavailable",
  [Code.Canceled]: "cancelled",
};

/** Refusals after which the call may still take effect: it is repeated as it was, and with its key it happens once. */
const UNANSWERED: ReadonlySet<string> = new Set(["PAYMENT_PENDING"]);

/** Makes a problem from a caught error. */
export function problemOf(error: unknown): Problem {
  const refused = ConnectError.from(error);
  const [info] = refused.findDetails(ErrorInfoSchema);
  const [retry] = refused.findDetails(RetryInfoSchema);
  const [request] = refused.findDetails(RequestInfoSchema);
  const delay = retry?.retryDelay;
  return {
    kind: UNANSWERED.has(info?.reason ?? "") ? "unavailable" : kindOf(refused),
    code: refused.code,
    reason: info?.reason ?? "",
    domain: info?.domain ?? "",
    message: refused.rawMessage,
    metadata: info?.metadata ?? {},
    fields: refused
      .findDetails(BadRequestSchema)
      .flatMap((bad) => bad.fieldViolations)
      .map(({ field, description, reason }) => ({ path: field, description, reason })),
    preconditions: refused.findDetails(PreconditionFailureSchema).flatMap((failure) => failure.violations),
    retryAfter: delay === undefined ? undefined : Number(delay.seconds) + delay.nanos / 1e9,
    traceId: request?.requestId ?? refused.metadata.get("x-request-id") ?? "",
  };
}

/** A call that did not reach the server fails inside fetch, with a TypeError. */
function kindOf(refused: ConnectError): ProblemKind {
  if (refused.cause instanceof TypeError || (typeof navigator !== "undefined" && navigator.onLine === false))
    return "offline";
  return KINDS[refused.code] ?? "internal";
}
