import type { TargetedKeyboardEvent } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ShownRange } from "../../table/messages.ts";
import { Literal } from "../controls/literal.tsx";
import { count } from "../kit/measures.ts";
import type { CellView } from "./blocks.ts";
import {
  HEAD_HEIGHT,
  ROW_HEIGHT,
  columnEdges,
  columnsInView,
  isWithin,
  fittingRows,
  numbersWidthOf,
  columnStyle,
  range,
  rowTop,
  rowsHeight,
  rowsInView,
  scrollTopOf,
  widthOf,
  type Span,
  type Viewport,
} from "./geometry.ts";
import { GridHead, fitColumn, type GridPart, type TableProps } from "./gridHead.tsx";
import { isLetter, cellAfter, widening } from "./gridKeys.ts";
import type { TableView } from "./tableView.ts";

const around = 8;

/** The table. Only rows and columns in view are elements; the focus stays on the grid, which names the active cell. */
export function Grid({ store, view, facts }: TableProps) {
  const element = useRef<HTMLDivElement>(null);
  const { active, widths, rows } = view;
  const { columns } = facts;
  const numbersWidth = numbersWidthOf(facts.rows);
  const edges = columnEdges(columns, numbersWidth, widths);
  const [viewport, measure] = useViewport(element);
  const seenRows = rowsInView(rows, viewport, around);
  const seenColumns = columnsInView(edges, behindNumbers(viewport, numbersWidth));

  useEffect(() => store.setInView(seenRows, seenColumns));
  useLayoutEffect(() => {
    if (element.current !== null && reveal(element.current, active, rows, edges)) measure();
  }, [active.row, active.column, facts, view.arranged]);
  useLayoutEffect(() => element.current?.focus(), []);

  const isSeen = active.row >= seenRows.start && active.row < seenRows.end;
  return (
    <div
      ref={element}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label="Rows of the file"
      aria-rowcount={rows + 1}
      aria-colcount={columns.length + 1}
      aria-readonly="true"
      aria-multiselectable="true"
      aria-keyshortcuts="S F + - Shift+Enter Control+F Meta+F F3 Shift+F3"
      aria-activedescendant={isSeen ? cellId(active.row, active.column) : undefined}
      onScroll={measure}
      onKeyDown={(event) => {
        const page = fittingRows(viewport);
        if (press(event, { store, active, rows, facts, edges, page })) event.preventDefault();
      }}
    >
      <div
        class="canvas"
        role="presentation"
        style={{ width: `${edges.at(-1) ?? 0}px`, height: `${HEAD_HEIGHT + rowsHeight(rows)}px` }}
      >
        <GridHead {...{ store, view, facts, edges }} seen={seenColumns} />
        {range(seenRows).map((row) => (
          <Row
            key={row}
            {...{ store, facts, edges, row }}
            selected={view.selected}
            top={rowTop(row, rows, viewport)}
            seen={seenColumns}
            active={row === active.row ? active.column : undefined}
          />
        ))}
      </div>
    </div>
  );
}

interface Pressed extends Omit<GridPart, "seen"> {
  readonly active: TableView["active"];
  readonly rows: number;
  /** How many rows fit the screen. */
  readonly page: number;
}

/** Does what a key stands for in the grid; tells whether it stands for anything. */
function press(
  event: TargetedKeyboardEvent<HTMLDivElement>,
  { store, active, rows, facts, edges, page }: Pressed,
): boolean {
  const wider = widening(event);
  if (wider !== undefined) store.resize(active.column, widthOf(edges, active.column) + wider);
  else if (event.key === "Enter" && event.shiftKey) fitColumn(store, event.currentTarget, active.column);
  else if (event.key === "Enter" || event.key === " ") store.open();
  else if (event.key === "Escape") {
    if (store.view.selected !== undefined) store.move(active);
    else if (store.view.opened !== undefined) store.close();
    else if (store.find.asked > 0) store.find.close();
  } else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) store.selectAll();
  else if (isLetter(event, "s")) store.sortBy(active.column);
  else if (isLetter(event, "f")) store.askFilter(active.column);
  else if (event.key === "c" && (event.ctrlKey || event.metaKey)) store.copy();
  else {
    const next = cellAfter(event, active, page, { rows, columns: facts.columns.length });
    if (next === undefined) return false;
    if (event.shiftKey) store.selectTo(next);
    else store.move(next);
  }
  return true;
}

