import type { TableFacts } from "../../table/messages.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { HEAD_HEIGHT, columnStyle, range, widthOf, type Span } from "./geometry.ts";
import type { TableStore } from "./tableStore.ts";
import type { TableView } from "./tableView.ts";

/** What the parts of the page are drawn from. */
export interface TableProps {
  readonly store: TableStore;
  readonly view: TableView;
  readonly facts: TableFacts;
}

/** What the head and each row are drawn from. */
export interface GridPart {
  readonly store: TableStore;
  readonly facts: TableFacts;
  readonly edges: readonly number[];
  /** The columns in view. */
  readonly seen: Span;
}

/** The names and types of the columns in view. */
export function GridHead({ store, view, facts, edges, seen }: GridPart & { readonly view: TableView }) {
  const { sort, filters = [] } = view.arranged?.how ?? {};
  return (
    <div class="head" role="row" aria-rowindex={1} style={{ height: `${HEAD_HEIGHT}px` }}>
      <div class="row-number" role="columnheader" aria-colindex={1} style={{ width: `${edges[0] ?? 0}px` }}>
        Row
      </div>
      {range(seen).map((column) => (
        <div
          key={column}
          class="column-head"
          role="columnheader"
          aria-colindex={column + 2}
          aria-sort={sort?.column !== column ? "none" : sort.descending ? "descending" : "ascending"}
          title="Click to sort: ascending, descending, as in the file (S in the table). F filters by it."
          style={columnStyle(edges, column)}
          onClick={() => store.sortBy(column)}
        >
          <span class="column-title">
            <Literal class="column-name" text={facts.columns[column]?.name ?? ""} />
            {sort?.column === column && <Icon name={sort.descending ? "arrow-down" : "arrow-up"} />}
            {filters.some((filter) => filter.column === column) && <Icon name="filter" />}
          </span>
          <span class="column-type">{facts.columns[column]?.type}</span>
          <Grip {...{ store, edges, column }} />
        </div>
      ))}
    </div>
  );
}

/** The edge of a column: dragged it changes the width, double-clicked it fits what is shown. */
function Grip({ store, edges, column }: Pick<GridPart, "store" | "edges"> & { readonly column: number }) {
  return (
    <span
      class="grip"
      title="Drag to change the width (+ and − in the table), double-click to fit (Shift+Enter)"
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const start = event.clientX - widthOf(edges, column);
        event.currentTarget.onpointermove = ({ clientX }) => store.resize(column, clientX - start);
      }}
      onLostPointerCapture={({ currentTarget }) => (currentTarget.onpointermove = null)}
      onDblClick={({ currentTarget }) => fitColumn(store, currentTarget.closest(".grid"), column)}
    />
  );
}

/** Makes a column as wide as what is on the screen of it: its head and its cells in view. */
export function fitColumn(store: TableStore, grid: Element | null, column: number): void {
  const index = `[aria-colindex="${column + 2}"]`;
  const texts = grid?.querySelectorAll(`.column-head${index} > :not(.grip), .cell${index}`) ?? [];
  const measured = document.createRange();
  let widest = 0;
  for (const text of texts) {
    measured.selectNodeContents(text);
    widest = Math.max(widest, measured.getBoundingClientRect().width);
  }
  store.resize(column, Math.ceil(widest) + paddings);
}

/** A cell's padding at both sides, its line, and a pixel that rounding may have taken. */
const paddings = 8 + 8 + 1 + 1;
