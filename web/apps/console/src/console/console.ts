// Context of every console screen: the contract, the caller, and the functions that make calls.
import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { Saying } from "@pavise/descform/value.ts";
import { createContext, use } from "react";
import { may, type Caller } from "../contract/caller.ts";
import type { Contract, Entity, Operation } from "../contract/operation.ts";
import { journalOf, listsOf } from "../contract/screens.ts";
import { callOperation, headersOf, streamOperation, type CallOptions } from "./calls.ts";
import type { TitleLoader } from "./referred.ts";

/** Makes a call by its generated stub, for pages that are made for one task. */
export type Ask = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  options?: CallOptions,
) => Promise<MessageShape<O>>;

/** The messages of a call that answers a stream, by its generated stub. */
export type Stream = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  request: MessageInitShape<I>,
  signal?: AbortSignal,
) => AsyncIterable<MessageShape<O>>;

export interface Console {
  readonly contract: Contract;
  readonly caller: Caller;
  readonly saying: Saying;
  /** Whether the caller may make the call. */
  readonly may: (operation: Operation | undefined) => operation is Operation;
  readonly call: (operation: Operation, request: Message, options?: CallOptions) => Promise<Message>;
  readonly ask: Ask;
  readonly stream: Stream;
  /** The operation in the served contract for a stub's method. */
  readonly operationOf: (method: {
    readonly parent: { readonly typeName: string };
    readonly name: string;
  }) => Operation | undefined;
  readonly entityNamed: (domain: string, name: string) => Entity | undefined;
  /** The fields that the title of a record needs; null when it is not found. References of one moment share a call. */
  readonly titled: (entity: Entity, id: string) => Promise<Message | null>;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

/** The console of a caller. */
export function consoleOf(contract: Contract, caller: Caller, saying: Saying, transport: Transport): Console {
  let loader: TitleLoader | undefined;
  const known: Console = {
    contract,
    caller,
    saying,
    may: (operation): operation is Operation => may(operation, caller),
    call: (operation, request, options) => callOperation(transport, operation, request, options),
    ask: async (method, request, options = {}) =>
      (await transport.unary(method, options.signal, undefined, headersOf(options), request)).message,
    stream: (method, request, signal) => streamOperation(transport, method, request, signal),
    operationOf: ({ parent, name }) => contract.operations.find(({ id }) => id === `${parent.typeName}/${name}`),
    entityNamed: (domain, name) => contract.entities.find((entity) => entity.domain === domain && entity.name === name),
    titled: async (entity, id) => {
      const { TitleLoader: Loader } = await import("./referred.ts");
      loader ??= new Loader(known);
      return loader.load(entity, id);
    },
  };
  return known;
}

/** Whether the entity's records can be listed or searched at all. */
export function findable({ contract, may: open }: Console, entity: Entity): boolean {
  return listsOf(contract, entity).some(open) || open(journalOf(contract, entity.service));
}

/** The console around a screen. */
export function useConsole(): Console {
  const known = use(ConsoleContext);
  if (known === undefined) throw new Error("a screen outside of the console");
  return known;
}
