/** Ticked rows: a single row, a range, all rows. */
import { useRef } from "react";

type Line = { readonly id: string };

/** Ticks of rows; undefined where rows cannot be ticked. */
export function useTicks(
  rows: readonly Line[],
  selected: ReadonlySet<string> | undefined,
  onSelect: ((ids: Set<string>) => void) | undefined,
) {
  // The last ticked row, where a range begins.
  const anchor = useRef(0);
  if (onSelect === undefined) return undefined;
  const all = () => rows.length > 0 && rows.every(({ id }) => selected?.has(id));
  function tick(row: number, range: boolean) {
    const here = rows[row]?.id;
    if (here === undefined) return;
    const next = new Set(selected);
    const on = !next.has(here);
    const [from, to] = range ? [Math.min(anchor.current, row), Math.max(anchor.current, row)] : [row, row];
    for (const { id } of rows.slice(from, to + 1)) {
      if (on) next.add(id);
      else next.delete(id);
    }
    anchor.current = row;
    onSelect?.(next);
  }
  return {
    has: (id: string) => selected?.has(id) ?? false,
    all,
    tick,
    tickAll: () => onSelect(all() ? new Set() : new Set(rows.map(({ id }) => id))),
  };
}

/** The ticks of a grid. */
export type Ticks = NonNullable<ReturnType<typeof useTicks>>;
