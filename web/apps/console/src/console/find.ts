// Finds records of an entity by typed text: an id, a name, an e-mail address.
import type { Message } from "@bufbuild/protobuf";
import { constraintsOf } from "@pavise/descform/constraints.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { getOf, journalOf, listsOf, searchOf } from "../contract/screens.ts";
import { requestOf, textOf, type Given } from "./calls.ts";
import type { Console } from "./console.ts";
import { readHistory, readRecent } from "./journal.ts";
import { referencesIn, titleFrom } from "./referred.ts";
import { titledOf, type Titled } from "./titles.ts";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-(?:[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** Number of newest records that are looked through where the server has no search. Older ones are found by their id. */
export const LOOKED_THROUGH = 200;
/** The most records that are offered. */
const OFFERED = 20;
/** The brand in which offers are searched when no other brand is known. */
const BRAND = "pavise";

/** How far a search for records reaches: through all of them, or only the newest. */
export function reachOf({ contract, may }: Console, entity: Entity): "all" | "newest" {
  return may(searchOf(contract, entity)) ? "all" : "newest";
}

/** The records that match the typed text; only those of one owner, when the owner is known. */
export async function findRecords(
  known: Console,
  entity: Entity,
  typed: string,
  owner: string,
  signal?: AbortSignal,
): Promise<Titled[]> {
  await known.contract.load(entity.domain);
  const wanted = typed.trim();
  if (UUID.test(wanted)) {
    const one = await recordById(known, entity, wanted, owner, signal);
    return one === undefined ? [] : [one];
  }
  const search = searchOf(known.contract, entity);
  const begin = known.may(search) ? await searched(known, entity, search, wanted, owner, OFFERED, signal) : undefined;
  if (begin !== undefined && wanted === "") return begin;
  const people = withBuyers(begin ?? [], await buyersOf(known, entity, wanted, signal));
  if (people.length > 0) return people.slice(0, OFFERED);
  const [exact, newest] = await Promise.all([
    begin ?? exactly(known, entity, wanted, signal),
    newestOf(known, entity, owner, signal),
  ]);
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const near = newest.filter(({ id, title, detail }) =>
    parts.every((part) => `${title} ${detail} ${id}`.toLowerCase().includes(part)),
  );
  return [...exact, ...near.filter(({ id }) => exact.every((one) => one.id !== id))].slice(0, OFFERED);
}

/** The most people who are found by what is on their orders. */
const BUYERS = 5;

/** The identities that bought with the typed name, address or telephone number, as records with their titles. */
async function buyersOf(known: Console, entity: Entity, typed: string, signal?: AbortSignal): Promise<Titled[]> {
  return titledAll(known, entity, await findBuyers(known, entity, typed, BUYERS, signal));
}

/** A record's message and its id. */
export type Found = { readonly id: string; readonly message: Message };

/**
 * The identities that bought with the typed name, address or telephone number, where the caller may search orders; none of
 * another entity.
 */
export async function findBuyers(
  known: Console,
  entity: Entity,
  typed: string,
  most: number,
  signal?: AbortSignal,
): Promise<Found[]> {
  const orders = known.contract.entities.find(({ name, service }) => name === "Order" && service === "orders");
  const search = orders === undefined ? undefined : searchOf(known.contract, orders);
  if (entity.name !== "Identity" || typed === "" || orders === undefined || search === undefined || !known.may(search))
    return [];
  await known.contract.load(entity.domain, orders.domain);
  const request = requestOf(search, { [search.searches]: typed, page_size: OFFERED });
  const answer = await known.call(search, request, { signal });
  const owners = itemsOf(orders, search, answer).map((order) => textOf(order, orders.desc, "owner_id"));
  const ids = [...new Set(owners.filter((id) => id !== ""))].slice(0, most);
  const people = await Promise.all(ids.map((id) => messageById(known, entity, id, id, signal)));
  return people.flatMap((message, at) => (message === undefined ? [] : [{ id: ids[at] ?? "", message }]));
}

/** Those who were found, and the buyers who are not among them. */
function withBuyers(found: readonly Titled[], buyers: readonly Titled[]): Titled[] {
  return [...found, ...buyers.filter(({ id }) => found.every((one) => one.id !== id))];
}

/** The most records per entity in a search of all entities. */
const OFFERED_OF_EACH = 6;

/** A record and its entity. */
export interface FoundRecord {
  readonly entity: Entity;
  readonly record: Titled;
}

/** Records of all searchable entities by the start of their names; by whole names if the caller may not search. */
export async function findEverywhere(known: Console, typed: string, signal?: AbortSignal): Promise<FoundRecord[]> {
  const { contract, may } = known;
  const found = contract.entities.map(async (entity): Promise<FoundRecord[]> => {
    const search = searchOf(contract, entity);
    if (search === undefined) return [];
    await contract.load(entity.domain);
    const wanted = typed.trim();
    const own = may(search)
      ? await searched(known, entity, search, wanted, "", OFFERED_OF_EACH, signal)
      : await exactly(known, entity, wanted, signal);
    const records = withBuyers(own, await buyersOf(known, entity, wanted, signal));
    return records.map((record) => ({ entity, record }));
  });
  return (await Promise.all(found)).flat();
}

async function searched(
  known: Console,
  entity: Entity,
  search: Operation,
  typed: string,
  owner: string,
  count: number,
  signal?: AbortSignal,
): Promise<Titled[]> {
  const request = requestOf(search, {
    [search.searches]: typed,
    page_size: count,
    ...(search.ownerField === "" ? {} : { [search.ownerField]: owner }),
  });
  return rowsOf(known, entity, search, await known.call(search, request, { signal }));
}

/** One record; undefined when it does not exist or the caller may not read it. */
export async function recordById(
  known: Console,
  entity: Entity,
  id: string,
  owner: string,
  signal?: AbortSignal,
): Promise<Titled | undefined> {
  await known.contract.load(entity.domain);
  const message = await messageById(known, entity, id, owner, signal);
  return message === undefined ? undefined : (await titledAll(known, entity, [{ id, message }]))[0];
}

async function messageById(
  known: Console,
  entity: Entity,
  id: string,
  owner: string,
  signal?: AbortSignal,
): Promise<Message | undefined> {
  const { contract, call, may } = known;
  const get = getOf(contract, entity);
  const given = get === undefined ? undefined : fill(known, get, owner, { [get.idField?.name ?? "id"]: id });
  if (may(get) && given !== undefined) {
    try {
      return await call(get, requestOf(get, given), { signal });
    } catch (error) {
      // This call does not find a record of another owner; the journal may still have it.
      if (!["notFound", "permission"].includes(problemOf(error).kind)) throw error;
    }
  }
  const journal = journalOf(contract, entity.service);
  if (!may(journal)) return undefined;
  const last = (await readHistory(call, journal, id, contract.registry, signal)).at(-1);
  return last?.typeName === entity.typeName ? last.message : undefined;
}

/** Fills a request's required fields from what is known; undefined when it requires a field that is not known. */
function fill({ contract }: Console, operation: Operation, owner: string, given: Given): Given | undefined {
  const constraints = constraintsOf(contract.registry);
  const filled: Record<string, unknown> = { ...given };
  for (const field of operation.method.input.fields) {
    const names = [operation.ownerField, "identity_id"].includes(field.name)
      ? owner
      : field.name === "brand"
        ? BRAND
        : "";
    if (filled[field.name] === undefined && names !== "") filled[field.name] = names;
    if (constraints(field).required && filled[field.name] === undefined) return undefined;
  }
  return filled;
}

/** Records that a list finds by an exact value: an address, a name, a number. */
async function exactly(known: Console, entity: Entity, typed: string, signal?: AbortSignal): Promise<Titled[]> {
  if (typed === "") return [];
  const by = typed.includes("@") ? "email" : typed.includes("/") ? "classic_id" : "username";
  const list = listsOf(known.contract, entity).find(({ method }) =>
    method.input.fields.some(({ name }) => name === by),
  );
  if (list === undefined || !known.may(list)) return [];
  const given = fill(known, list, "", { [by]: typed });
  if (given === undefined) return [];
  try {
    return rowsOf(known, entity, list, await known.call(list, requestOf(list, given), { signal }));
  } catch (error) {
    // An incomplete e-mail address is not searched.
    if (problemOf(error).kind === "fields") return [];
    throw error;
  }
}

async function newestOf(known: Console, entity: Entity, owner: string, signal?: AbortSignal): Promise<Titled[]> {
  const { contract, call, may } = known;
  for (const list of listsOf(contract, entity).filter(may)) {
    const given = fill(known, list, owner, { page_size: LOOKED_THROUGH });
    if (given !== undefined) return rowsOf(known, entity, list, await call(list, requestOf(list, given), { signal }));
  }
  const journal = journalOf(contract, entity.service);
  if (!may(journal)) return [];
  const { changes } = await readRecent(call, journal, contract.registry, { typeName: entity.typeName, signal });
  const seen = new Map(
    changes
      .toReversed()
      .flatMap(({ entityId, message, removed }) =>
        message === undefined || removed ? [] : [[entityId, message] as const],
      ),
  );
  const all = [...seen].toReversed().map(([id, message]) => ({ id, message }));
  return titledAll(
    known,
    entity,
    all.filter(({ message }) => owner === "" || textOf(message, entity.desc, "owner_id") === owner),
  );
}

function itemsOf(entity: Entity, list: Operation, answer: Message): readonly Message[] {
  const listed = list.method.output.fields.find((field) => field.fieldKind === "list" && field.message === entity.desc);
  return listed === undefined ? [] : ((answer as unknown as Record<string, Message[]>)[listed.localName] ?? []);
}

async function rowsOf(known: Console, entity: Entity, list: Operation, answer: Message): Promise<Titled[]> {
  return titledAll(
    known,
    entity,
    itemsOf(entity, list, answer).map((message) => ({ id: textOf(message, entity.desc, "id"), message })),
  );
}

/** Records with their titles, and with those of the records that the titles name. */
async function titledAll(
  known: Console,
  entity: Entity,
  records: readonly { readonly id: string; readonly message: Message }[],
): Promise<Titled[]> {
  const references = records.flatMap(({ message }) => referencesIn(known, entity, message));
  const loaded = await Promise.all(
    references.map(async ({ entity: of, id }) => ({
      entity: of,
      id,
      message: await known.titled(of, id).catch(() => null),
    })),
  );
  const titleOf = titleFrom(known, loaded, (of, id, message) => titledOf(of, id, message, known.saying).title);
  return records.map(({ id, message }) => titledOf(entity, id, message, known.saying, titleOf));
}
