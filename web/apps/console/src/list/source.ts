// Sources of a grid's rows: a list of the contract, or the service's journal for the newest changes.
import { ScalarType, type DescField, type Message, type Registry } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Realm, ScopeKind } from "@pavise/schema/pavise/contract/v1/options_pb";
import { constraintsOf } from "@pavise/descform/constraints.ts";
import { requestOf, textOf, valueOf } from "../console/calls.ts";
import { useConsole, type Console } from "../console/console.ts";
import { readRecent } from "../console/journal.ts";
import type { Caller } from "../contract/caller.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { journalOf, listsOf } from "../contract/screens.ts";
import type { Row } from "./columns.tsx";

/** A source of rows. */
export type Source = { readonly id: string; readonly kind: "recent" | "list"; readonly operation: Operation };

/** The first page is small, so that it arrives soon. Later pages are larger. */
const FIRST_PAGE = 100;
const PAGE = 500;
const PAGING = new Set(["page_size", "page_token"]);

/** The sources of an entity that the caller may use, the default first. */
export function sourcesOf({ contract, may }: Console, entity: Entity): Source[] {
  const constraints = constraintsOf(contract.registry);
  const needs = (operation: Operation) => operation.method.input.fields.some((field) => constraints(field).required);
  const lists = listsOf(contract, entity)
    .filter(may)
    .map((operation): Source => ({ id: operation.name, kind: "list", operation }));
  const journal = journalOf(contract, entity.service);
  const recent: Source[] = may(journal) ? [{ id: "recent", kind: "recent", operation: journal }] : [];
  const open = lists
    .filter(({ operation }) => !needs(operation) && operation.kind !== "batch")
    .toSorted((one, other) => Number(searches(other)) - Number(searches(one)));
  const filled =
    recent.length === 0
      ? []
      : lists.filter(
          (source) => !open.includes(source) && neededValues(contract.registry, entity, source.operation) !== undefined,
        );
  return [
    ...open,
    ...filled,
    ...recent,
    ...lists.filter((source) => !open.includes(source) && !filled.includes(source)),
  ];
}

/** Required text fields of a list that each record has too, such as a brand; undefined for none or others. */
export function neededValues(
  registry: Registry,
  entity: Entity,
  operation: Operation,
): readonly DescField[] | undefined {
  const constraints = constraintsOf(registry);
  const needed = operation.method.input.fields.filter((field) => constraints(field).required);
  const own = needed.flatMap(({ name, scalar }) =>
    entity.desc.fields.filter(
      (field) =>
        field.name === name && field.scalar === scalar && scalar === ScalarType.STRING && !/(^|_)id$/.test(name),
    ),
  );
  return needed.length > 0 && own.length === needed.length ? own : undefined;
}

const NO_VALUES: Readonly<Record<string, string>> = {};

/**
 * Values for the required fields: the group of a caller who administers one only, or those of which the newest records have only
 * one each; undefined until they are read.
 */
export function useOnlyValues(
  entity: Entity,
  source: Source | undefined,
  given: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> | undefined {
  const { call, caller, contract, may } = useConsole();
  const journal = journalOf(contract, entity.service);
  const group = useMemo(() => onlyGroup(caller, source?.operation), [caller, source?.operation]);
  const fields = source?.kind === "list" ? neededValues(contract.registry, entity, source.operation) : undefined;
  const missing = fields?.filter(({ name }) => (given[name] ?? "") === "") ?? [];
  const asked = useQuery({
    queryKey: ["only", entity.typeName, missing.map(({ name }) => name)],
    enabled: missing.length > 0 && may(journal),
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      if (!may(journal)) return NO_VALUES;
      const { changes } = await readRecent(call, journal, contract.registry, {
        typeName: entity.typeName,
        signal,
      });
      const records = changes.flatMap(({ message }) => message ?? []);
      const values = missing.map(
        ({ name }) => [name, new Set(records.map((record) => textOf(record, entity.desc, name)))] as const,
      );
      return Object.fromEntries(values.flatMap(([name, all]) => (all.size === 1 ? [[name, [...all].join("")]] : [])));
    },
  });
  return asked.isLoading ? undefined : (asked.data ?? group);
}

/** The group of a caller who administers one only, by the request field of a list that names the group. */
export function onlyGroup(caller: Caller, operation: Operation | undefined): Readonly<Record<string, string>> {
  const field = operation?.groupField ?? "";
  if (caller.realm !== Realm.GROUP_ADMIN || field === "") return NO_VALUES;
  const [id, ...others] = caller.scopes.filter(({ kind }) => kind === ScopeKind.GROUP).map((scope) => scope.id);
  return id === undefined || others.length > 0 ? NO_VALUES : { [field]: id };
}

/** Whether a source takes typed text. */
function searches({ operation }: Source): boolean {
  return operation.searches !== "";
}