interface RowProps extends GridPart {
  readonly row: number;
  readonly top: number;
  /** The active column, if this is the active row. */
  readonly active: number | undefined;
  readonly selected: ShownRange | undefined;
}

function Row({ store, facts, edges, row, top, seen, active, selected }: RowProps) {
  const number = store.number(row);
  return (
    <div
      class="row"
      role="row"
      aria-rowindex={row + 2}
      style={{ top: `${top}px`, height: `${ROW_HEIGHT}px` }}
    >
      <div class="row-number" role="rowheader" aria-colindex={1} style={{ width: `${edges[0] ?? 0}px` }}>
        {number === undefined ? "…" : count(number + 1)}
      </div>
      {range(withActive(seen, active)).map((column) => (
        <div
          key={column}
          id={cellId(row, column)}
          class={`cell ${facts.columns[column]?.kind ?? ""} ${column === active ? "active" : ""} ${isWithin(selected, row, column) ? "selected" : ""} ${store.find.has(row, column) ? "found" : ""}`}
          role="gridcell"
          aria-colindex={column + 2}
          aria-selected={selected === undefined ? column === active : isWithin(selected, row, column)}
          style={columnStyle(edges, column)}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            if (event.shiftKey) store.selectTo({ row, column });
            else store.move({ row, column });
          }}
          onPointerEnter={({ buttons }) => {
            if (buttons === 1) store.selectTo({ row, column });
          }}
          onDblClick={() => store.open()}
        >
          <CellText view={store.cell(row, column)} />
        </div>
      ))}
    </div>
  );
}

/** Where the person has scrolled to, and how to look again. */
function useViewport(element: { readonly current: HTMLDivElement | null }): readonly [Viewport, () => void] {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, width: 0, height: 0 });
  const measure = useCallback(() => {
    const { current } = element;
    if (current === null) return;
    const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight } = current;
    const height = Math.max(ROW_HEIGHT, clientHeight - HEAD_HEIGHT);
    setViewport((old) =>
      old.top === top && old.left === left && old.width === width && old.height === height
        ? old
        : { top, left, width, height },
    );
  }, []);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [viewport, measure];
}

/** Scrolls just as far as it takes to see the cell; tells whether it did. */
function reveal(
  grid: HTMLDivElement,
  { row, column }: TableView["active"],
  rows: number,
  edges: readonly number[],
): boolean {
  const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight } = grid;
  const viewport = { top, left, width, height: clientHeight - HEAD_HEIGHT };
  const edge = rowTop(row, rows, viewport) - HEAD_HEIGHT - top;
  if (edge < 0) grid.scrollTop = scrollTopOf(row, rows, viewport);
  else if (edge + ROW_HEIGHT > viewport.height)
    grid.scrollTop = scrollTopOf(row + 1 - viewport.height / ROW_HEIGHT, rows, viewport);
  const [start = 0, end = 0] = [edges[column], edges[column + 1]];
  const numbers = edges[0] ?? 0;
  if (start - numbers < left) grid.scrollLeft = start - numbers;
  else if (end > left + width) grid.scrollLeft = Math.min(start - numbers, end - width);
  return grid.scrollTop !== top || grid.scrollLeft !== left;
}

/** The numbers stand still at the left and hide what is below them. */
function behindNumbers(viewport: Viewport, numbersWidth: number): Viewport {
  return { ...viewport, left: viewport.left + numbersWidth, width: viewport.width - numbersWidth };
}

/** The active cell is an element wherever it is, for it is what the grid names. */
function withActive(seen: Span, active: number | undefined): Span {
  if (active === undefined) return seen;
  return { start: Math.min(seen.start, active), end: Math.max(seen.end, active + 1) };
}

function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`;
}

/** A cell as the table shows it: one line, with words for what has no text. */
function CellText({ view }: { readonly view: CellView }) {
  if (view === undefined) return <span class="unread">…</span>;
  if ("problem" in view) {
    return (
      <span class="unreadable">
        can’t be read: <Literal text={view.problem} />
      </span>
    );
  }
  const { kind, text, cut } = view.cell;
  if (kind === "null") return <span class="null">null</span>;
  if (text === "") return <span class="null">empty</span>;
  return (
    <span class={`value ${kind}`}>
      <Literal text={text} />
      {cut === true && "…"}
    </span>
  );
}
