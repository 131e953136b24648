// What is asked for again once something was changed: whatever screen shows it.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** The first words of the keys of what a change can concern: records, what happened to them, lists, journals. */
const CHANGING = ["record", "history", "rows", "journal"];

/** Asks for all of it again, as far as it is on the screen. */
export function useReread(): () => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback(() => Promise.all(CHANGING.map((name) => queries.invalidateQueries({ queryKey: [name] }))), [queries]);
}
