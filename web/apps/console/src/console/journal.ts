// Reads journals, newest first: the history of one record, and the newest changes of a service.
import type { Message } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Registry } from "@bufbuild/protobuf";
import type { JournalEntry, JournalPage } from "@pavise/schema/pavise/common/v1/journal_pb";
import type { Operation } from "../contract/operation.ts";
import { requestOf, type CallOptions } from "./calls.ts";

type Call = (operation: Operation, request: Message, options?: CallOptions) => Promise<Message>;

/** Entries read per call. */
const WINDOW = 200n;
const LAST = 2n ** 63n - 1n;

/** A journal entry in the form that screens need. */
export interface Change {
  readonly clock: bigint;
  readonly action: string;
  readonly entityId: string;
  readonly typeName: string;
  readonly ownerId: string;
  readonly version: bigint;
  readonly at: Date | null;
  readonly actor: string;
  readonly subject: string;
  readonly requestId: string;
  readonly removed: boolean;
  readonly message: Message | undefined;
}

/** A page of changes, newest first, with the clock at which the next older page begins. */
export interface ChangePage {
  readonly changes: readonly Change[];
  /** The next page reads below this clock; 0 when there is nothing older. */
  readonly before: bigint;
  readonly maxClock: bigint;
}

function changeOf(entry: JournalEntry, registry: Registry): Change {
  return {
    clock: entry.clock,
    action: entry.action,
    entityId: entry.entityId,
    typeName: entry.entity?.typeUrl.split("/").at(-1) ?? "",
    ownerId: entry.ownerId,
    version: entry.version,
    at: entry.at === undefined ? null : new Date(Number(entry.at.seconds) * 1000 + entry.at.nanos / 1e6),
    actor: entry.actor,
    subject: entry.subject,
    requestId: entry.requestId,
    removed: entry.removed,
    message: entry.entity === undefined ? undefined : anyUnpack(entry.entity, registry),
  };
}

/** The previous entry of the same type: a journal has entries of several types under one id. */
export function entryBefore(changes: readonly Change[], at: number): Change | undefined {
  return changes.slice(0, at).findLast(({ typeName }) => typeName === changes[at]?.typeName);
}

/** The whole history of one record, oldest first. */
export async function readHistory(
  call: Call,
  journal: Operation,
  id: string,
  registry: Registry,
  signal?: AbortSignal,
): Promise<Change[]> {
  const changes: Change[] = [];
  let clock = 0n;
  for (;;) {
    const page = (await call(journal, requestOf(journal, { entity_id: id, clock, limit: 1000 }), {
      signal,
    })) as JournalPage;
    changes.push(...page.entries.map((entry) => changeOf(entry, registry)));
    if (page.entries.length < 1000) return changes;
    clock = page.clock;
  }
}

/** The changes at and below a clock, newest first; of one type when it is given. */
export async function readRecent(
  call: Call,
  journal: Operation,
  registry: Registry,
  options: { before?: bigint | undefined; typeName?: string | undefined; signal?: AbortSignal | undefined },
): Promise<ChangePage> {
  const head = (await call(journal, requestOf(journal, { clock: LAST, limit: 1 }), {
    signal: options.signal,
  })) as JournalPage;
  let before = options.before ?? head.maxClock;
  const changes: Change[] = [];
  // A journal may hold other types too: read on until there is something to show, up to a limit.
  for (let round = 0; round < 10 && before > 0n && changes.length === 0; round += 1) {
    const after = before > WINDOW ? before - WINDOW : 0n;
    const page = (await call(journal, requestOf(journal, { clock: after, limit: Number(WINDOW) }), {
      signal: options.signal,
    })) as JournalPage;
    const upTo = before;
    changes.push(
      ...page.entries
        .filter((entry) => entry.clock <= upTo)
        .map((entry) => changeOf(entry, registry))
        .filter(({ typeName }) => options.typeName === undefined || typeName === options.typeName)
        .toReversed(),
    );
    before = after;
  }
  return { changes, before, maxClock: head.maxClock };
}
