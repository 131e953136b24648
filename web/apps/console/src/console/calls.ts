// Makes calls of the contract by their descriptors.
import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Transport } from "@connectrpc/connect";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Operation } from "../contract/operation.ts";

/** What goes along with a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The version that the caller has seen: the call is refused when it is not the current one any more. */
  readonly version?: bigint | undefined;
  /** Runs everything but the commit, and answers what would come of it. */
  readonly preview?: boolean;
  /** The same key sent twice has the effect of one call. */
  readonly key?: string | undefined;
}

/** The headers that say what goes along. */
export function headersOf({ version, preview, key }: CallOptions): Headers {
  const headers = new Headers();
  if (version !== undefined && version > 0n) headers.set("if-match", `W/"${version}"`);
  if (preview === true) headers.set("pavise-validate-only", "true");
  if (key !== undefined) headers.set("idempotency-key", key);
  return headers;
}

/** Calls an operation. Throws what the server refused with. */
export async function callOperation(transport: Transport, operation: Operation, request: Message, options: CallOptions = {}): Promise<Message> {
  const { message } = await transport.unary(operation.method as DescMethodUnary, options.signal, undefined, headersOf(options), request as never);
  return message;
}

/** Values of request fields, by name. */
export type Given = Readonly<Record<string, unknown>>;

/** The request of an operation with these fields set; names that it does not have are left out. */
export function requestOf(operation: Operation, given: Given): Message {
  const { input } = operation.method;
  const message = reflect(input, create(input), false);
  for (const field of input.fields) {
    const value = given[field.name];
    if (value !== undefined && value !== "") message.set(field, value as never);
  }
  return message.message;
}

/** The value of a message's field by its name; undefined when it has none. */
export function valueOf(message: Message, desc: { readonly fields: readonly DescField[] }, name: string): unknown {
  const field = desc.fields.find((one) => one.name === name);
  return field === undefined ? undefined : (message as unknown as Record<string, unknown>)[field.localName];
}

/** The same as text; empty when it is none. */
export function textOf(message: Message, desc: { readonly fields: readonly DescField[] }, name: string): string {
  const value = valueOf(message, desc, name);
  return typeof value === "string" ? value : "";
}

/** The version of an entity. */
export function versionOf(message: Message, desc: { readonly fields: readonly DescField[] }): bigint {
  const value = valueOf(message, desc, "version");
  return typeof value === "bigint" ? value : 0n;
}

/** Whether a change of the status leaves open why, where the call can say it: members ask for the reason. */
export function lacksReason(operation: Operation, request: Message): boolean {
  const { input } = operation.method;
  const field = input.fields.find(({ name }) => name === "reason");
  return operation.to.length > 0 && field?.enum !== undefined && valueOf(request, input, "reason") === 0;
}
