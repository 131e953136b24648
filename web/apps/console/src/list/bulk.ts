// Applies one operation to many records, one after the other, until all were tried or the user stops it.
import type { Message } from "@bufbuild/protobuf";
import { enumSpelling } from "@pavise/descform/words.ts";
import { problemOf, type Problem } from "@pavise/rpc/problem.ts";
import { useRef, useState } from "react";
import { requestOf, textOf, versionOf } from "../console/calls.ts";
import { useConsole } from "../console/console.ts";
import { useReread } from "../console/reread.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { allowedFrom, getOf } from "../contract/screens.ts";
import type { Row } from "./columns.tsx";

/** The result for one record. */
export interface Result {
  readonly id: string;
  /** Done; skipped, because its status does not allow it; or refused, with the server's refusal. */
  readonly outcome: "done" | "left" | "failed";
  /** The record's status afterwards. */
  readonly status: string;
  readonly problem?: Problem;
}

/** The status of a row as documented. */
export function statusOfRow({ record }: Row, { statusField }: Entity): string {
  return statusField?.enum === undefined ? "" : enumSpelling(statusField.enum, record.get(statusField) as number);
}

function statusOfMessage(message: Message, { statusField, desc }: Entity): string {
  if (statusField?.enum === undefined || message.$typeName !== desc.typeName) return "";
  return enumSpelling(statusField.enum, (message as unknown as Record<string, number>)[statusField.localName] ?? 0);
}

/** The request fields that are known from the record. */
export function knownOf(operation: Operation, entity: Entity, id: string, message: Message): Record<string, string> {
  const known: Record<string, string> = { [operation.idField?.name ?? "id"]: id };
  const put = (name: string, value: string) => {
    if (name !== "" && value !== "" && known[name] === undefined) known[name] = value;
  };
  put(operation.ownerField, textOf(message, entity.desc, "owner_id"));
  put(operation.groupField, textOf(message, entity.desc, "group_id"));
  for (const [, name = ""] of operation.rest[0]?.path.matchAll(/\{(\w+)[^}]*\}/g) ?? [])
    put(name, textOf(message, entity.desc, name));
  return known;
}

/** The run over the chosen rows. */
export function useBulk(entity: Entity, operation: Operation, rows: readonly Row[]) {
  const { call, contract, may } = useConsole();
  const reread = useReread();
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [state, setState] = useState<"asked" | "running" | "stopped" | "done">("asked");
  const stopped = useRef(false);
  // One idempotency key per record: a retry after a lost answer has no second effect.
  const keys = useRef(new Map<string, string>());

  async function one({ id, record }: Row, filled: Message, again: boolean): Promise<Result> {
    let { message } = record;
    try {
      const get = again ? getOf(contract, entity) : undefined;
      if (get !== undefined && may(get)) message = await call(get, requestOf(get, knownOf(get, entity, id, message)));
      const status = statusOfMessage(message, entity);
      if (!allowedFrom(operation, status)) return { id, outcome: "left", status };
      const key = keys.current.get(id) ?? crypto.randomUUID();
      keys.current.set(id, key);
      const request = { ...filled, ...fieldsOf(operation, knownOf(operation, entity, id, message)) } as Message;
      const after = await call(operation, request, { version: versionOf(message, entity.desc), key });
      return { id, outcome: "done", status: statusOfMessage(after, entity) };
    } catch (error) {
      const problem = problemOf(error);
      // A refused call had no effect, so trying again gets a new key.
      if (!["offline", "unavailable"].includes(problem.kind)) keys.current.delete(id);
      return { id, outcome: "failed", status: statusOfMessage(message, entity), problem };
    }
  }

  async function run(filled: Message, chosen: readonly Row[], again = false) {
    stopped.current = false;
    setState("running");
    for (const row of chosen) {
      if (stopped.current) break;
      const result = await one(row, filled, again);
      setResults((before) => new Map(before).set(result.id, result));
    }
    setState(stopped.current ? "stopped" : "done");
    await reread();
  }

  const failed = rows.filter(({ id }) => results.get(id)?.outcome === "failed");
  const untried = rows.filter(({ id }) => !results.has(id));
  return {
    results,
    state,
    failed,
    untried,
    run: (filled: Message) => run(filled, rows),
    retry: (filled: Message) => run(filled, failed, true),
    goOn: (filled: Message) => run(filled, untried),
    stop: () => (stopped.current = true),
  };
}

function fieldsOf({ method }: Operation, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    method.input.fields.flatMap(({ name, localName }) => (known[name] === undefined ? [] : [[localName, known[name]]])),
  );
}
