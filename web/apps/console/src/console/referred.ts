// Reads what the titles of other records are made of: one call per domain for all records that a page refers to.
import { create, type Message } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { GetTitlesResponse } from "@pavise/schema/pavise/common/v1/title_pb";
import type { Entity, Operation } from "../contract/operation.ts";
import { entityNamedBy } from "./references.ts";
import type { Console } from "./console.ts";
import { requestOf } from "./calls.ts";
import type { TitleOf } from "./titles.ts";

/** The most references of one call. */
const MOST = 500;

/** A record that something refers to. */
export interface Reference {
  readonly entity: Entity;
  readonly id: string;
}

type Waiting = Reference & {
  readonly settle: (message: Message | null) => void;
  readonly fail: (error: unknown) => void;
};

/** The call that answers the titles of an entity's records; undefined when there is none or the caller may not read them. */
export function titlesOf({ contract, may }: Console, entity: Entity): Operation | undefined {
  const readable = contract.operations.some(
    (operation) => operation.answers === "one" && operation.entity === entity && may(operation),
  );
  const titles = contract.operations.find(({ kind, domain }) => kind === "titles" && domain === entity.domain);
  return readable && may(titles) ? titles : undefined;
}

/** Collects the references that are asked for in the same moment, and asks for them together. */
export class TitleLoader {
  readonly #known: Console;
  #waiting: Waiting[] = [];

  constructor(known: Console) {
    this.#known = known;
  }

  /** The fields that a record's title needs; null when it is not found, or nobody answers its title. */
  load(entity: Entity, id: string): Promise<Message | null> {
    if (titlesOf(this.#known, entity) === undefined) return Promise.resolve(null);
    return new Promise((settle, fail) => {
      this.#waiting.push({ entity, id, settle, fail });
      if (this.#waiting.length === 1) setTimeout(() => this.#ask(), 0);
    });
  }

  #ask() {
    const all = this.#waiting;
    this.#waiting = [];
    for (const waiting of grouped(all, ({ entity }) => entity.domain)) {
      const references = grouped(waiting, keyOf);
      for (let from = 0; from < references.length; from += MOST) void this.#askFor(references.slice(from, from + MOST));
    }
  }

  async #askFor(references: readonly (readonly Waiting[])[]) {
    const all = references.flat();
    const [first] = all;
    const operation = first === undefined ? undefined : titlesOf(this.#known, first.entity);
    if (operation === undefined) return;
    try {
      await this.#known.contract.load(operation.domain);
      const asked = references.flatMap(([one]) => (one === undefined ? [] : [{ type: one.entity.name, id: one.id }]));
      const request = requestOf(operation, {});
      const described = operation.method.input.field["references"]?.message;
      if (described === undefined) throw new Error("the call of titles takes no references");
      // A plain object is no message: it could not be written.
      Object.assign(request, { references: asked.map((one) => create(described, one)) });
      const { titles } = (await this.#known.call(operation, request)) as GetTitlesResponse;
      const found = new Map(
        titles.map(({ reference, entity }): [string, typeof entity] => [
          `${reference?.type ?? ""}/${reference?.id ?? ""}`,
          entity,
        ]),
      );
      for (const one of all) {
        const entity = found.get(keyOf(one));
        one.settle(entity === undefined ? null : (anyUnpack(entity, this.#known.contract.registry) ?? null));
      }
    } catch (error) {
      for (const one of all) one.fail(error);
    }
  }
}

/** The items with the same key together, in the order of their first. */
function grouped<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function keyOf({ entity, id }: Reference): string {
  return `${entity.name}/${id}`;
}

/** The references whose titles an entity's title names, such as `owner_id.title`. */
export function referencesIn({ contract }: Console, entity: Entity, message: Message): Reference[] {
  const record = reflect(entity.desc, message, false);
  const named = [...(entity.display?.title ?? "").matchAll(/[{|]([a-z_0-9]+)\.title[|}]/g)].map(([, name]) => name);
  return named.flatMap((name) => {
    const field = record.fields.find((one) => one.name === name);
    const of = field === undefined ? undefined : entityNamedBy(contract, field);
    const id = field === undefined ? "" : String(record.get(field));
    return of === undefined || id === "" ? [] : [{ entity: of, id }];
  });
}

/** The title of a record by its reference, from what was loaded. */
export function titleFrom(
  known: Console,
  loaded: readonly (Reference & { readonly message: Message | null | undefined })[],
  titled: (entity: Entity, id: string, message: Message) => string,
): TitleOf {
  return (field, id) => {
    const entity = entityNamedBy(known.contract, field);
    const found = loaded.find((one) => one.entity === entity && one.id === id);
    if (entity === undefined || found?.message === undefined || found.message === null) return "";
    return titled(entity, id, found.message);
  };
}
