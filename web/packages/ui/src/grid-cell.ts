/** The grid's cell in the tab order, and its movement by keys. The head is row -1. */
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";

/** The position of a cell. */
export type Place = { row: number; column: number };

type Extent = {
  scroll: RefObject<HTMLDivElement | null>;
  rows: number;
  columns: number;
  /** Scrolls a row into the page. */
  reveal: (row: number) => void;
};

/** The cell that has the focus, or would get it. */
export function useCell({ scroll, rows, columns, reveal }: Extent) {
  const [at, setAt] = useState<Place>({ row: 0, column: 0 });
  const wantsFocus = useRef(false);
  // The cell may be drawn after the move: it takes the focus once it is drawn.
  useEffect(() => {
    if (!wantsFocus.current) return;
    const cell = scroll.current?.querySelector<HTMLElement>(`[data-at="${at.row}:${at.column}"]`);
    if (!cell) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  function go(row: number, column: number) {
    const place = { row: Math.max(-1, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
    wantsFocus.current = true;
    setAt(place);
    if (place.row >= 0) reveal(place.row);
  }
  const focusable = (row: number, column: number) => ({
    "data-at": `${row}:${column}`,
    tabIndex: at.row === row && at.column === column ? 0 : -1,
    onFocus: () => setAt((before) => (before.row === row && before.column === column ? before : { row, column })),
  });
  return { at, go, focusable };
}

/** The properties that make a cell focusable. */
export type Focusable = ReturnType<typeof useCell>["focusable"];

/** The state that keys act on in a grid. */
export type Doings = {
  at: Place;
  go: (row: number, column: number) => void;
  /** Rows of a page, rows, columns. */
  page: number;
  rows: number;
  columns: number;
  /** Sorts by a heading, or opens a row. */
  press: () => void;
  /** Present where rows can be ticked. */
  ticks: { tick: (row: number, range: boolean) => void; tickAll: () => void } | undefined;
};

/** The action of a key; undefined for a key that the grid does not use. */
export function doingOf(
  event: KeyboardEvent,
  { at, go, page, rows, columns, press, ticks }: Doings,
): (() => void) | undefined {
  if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return undefined;
  if (event.metaKey || event.altKey) return undefined;
  const last = columns - 1;
  if (event.ctrlKey) {
    const far: Record<string, () => void> = {
      Home: () => go(0, 0),
      End: () => go(rows - 1, last),
      a: () => ticks?.tickAll(),
    };
    return far[event.key];
  }
  const space = () => {
    if (at.row >= 0) ticks?.tick(at.row, event.shiftKey);
    else if (ticks && at.column === 0) ticks.tickAll();
    else press();
  };
  const near: Record<string, () => void> = {
    ArrowDown: () => go(at.row + 1, at.column),
    ArrowUp: () => go(at.row - 1, at.column),
    j: () => go(at.row + 1, at.column),
    k: () => go(at.row - 1, at.column),
    ArrowRight: () => go(at.row, at.column + 1),
    ArrowLeft: () => go(at.row, at.column - 1),
    PageDown: () => go(at.row + page, at.column),
    PageUp: () => go(Math.max(0, at.row - page), at.column),
    Home: () => go(at.row, 0),
    End: () => go(at.row, last),
    " ": space,
    x: () => (at.row >= 0 ? ticks?.tick(at.row, event.shiftKey) : undefined),
    Enter: press,
  };
  return near[event.key];
}
