// The titles of records that a page refers to.
import { useQueries, useQuery } from "@tanstack/react-query";
import type { Entity } from "../contract/operation.ts";
import { useConsole, type Console } from "./console.ts";
import { referencesIn, titleFrom } from "./referred.ts";
import { titleText } from "./titles.ts";

/** How long a title is good, in milliseconds. */
const PATIENCE = 60_000;

function queryOf(known: Console, entity: Entity, id: string) {
  return {
    queryKey: ["title", entity.typeName, id],
    staleTime: PATIENCE,
    retry: false,
    queryFn: () => known.titled(entity, id),
  };
}

/** The title of a record; undefined as long as it is not known, or when the reader may not know it. */
export function useTitle(entity: Entity, id: string): string | undefined {
  const known = useConsole();
  const { data } = useQuery({ ...queryOf(known, entity, id), enabled: id !== "" });
  const references = data === undefined || data === null ? [] : referencesIn(known, entity, data);
  const loaded = useQueries({
    queries: references.map((one) => queryOf(known, one.entity, one.id)),
    combine: (results) => ({
      pending: results.some(({ isPending }) => isPending),
      messages: results.map((result) => result.data),
    }),
  });
  if (data === undefined || data === null || loaded.pending) return undefined;
  const found = references.map((one, index) => ({
    entity: one.entity,
    id: one.id,
    message: loaded.messages[index],
  }));
  const titleOf = titleFrom(known, found, (of, itsId, message) => titleText(of, itsId, message, known.saying));
  const title = titleText(entity, id, data, known.saying, titleOf);
  return title === id ? undefined : title;
}
