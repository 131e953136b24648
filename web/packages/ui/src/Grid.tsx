/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid itself answers the keys, and its cells are in the tab order one at a time */
/**
 * Records in rows: an ARIA grid over TanStack Table and Virtual. Only what is seen is in the page, so that a hundred
 * thousand rows scroll like ten. One cell is in the tab order; arrows, Home, End, Page Up and Down and `j` `k` move,
 * Enter opens a row, Space or `x` ticks it.
 */
import { useLingui } from "@lingui/react";
import {
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from "react";
import { classes } from "./classes.ts";
import { IconDown, IconUp } from "./icons.tsx";
import { Skeleton } from "./Progress.tsx";
import styles from "./Grid.module.css";

/** A column of a grid. */
export type GridColumn<T> = {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Pixels; 160 when not said. */
  width?: number;
  /** Numbers and amounts stand at the end of the line. */
  end?: boolean;
  sortable?: boolean;
};

export type GridSort = { column: string; descending: boolean };

export type GridProps<T extends RowData> = {
  /** What the rows are, for a screen reader. */
  label: string;
  rows: readonly T[];
  columns: readonly GridColumn<T>[];
  rowId: (row: T) => string;
  onOpen?: (row: T) => void;
  /** Ids of hidden columns. */
  hidden?: ReadonlySet<string>;
  /** Widths that somebody dragged, by column. */
  widths?: Readonly<Record<string, number>>;
  onWidths?: (widths: Record<string, number>) => void;
  sort?: GridSort | null;
  onSort?: (sort: GridSort | null) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (ids: Set<string>) => void;
  /** Whether a row can be ticked. */
  compact?: boolean;
  /** The first rows are on their way. */
  loading?: boolean;
  /** There are more rows; asked for near the end. */
  onEnd?: () => void;
  loadingMore?: boolean;
  /** In place of the rows, when there are none. */
  empty?: ReactNode;
  /** How many there are in all, when that is known. */
  total?: number;
  foot?: ReactNode;
  /** Pixels, or what CSS says; as high as what holds it when not said. */
  height?: number | string;
  className?: string | undefined;
};

const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
const TICK = 40;
const MIN = 56;

function sized(pixels: number, grows: boolean): CSSProperties {
  return { width: pixels, flexGrow: grows ? 1 : 0 };
}

type Place = { row: number; column: number };

/** Rows and columns. */
export function Grid<T extends RowData>(props: GridProps<T>) {
  const { label, rows, columns, rowId, onOpen, hidden, widths, onWidths, sort, onSort, selected, onSelect } = props;
  const { compact, loading, onEnd, loadingMore, empty, total, foot, height, className } = props;
  const { _, i18n } = useLingui();
  const scroll = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Place>({ row: 0, column: 0 });
  const wantsFocus = useRef(false);
  const anchor = useRef(0);
  const rowHeight = useRowHeight(compact === true);

  const definitions = useMemo<ColumnDef<typeof features, T>[]>(
    () => columns.map((column) => ({ id: column.id, header: column.header, size: column.width ?? 160, minSize: MIN })),
    [columns],
  );
  const visibility = useMemo(() => Object.fromEntries([...(hidden ?? [])].map((id) => [id, false])), [hidden]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows as T[],
    getRowId: rowId,
    state: { columnSizing: widths ?? {}, columnVisibility: visibility },
  });
  const shown = table.getVisibleLeafColumns().flatMap((column) => {
    const said = columns.find((one) => one.id === column.id);
    return said ? [{ ...said, size: column.getSize() }] : [];
  });
  const ticks = onSelect !== undefined;
  const lead = ticks ? 1 : 0;
  const lastColumn = shown.length + lead - 1;
  const model = table.getRowModel().rows;

  const virtual = useVirtualizer({
    count: model.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The head lies over the first row's height of the scrolled part.
    scrollPaddingStart: rowHeight,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd && !loadingMore && model.length > 0 && last >= model.length - 20) onEnd();
  }, [last, model.length, onEnd, loadingMore]);
  useEffect(() => virtual.measure(), [rowHeight, virtual]);
  useEffect(() => {
    if (!wantsFocus.current) return;
    const cell = scroll.current?.querySelector<HTMLElement>(`[data-at="${at.row}:${at.column}"]`);
    if (!cell) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  function go(row: number, column: number) {
    const place = { row: Math.max(-1, Math.min(model.length - 1, row)), column: Math.max(0, Math.min(lastColumn, column)) };
    wantsFocus.current = true;
    setAt(place);
    if (place.row >= 0) virtual.scrollToIndex(place.row);
  }

  function tick(row: number, range: boolean) {
    if (!onSelect) return;
    const next = new Set(selected);
    const here = model[row]?.id;
    if (here === undefined) return;
    const on = !next.has(here);
    const [from, to] = range ? [Math.min(anchor.current, row), Math.max(anchor.current, row)] : [row, row];
    for (const one of model.slice(from, to + 1)) {
      if (on) next.add(one.id);
      else next.delete(one.id);
    }
    anchor.current = row;
    onSelect(next);
  }

  function tickAll() {
    if (!onSelect) return;
    const all = model.length > 0 && model.every((row) => selected?.has(row.id));
    onSelect(all ? new Set() : new Set(model.map((row) => row.id)));
  }

  function sortBy(column: GridColumn<T>) {
    if (!column.sortable || !onSort) return;
    if (sort?.column !== column.id) onSort({ column: column.id, descending: false });
    else onSort(sort.descending ? null : { column: column.id, descending: true });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return;
    if (event.ctrlKey && !["Home", "End", "a"].includes(event.key)) return;
    if (event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 400) / rowHeight) - 2);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at.row + 1, at.column),
      ArrowUp: () => go(at.row - 1, at.column),
      j: () => go(at.row + 1, at.column),
      k: () => go(at.row - 1, at.column),
      ArrowRight: () => go(at.row, at.column + 1),
      ArrowLeft: () => go(at.row, at.column - 1),
      PageDown: () => go(at.row + page, at.column),
      PageUp: () => go(Math.max(0, at.row - page), at.column),
      Home: () => (event.ctrlKey ? go(0, 0) : go(at.row, 0)),
      End: () => (event.ctrlKey ? go(model.length - 1, lastColumn) : go(at.row, lastColumn)),
      " ": () => (at.row < 0 ? (ticks && at.column === 0 ? tickAll() : press()) : tick(at.row, event.shiftKey)),
      x: () => (at.row >= 0 ? tick(at.row, event.shiftKey) : undefined),
      a: () => (event.ctrlKey ? tickAll() : undefined),
      Enter: () => press(),
    };
    const move = moves[event.key];
    if (!move || (event.key === "a" && !event.ctrlKey)) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  function press() {
    if (at.row < 0) {
      const column = shown[at.column - lead];
      if (column) sortBy(column);
      return;
    }
    const row = model[at.row];
    if (row && onOpen) onOpen(row.original);
  }

  const width = shown.reduce((sum, column) => sum + column.size, ticks ? TICK : 0);
  const focusable = (row: number, column: number) => ({
    "data-at": `${row}:${column}`,
    tabIndex: at.row === row && at.column === column ? 0 : -1,
    onFocus: () => setAt((before) => (before.row === row && before.column === column ? before : { row, column })),
  });
  const reachable = at.row === -1 || items.some((item) => item.index === at.row);

  return (
    <div className={classes(styles.frame, className)} style={{ height, "--row": `${rowHeight}px` } as CSSProperties}>
      <div ref={scroll} className={styles.scroll}>
        <div
          role="grid"
          aria-label={label}
          aria-rowcount={(total ?? model.length) + 1}
          aria-colcount={shown.length + lead}
          aria-busy={loading === true}
          {...(ticks ? { "aria-multiselectable": true } : {})}
          className={styles.grid}
          style={{ width }}
          onKeyDown={onKeyDown}
          // The focused cell can be scrolled out of the page; then the grid itself is in the tab order.
          tabIndex={reachable ? undefined : 0}
        >
          <div role="rowgroup" className={styles.head}>
            <div role="row" aria-rowindex={1} className={styles.row}>
              {ticks ? (
                <div
                  role="columnheader"
                  aria-colindex={1}
                  aria-label={_("ui.grid.select")}
                  className={classes(styles.heading, styles.tick)}
                  style={sized(TICK, false)}
                  {...focusable(-1, 0)}
                >
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    className={styles.box}
                    aria-label={_("ui.grid.all")}
                    checked={model.length > 0 && model.every((row) => selected?.has(row.id))}
                    onChange={tickAll}
                  />
                </div>
              ) : null}
              {shown.map((column, index) => (
                <div
                  key={column.id}
                  role="columnheader"
                  aria-colindex={index + lead + 1}
                  {...(column.sortable && onSort
                    ? { "aria-sort": sort?.column === column.id ? (sort.descending ? "descending" : "ascending") : "none" }
                    : {})}
                  className={classes(styles.heading, column.sortable && onSort && styles.sortable)}
                  data-end={column.end ? "" : undefined}
                  style={sized(column.size, index === shown.length - 1)}
                  onClick={() => sortBy(column)}
                  {...focusable(-1, index + lead)}
                >
                  <span>{column.header}</span>
                  {sort?.column === column.id ? sort.descending ? <IconDown size={14} /> : <IconUp size={14} /> : null}
                  {onWidths ? (
                    <Resize size={column.size} onSize={(size) => onWidths({ ...widths, [column.id]: size })} />
                  ) : null}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const row = model[item.index];
              if (!row) return null;
              const on = selected?.has(row.id) ?? false;
              return (
                <div
                  key={row.id}
                  role="row"
                  aria-rowindex={item.index + 2}
                  {...(ticks ? { "aria-selected": on } : {})}
                  data-current={at.row === item.index ? "" : undefined}
                  className={styles.row}
                  style={{ transform: `translateY(${item.start}px)`, cursor: onOpen ? "pointer" : undefined }}
                  onClick={() => onOpen?.(row.original)}
                >
                  {ticks ? (
                    <div
                      role="gridcell"
                      aria-colindex={1}
                      className={classes(styles.cell, styles.tick)}
                      style={sized(TICK, false)}
                      onClick={(event) => event.stopPropagation()}
                      {...focusable(item.index, 0)}
                    >
                      <input
                        type="checkbox"
                        tabIndex={-1}
                        className={styles.box}
                        aria-label={_("ui.grid.one", { number: i18n.number(item.index + 1) })}
                        checked={on}
                        onChange={(event) => tick(item.index, (event.nativeEvent as MouseEvent).shiftKey)}
                      />
                    </div>
                  ) : null}
                  {shown.map((column, index) => (
                    <div
                      key={column.id}
                      role="gridcell"
                      aria-colindex={index + lead + 1}
                      className={styles.cell}
                      data-end={column.end ? "" : undefined}
                      style={sized(column.size, index === shown.length - 1)}
                      {...focusable(item.index, index + lead)}
                    >
                      <span>{column.cell(row.original)}</span>
                    </div>
                  ))}
                </div>
              );
            })}
          </div>
        </div>
        {loading && model.length === 0 ? (
          <div className={styles.bones} role="status" aria-label={_("ui.loading")}>
            {Array.from({ length: 12 }, (_unused, index) => (
              <div key={index} className={styles.bone}>
                <Skeleton width={`${72 - ((index * 17) % 40)}%`} />
              </div>
            ))}
          </div>
        ) : null}
        {!loading && model.length === 0 ? <div className={styles.below}>{empty ?? _("ui.nothing")}</div> : null}
      </div>
      <div className={styles.foot}>
        <span role="status">
          {loading ? _("ui.loading") : _("ui.grid.count", { count: total ?? model.length })}
          {selected && selected.size > 0 ? ` · ${_("ui.grid.selected", { count: selected.size })}` : ""}
          {loadingMore ? ` · ${_("ui.loading")}` : ""}
        </span>
        {foot}
      </div>
    </div>
  );
}

/** How high a row is: the token, so that the member app's are for a thumb. */
function useRowHeight(compact: boolean): number {
  return useMemo(() => {
    const said = getComputedStyle(document.documentElement).getPropertyValue(compact ? "--row-height-compact" : "--row-height");
    return Number.parseFloat(said) || 32;
  }, [compact]);
}

/** The edge of a heading that is dragged to make its column wider. The pointer's alone: widths never hide a word for good. */
function Resize({ size, onSize }: { size: number; onSize: (size: number) => void }) {
  return (
    <span
      className={styles.resize}
      aria-hidden
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.preventDefault();
        const from = event.clientX;
        const handle = event.currentTarget;
        handle.setPointerCapture(event.pointerId);
        const move = (moved: PointerEvent) => onSize(Math.max(MIN, Math.round(size + moved.clientX - from)));
        const stop = () => {
          handle.removeEventListener("pointermove", move);
          handle.removeEventListener("pointerup", stop);
        };
        handle.addEventListener("pointermove", move);
        handle.addEventListener("pointerup", stop);
      }}
    />
  );
}
