/* oxlint-disable jsx-a11y/interactive-supports-focus -- its cells are in the tab order one at a time */
/**
 * Records in rows: an ARIA grid over TanStack Table and Virtual. Only visible rows are in the page, so that a hundred
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
import { useEffect, useMemo, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from "react";
import { classes } from "./classes.ts";
import { doingOf, useCell } from "./grid-cell.ts";
import { Bones, Head, MIN, Row, TICK, type Shown } from "./GridParts.tsx";
import { useTicks } from "./grid-ticks.ts";
import styles from "./Grid.module.css";

/** A column of a grid. */
export type GridColumn<T> = {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Pixels; 160 by default. */
  width?: number;
  /** Aligns to the end of the line, for numbers and amounts. */
  end?: boolean;
  sortable?: boolean;
};

export type GridSort = { column: string; descending: boolean };

export type GridProps<T extends RowData> = {
  /** The name of the rows, for screen readers. */
  label: string;
  rows: readonly T[];
  columns: readonly GridColumn<T>[];
  rowId: (row: T) => string;
  onOpen?: (row: T) => void;
  /** Ids of hidden columns. */
  hidden?: ReadonlySet<string>;
  /** Widths that the user dragged, by column. */
  widths?: Readonly<Record<string, number>>;
  onWidths?: (widths: Record<string, number>) => void;
  sort?: GridSort | null;
  onSort?: (sort: GridSort | null) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (ids: Set<string>) => void;
  /** Whether a row can be ticked. */
  compact?: boolean;
  /** The first rows are being loaded. */
  loading?: boolean;
  /** Whether there are more rows; they are requested near the end. */
  onEnd?: () => void;
  loadingMore?: boolean;
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode;
  /** The number of all rows, if known. */
  total?: number;
  foot?: ReactNode;
  /** Pixels, or a CSS length; by default the height of the container. */
  height?: number | string;
  className?: string | undefined;
};

const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
/** How many rows before the end the next ones are requested. */
const AHEAD = 20;

/** Rows and columns. */
export function Grid<T extends RowData>(props: GridProps<T>) {
  const { label, onOpen, widths, onWidths, sort, onSort, selected, onSelect } = props;
  const { compact, loading, onEnd, loadingMore, empty, total, height, className } = props;
  const { _ } = useLingui();
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(compact === true);
  const { model, shown } = useModel(props);
  const ticks = useTicks(model, selected, onSelect);
  const columns = shown.length + (ticks ? 1 : 0);

  const virtual = useVirtualizer({
    count: model.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The head covers the height of the first row in the scrolled part.
    scrollPaddingStart: rowHeight,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd && !loadingMore && model.length > 0 && last >= model.length - AHEAD) onEnd();
  }, [last, model.length, onEnd, loadingMore]);
  useEffect(() => virtual.measure(), [rowHeight, virtual]);
  const { at, go, focusable } = useCell({
    scroll,
    rows: model.length,
    columns,
    reveal: (row) => virtual.scrollToIndex(row),
  });

  function sortBy(column: GridColumn<T>) {
    if (!column.sortable || !onSort) return;
    if (sort?.column !== column.id) onSort({ column: column.id, descending: false });
    else onSort(sort.descending ? null : { column: column.id, descending: true });
  }

  function press() {
    const heading = at.row < 0 ? shown[at.column - (ticks ? 1 : 0)] : undefined;
    const row = model[at.row];
    if (heading) sortBy(heading);
    else if (row && onOpen) onOpen(row.original);
  }

  function onKeyDown(event: KeyboardEvent) {
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 400) / rowHeight) - 2);
    const run = doingOf(event, { at, go, page, rows: model.length, columns, press, ticks });
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  const reachable = at.row === -1 || items.some((item) => item.index === at.row);
  return (
    <div className={classes(styles.frame, className)} style={{ height, "--row": `${rowHeight}px` } as CSSProperties}>
      <div ref={scroll} className={styles.scroll}>
        <div
          role="grid"
          aria-label={label}
          aria-rowcount={(total ?? model.length) + 1}
          aria-colcount={columns}
          aria-busy={loading === true}
          {...(ticks ? { "aria-multiselectable": true } : {})}
          className={styles.grid}
          style={{ width: shown.reduce((sum, { size }) => sum + size, ticks ? TICK : 0) }}
          onKeyDown={onKeyDown}
          // When the focused cell is scrolled out of the page, the grid itself is in the tab order.
          tabIndex={reachable ? undefined : 0}
        >
          <Head
            shown={shown}
            ticks={ticks}
            focusable={focusable}
            sort={sort}
            onSort={onSort && sortBy}
            onSize={onWidths && ((column, size) => onWidths({ ...widths, [column]: size }))}
          />
          <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = model[index];
              return row ? (
                <Row
                  key={row.id}
                  index={index}
                  start={start}
                  row={row}
                  shown={shown}
                  ticks={ticks}
                  focusable={focusable}
                  current={at.row === index}
                  onOpen={onOpen}
                />
              ) : null;
            })}
          </div>
        </div>
        {model.length > 0 ? null : loading ? <Bones /> : <div className={styles.below}>{empty ?? _("ui.nothing")}</div>}
      </div>
      <Foot {...props} count={total ?? model.length} />
    </div>
  );
}

/** The shown rows, and the shown columns with their current widths. */
function useModel<T extends RowData>({ rows, columns, rowId, hidden, widths }: GridProps<T>) {
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
  const shown = table.getVisibleLeafColumns().flatMap((column): Shown<T>[] => {
    const said = columns.find((one) => one.id === column.id);
    return said ? [{ ...said, size: column.getSize() }] : [];
  });
  return { model: table.getRowModel().rows, shown };
}

/** How many rows there are, how many are ticked, and whether more are being loaded. */
function Foot<T extends RowData>({ count, loading, loadingMore, selected, foot }: GridProps<T> & { count: number }) {
  const { _ } = useLingui();
  return (
    <div className={styles.foot}>
      <span role="status">
        {loading ? _("ui.loading") : _("ui.grid.count", { count })}
        {selected && selected.size > 0 ? ` · ${_("ui.grid.selected", { count: selected.size })}` : ""}
        {loadingMore ? ` · ${_("ui.loading")}` : ""}
      </span>
      {foot}
    </div>
  );
}

/** The row height from the design token; the member app's is larger, for touch. */
function useRowHeight(compact: boolean): number {
  return useMemo(() => {
    const said = getComputedStyle(document.documentElement).getPropertyValue(
      compact ? "--row-height-compact" : "--row-height",
    );
    return Number.parseFloat(said) || 32;
  }, [compact]);
}
