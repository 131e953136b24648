// Reads data again after a change, on whichever screen shows it.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** First words of the query keys that a change can affect: records, histories, lists, journals. */
const CHANGING = ["record", "history", "rows", "journal"];

/** Invalidates all of these queries; those on the screen are read again. */
export function useReread(): () => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback(
    () => Promise.all(CHANGING.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
    [queries],
  );
}
