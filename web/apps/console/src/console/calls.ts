// Makes calls of the contract by their descriptors.
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethodServerStreaming,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Transport } from "@connectrpc/connect";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Operation } from "../contract/operation.ts";

/** Options that are sent with a call as headers. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The version that the caller has read. The call is refused when the record has a newer one (stale update). */
  readonly version?: bigint | undefined;
  /** Dry run: everything happens but the commit, and the answer shows the result. */
  readonly preview?: boolean;
  /** Idempotency key: two calls with the same key have the effect of one. */
  readonly key?: string | undefined;
}

/** The headers for the options. */
export function headersOf({ version, preview, key }: CallOptions): Headers {
  const headers = new Headers();
  if (version !== undefined && version > 0n) headers.set("if-match", `W/"${version}"`);
  if (preview === true) headers.set("pavise-validate-only", "true");
  if (key !== undefined) headers.set("idempotency-key", key);
  return headers;
}

/** Calls an operation. Throws the server's refusal. */
export async function callOperation(
  transport: Transport,
  operation: Operation,
  request: Message,
  options: CallOptions = {},
): Promise<Message> {
  const { message } = await transport.unary(
    operation.method as DescMethodUnary,
    options.signal,
    undefined,
    headersOf(options),
    request as never,
  );
  return message;
}

/** The messages of an operation that answers a stream. It ends with the signal. */
export async function* streamOperation<I extends DescMessage, O extends DescMessage>(
  transport: Transport,
  method: DescMethodServerStreaming<I, O>,
  request: MessageInitShape<I>,
  signal?: AbortSignal,
): AsyncGenerator<MessageShape<O>> {
  const input = (async function* () {
    yield request;
  })();
  const { message } = await transport.stream(method, signal, undefined, undefined, input);
  yield* message;
}

/** Values of request fields by field name. */
export type Given = Readonly<Record<string, unknown>>;

/** The request of an operation with these fields set. Names that the request lacks are left out. */
export function requestOf(operation: Operation, given: Given): Message {
  const { input } = operation.method;
  const message = reflect(input, create(input), false);
  for (const field of input.fields) {
    const value = given[field.name];
    if (value !== undefined && value !== "") message.set(field, value as never);
  }
  return message.message;
}

/** The value of a message's field by its name; undefined when the message has no such field. */
export function valueOf(message: Message, desc: { readonly fields: readonly DescField[] }, name: string): unknown {
  const field = desc.fields.find((one) => one.name === name);
  return field === undefined ? undefined : (message as unknown as Record<string, unknown>)[field.localName];
}

/** The same as text; empty when the value is not a text. */
export function textOf(message: Message, desc: { readonly fields: readonly DescField[] }, name: string): string {
  const value = valueOf(message, desc, name);
  return typeof value === "string" ? value : "";
}

/** The version of an entity. */
export function versionOf(message: Message, desc: { readonly fields: readonly DescField[] }): bigint {
  const value = valueOf(message, desc, "version");
  return typeof value === "bigint" ? value : 0n;
}

/** Whether a change of status lacks a reason that its request has a field for. Members ask for the reason. */
export function lacksReason(operation: Operation, request: Message): boolean {
  const { input } = operation.method;
  const field = input.fields.find(({ name }) => name === "reason");
  return operation.to.length > 0 && field?.enum !== undefined && valueOf(request, input, "reason") === 0;
}