/** The fields of a list's request that narrow the list. */
export function filterFields(operation: Operation) {
  return operation.method.input.fields.filter(({ name }) => !PAGING.has(name) && name !== operation.total?.show);
}

interface Page {
  readonly rows: readonly { readonly id: string; readonly message: Message }[];
  readonly next: string | undefined;
  /** The count of the whole list, on the first page of a list that counts. */
  readonly count?: ListCount | undefined;
}

/** The number of records of a list. */
export interface ListCount {
  readonly size: number;
  /** There are more. */
  readonly capped: boolean;
}

/** The count as text, in the reader's number format: "37", "1,000+". */
export function countText({ size, capped }: ListCount, locale: string): string {
  return `${new Intl.NumberFormat(locale).format(size)}${capped ? "+" : ""}`;
}

/** The typed text of a search that nothing else narrows; empty otherwise. */
function searchedText(operation: Operation, request: Message | undefined): string {
  if (operation.searches === "" || request === undefined) return "";
  const { input } = operation.method;
  const set = filterFields(operation).filter((field) => reflect(input, request).isSet(field));
  return set.length === 1 && set[0]?.name === operation.searches
    ? textOf(request, input, operation.searches).trim()
    : "";
}

/** The most people who are added to a search by what is on their orders. */
const BUYERS = 20;

/** The people on whose orders the text is. The code is loaded with the first search: a first visit does without. */
async function findMore(known: Console, entity: Entity, typed: string, signal: AbortSignal) {
  const { findBuyers } = await import("../console/find.ts");
  return findBuyers(known, entity, typed, BUYERS, signal);
}

/** The rows of a source, page by page. `request` is undefined until the required fields are known. */
export function useRows(entity: Entity, source: Source, request: Message | undefined) {
  const known = useConsole();
  const { call, contract } = known;
  const query = useInfiniteQuery({
    queryKey: [
      "rows",
      entity.typeName,
      source.id,
      request === undefined
        ? null
        : JSON.stringify(request, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ],
    enabled: source.kind === "recent" || request !== undefined,
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      if (source.kind === "recent") {
        const page = await readRecent(call, source.operation, contract.registry, {
          before: pageParam === "" ? undefined : BigInt(pageParam),
          typeName: entity.typeName,
          signal,
        });
        const rows = page.changes.flatMap(({ entityId, message, removed }) =>
          message === undefined || removed ? [] : [{ id: entityId, message }],
        );
        return { rows, next: page.before > 0n ? String(page.before) : undefined };
      }
      const { method, total } = source.operation;
      const first = pageParam === "";
      const filled = requestOf(source.operation, {
        page_size: first ? FIRST_PAGE : PAGE,
        page_token: pageParam,
        ...(total === undefined ? {} : { [total.show]: first }),
      });
      const paging = method.input.fields.filter(({ name }) => PAGING.has(name) || name === total?.show);
      const added = paging.map(({ localName }) => localName);
      const answer = await call(source.operation, { ...request, ...pick(filled, added) } as Message, { signal });
      const listed = method.output.fields.find((field) => field.fieldKind === "list" && field.message === entity.desc);
      const items =
        listed === undefined ? [] : ((answer as unknown as Record<string, Message[]>)[listed.localName] ?? []);
      const next = textOf(answer, method.output, "next_page_token");
      const own = items.map((message) => ({ id: textOf(message, entity.desc, "id"), message }));
      // People are found by what is on their orders, too.
      const typed = first ? searchedText(source.operation, request) : "";
      const buyers = typed === "" ? [] : await findMore(known, entity, typed, signal);
      const more = buyers.filter(({ id }) => own.every((one) => one.id !== id));
      return {
        rows: [...own, ...more],
        next: next === "" ? undefined : next,
        count:
          total === undefined || !first
            ? undefined
            : {
                size: Number(valueOf(answer, method.output, total.size) ?? 0) + more.length,
                capped: valueOf(answer, method.output, total.capped) === true,
              },
      };
    },
    getNextPageParam: (last) => last.next,
  });
  const rows = useMemo(() => merge(query.data?.pages ?? [], entity), [query.data, entity]);
  return { ...query, rows, count: query.data?.pages[0]?.count };
}

/** The rows of the loaded pages. Rows of a page are made once and kept when further pages arrive. */
const made = new WeakMap<Page, readonly Row[]>();

/** The newest version of each record, in the order of arrival. */
function merge(pages: readonly Page[], entity: Entity): Row[] {
  const rows = new Map<string, Row>();
  for (const page of pages) {
    const own =
      made.get(page) ??
      page.rows.map(({ id, message }) => ({ id, record: reflect(entity.desc, message, false) as ReflectMessage }));
    made.set(page, own);
    for (const row of own) if (!rows.has(row.id)) rows.set(row.id, row);
  }
  return [...rows.values()];
}

function pick(message: Message, names: readonly string[]): Record<string, unknown> {
  const all = message as unknown as Record<string, unknown>;
  return Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
}
