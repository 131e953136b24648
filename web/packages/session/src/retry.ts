// Asks again what the page waits for.
import type { Query, QueryClient } from "@tanstack/react-query";

const waits = ({ state }: Query) => state.data === undefined && state.fetchStatus !== "idle";

/** Drops the calls that nobody answered yet, and makes them again. */
export async function askAgain(answers: QueryClient): Promise<void> {
  const waiting = new Set(answers.getQueryCache().findAll({ predicate: waits }));
  const predicate = (query: Query) => waiting.has(query);
  await answers.cancelQueries({ predicate });
  await answers.refetchQueries({ predicate });
}
