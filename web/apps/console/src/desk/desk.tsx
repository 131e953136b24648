/** The registration of a desk. Each desk has a file `<domain>/<name>.desk.ts` whose default export is one. */
import { lazy, type ComponentType } from "react";

/** A page of a desk, and the id of the record that its address names. */
export type DeskPage = ComponentType<{ id: string }>;

/** A desk: a hand-made page for work on several records at once. */
export interface Desk {
  readonly path: string;
  readonly label: string;
  /** Pressed after `g` to go there. It is a capital because lists have the small letters. */
  readonly key: string;
  /** The call that the desk needs at least: `OrderService/GetOrder`. */
  readonly needs: string;
  /** The page at the desk of a record of each entity that the desk claims. Its records link to it. The
   * types of their domains are loaded with the desk. */
  readonly records: Readonly<Record<string, (id: string, ownerId: string) => string>>;
  /** The pages by their paths below the desk's own: `""` is the first, `/$id` that of a record. */
  readonly pages: Readonly<Record<string, DeskPage>>;
}

/** The page of a record whose address ends with its id. */
export function at(path: string): (id: string) => string {
  return (id) => `${path}/${encodeURIComponent(id)}`;
}

/** A page whose code is fetched when somebody first opens it. */
export function pageOf(load: () => Promise<DeskPage>): DeskPage {
  return lazy(async () => ({ default: await load() }));
}

/** The first page of a desk for the records of one entity, such as `orders.Order`: a search, and the newest ones. */
export function finderOf(entity: string, path: string, label: string): DeskPage {
  return pageOf(async () => {
    const { Finder } = await import("./Finder.tsx");
    return () => <Finder name={entity} path={path} label={label} />;
  });
}
