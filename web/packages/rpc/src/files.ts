// Files over REST: gRPC-web has no stream of requests, and shows no progress. The session is a cookie.
import { fromJson, type DescMessage, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "@pavise/schema/google/rpc/error_details_pb";
import { problemOf } from "./problem.ts";

/** The help for a call that is refused for its session or for a missing proof. */
export interface Remedies {
  /** Renews the session. Returns whether there is a session again. */
  readonly renew: () => Promise<boolean>;
  /** Asks the user for a fresh proof. Returns whether there is one. */
  readonly prove: () => Promise<boolean>;
}

/** A file to be sent. */
export interface SentFile {
  readonly verb: string;
  /** The path with its values, and the other fields as its query. */
  readonly address: string;
  readonly file: File;
  readonly key: string;
  readonly onProgress?: (sent: number) => void;
  readonly signal?: AbortSignal;
}

/** A file that was answered. */
export interface TakenFile {
  readonly name: string;
  readonly content: Blob;
}

/** The address of a call: the values of its path, and other fields in the query, by their JSON names. */
export function addressOf(path: string, request: JsonObject, without: readonly string[] = []): string {
  const left = new Map(Object.entries(request).filter(([name]) => !without.includes(name)));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const json = name.replaceAll(/_(\w)/g, (_part, letter: string) => letter.toUpperCase());
    const value = left.get(json);
    left.delete(json);
    return encodeURIComponent(String(value ?? ""));
  });
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Sends a file as the body of a request. Throws the server's refusal. */
export async function sendFile(sent: SentFile, remedies: Remedies): Promise<JsonValue> {
  return repeated(remedies, () => sendOnce(sent));
}

/** Takes a file. Throws the server's refusal. */
export async function takeFile(address: string, remedies: Remedies, signal?: AbortSignal): Promise<TakenFile> {
  return repeated(remedies, async () => {
    const answer = await fetch(address, { credentials: "same-origin", ...(signal === undefined ? {} : { signal }) });
    if (!answer.ok) throw refusalOf(answer.status, await answer.text(), answer.headers.get("x-request-id"));
    return { name: nameOf(answer.headers.get("content-disposition") ?? ""), content: await answer.blob() };
  });
}

/** Hands a file to the browser, which saves it under its name. */
export function saveFile({ name, content }: TakenFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The name in a Content-Disposition: the one in full (RFC 8187), or the one in ASCII. */
export function nameOf(disposition: string): string {
  const full = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition)?.[1] ?? "";
  return full === undefined ? plain : decodeURIComponent(full);
}

/** Repeats a refused call once, after a new session or a proof. */
async function repeated<T>({ renew, prove }: Remedies, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { code, reason } = problemOf(error);
    const isOver = code === Code.Unauthenticated && reason.startsWith("TOKEN_");
    const isHelped = isOver ? await renew() : reason === "PROOF_NEEDED" && (await prove());
    if (!isHelped) throw error;
    return call();
  }
}

function sendOnce({ verb, address, file, key, onProgress, signal }: SentFile): Promise<JsonValue> {
  return new Promise((resolve, reject) => {
    // Only this one tells how much of a body was sent.
    const request = new XMLHttpRequest();
    request.open(verb, address);
    request.setRequestHeader("content-type", file.type === "" ? "application/octet-stream" : file.type);
    request.setRequestHeader("idempotency-key", key);
    request.upload.addEventListener("progress", ({ loaded }) => onProgress?.(loaded));
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText) as JsonValue);
      else reject(refusalOf(request.status, request.responseText, request.getResponseHeader("x-request-id")));
    });
    request.addEventListener("error", () =>
      reject(new ConnectError("the server was not reached", Code.Unavailable, undefined, undefined, new TypeError())),
    );
    request.addEventListener("abort", () => reject(new ConnectError("stopped", Code.Canceled)));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

const DETAILS: Readonly<Record<string, DescMessage>> = {
  ErrorInfo: ErrorInfoSchema,
  BadRequest: BadRequestSchema,
  PreconditionFailure: PreconditionFailureSchema,
  RetryInfo: RetryInfoSchema,
  RequestInfo: RequestInfoSchema,
};

/** A refusal over REST as one over gRPC. */
export function refusalOf(status: number, text: string, requestId: string | null): ConnectError {
  const headers = requestId === null ? undefined : { "x-request-id": requestId };
  try {
    const body = JSON.parse(text) as { status: string; message: string; details: JsonObject[] };
    const details = body.details.flatMap(({ "@type": type, ...detail }) => {
      const desc = DETAILS[String(type).split(".").at(-1) ?? ""];
      return desc === undefined
        ? []
        : [{ desc, value: fromJson(desc, detail, { ignoreUnknownFields: true }) as never }];
    });
    return new ConnectError(body.message, codeNamed(body.status), headers, details);
  } catch {
    return new ConnectError(`the server answered ${status}`, Code.Unavailable, headers);
  }
}

/** The code of a name: `INVALID_ARGUMENT`. */
function codeNamed(name: string): Code {
  const own = name
    .toLowerCase()
    .replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace("Cancelled", "Canceled");
  return Code[own as keyof typeof Code] ?? Code.Unknown;
}
