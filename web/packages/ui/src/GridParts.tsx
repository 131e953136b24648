/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid itself answers the keys, and its cells are in the tab order one at a time */
/** The parts of a grid: its head, a row, the skeleton of rows. */
import { useLingui } from "@lingui/react";
import type { CSSProperties } from "react";
import { classes } from "./classes.ts";
import type { GridColumn, GridSort } from "./Grid.tsx";
import type { Focusable } from "./grid-cell.ts";
import type { Ticks } from "./grid-ticks.ts";
import { IconDown, IconUp } from "./icons.tsx";
import { Skeleton } from "./Progress.tsx";
import { Slow } from "./Slow.tsx";
import styles from "./Grid.module.css";

/** The width of the tick column, and the least width of any other. */
export const TICK = 40;
export const MIN = 56;

/** A shown column with its current width. */
export type Shown<T> = GridColumn<T> & { size: number };

function sized(pixels: number, grows: boolean): CSSProperties {
  return { width: pixels, flexGrow: grows ? 1 : 0 };
}

type HeadProps<T> = {
  shown: readonly Shown<T>[];
  ticks: Ticks | undefined;
  focusable: Focusable;
  sort: GridSort | null | undefined;
  /** Present where rows can be sorted. */
  onSort: ((column: GridColumn<T>) => void) | undefined;
  /** Present where widths can be dragged. */
  onSize: ((column: string, size: number) => void) | undefined;
};

/** The head with the columns' names. */
export function Head<T>({ shown, ticks, focusable, sort, onSort, onSize }: HeadProps<T>) {
  const { _ } = useLingui();
  const lead = ticks ? 1 : 0;
  return (
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
              checked={ticks.all()}
              onChange={ticks.tickAll}
            />
          </div>
        ) : null}
        {shown.map((column, index) => {
          const sortable = column.sortable === true && onSort !== undefined;
          const sorted = sort?.column === column.id ? (sort.descending ? "descending" : "ascending") : "none";
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-colindex={index + lead + 1}
              {...(sortable ? { "aria-sort": sorted } : {})}
              className={classes(styles.heading, sortable && styles.sortable)}
              data-end={column.end ? "" : undefined}
              style={sized(column.size, index === shown.length - 1)}
              onClick={() => onSort?.(column)}
              {...focusable(-1, index + lead)}
            >
              <span>{column.header}</span>
              {sorted === "none" ? null : sorted === "descending" ? <IconDown size={14} /> : <IconUp size={14} />}
              {onSize ? <Resize size={column.size} onSize={(size) => onSize(column.id, size)} /> : null}
            </div>
          );
        })}
      </div>
    </div>
  );
}

type RowProps<T> = {
  /** The row's index, from 0, and its distance from the top. */
  index: number;
  start: number;
  row: { readonly id: string; readonly original: T };
  shown: readonly Shown<T>[];
  ticks: Ticks | undefined;
  focusable: Focusable;
  current: boolean;
  onOpen: ((row: T) => void) | undefined;
};

/** The row of a record. */
export function Row<T>({ index, start, row, shown, ticks, focusable, current, onOpen }: RowProps<T>) {
  const { _, i18n } = useLingui();
  const lead = ticks ? 1 : 0;
  const on = ticks?.has(row.id) ?? false;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(ticks ? { "aria-selected": on } : {})}
      data-current={current ? "" : undefined}
      className={styles.row}
      style={{ transform: `translateY(${start}px)`, cursor: onOpen ? "pointer" : undefined }}
      onClick={() => onOpen?.(row.original)}
    >
      {ticks ? (
        <div
          role="gridcell"
          aria-colindex={1}
          className={classes(styles.cell, styles.tick)}
          style={sized(TICK, false)}
          onClick={(event) => event.stopPropagation()}
          {...focusable(index, 0)}
        >
          <input
            type="checkbox"
            tabIndex={-1}
            className={styles.box}
            aria-label={_("ui.grid.one", { number: i18n.number(index + 1) })}
            checked={on}
            onChange={(event) => ticks.tick(index, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </div>
      ) : null}
      {shown.map((column, place) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={place + lead + 1}
          className={styles.cell}
          data-end={column.end ? "" : undefined}
          style={sized(column.size, place === shown.length - 1)}
          {...focusable(index, place + lead)}
        >
          <span>{column.cell(row.original)}</span>
        </div>
      ))}
    </div>
  );
}

/** The skeleton of the first rows. */
export function Bones() {
  const { _ } = useLingui();
  return (
    <div className={styles.bones} role="status" aria-label={_("ui.loading")}>
      <Slow />
      {Array.from({ length: 12 }, (_unused, index) => (
        <div key={index} className={styles.bone}>
          <Skeleton width={`${72 - ((index * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  );
}

/** The drag handle at a heading's edge, for the pointer only: a narrow column never hides content for good. */
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
