import { useLayoutEffect, useRef } from "preact/hooks";

import type { TableFacts } from "../../table/messages.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { count, plural, size } from "../kit/measures.ts";
import { ArrangementBar } from "./arrangementBar.tsx";
import { CellDetail } from "./cellDetail.tsx";
import { Grid } from "./grid.tsx";
import { TableFindBar } from "./tableFindBar.tsx";
import type { TableStore } from "./tableStore.ts";
import type { TableView } from "./tableView.ts";

interface PageProps {
  readonly store: TableStore;
  readonly view: TableView;
}

/** The whole page: what the file is, its table, and the value of the cell that is open. */
export function TablePage({ store, view }: PageProps) {
  const { facts, failure, opened } = view;
  if (failure !== undefined) {
    return (
      <main class="placeholder">
        <Icon name="warning" />
        <div role="alert">
          <Literal as="h1" text={failure.message} />
          <p>{failure.remedy}</p>
        </div>
        <div class="actions">
          <Button kind="primary" onClick={() => store.retry()}>
            Read Again
          </Button>
          {failure.refused && <Button onClick={() => store.retry(true)}>Use Other Keys…</Button>}
        </div>
      </main>
    );
  }
  if (facts === undefined) {
    return (
      <main class="placeholder" aria-busy="true">
        <p>Reading the file…</p>
      </main>
    );
  }
  return (
    <main class="page">
      <FileBar
        facts={facts}
        view={view}
        onRow={(row) => store.move({ ...view.active, row })}
        onFilter={() => store.askFilter(view.active.column)}
        onFind={() => store.find.open()}
      />
      {store.find.asked > 0 && <TableFindBar store={store} view={view} facts={facts} />}
      <ArrangementBar store={store} view={view} facts={facts} />
      {facts.rows === 0 ? (
        <p class="placeholder">The file has columns, but no rows.</p>
      ) : (
        <Grid store={store} view={view} facts={facts} />
      )}
      <SelectionBar store={store} view={view} />
      {opened !== undefined && <CellDetail store={store} opened={opened} facts={facts} />}
    </main>
  );
}

interface FileBarProps {
  readonly facts: TableFacts;
  readonly view: TableView;
  readonly onRow: (row: number) => void;
  readonly onFilter: () => void;
  readonly onFind: () => void;
}

/** How much is selected, and how it is copied; below the table, whose cells stay under the pointer that selects. */
function SelectionBar({ store, view: { selected, copied } }: PageProps) {
  const cells =
    selected === undefined
      ? 0
      : (selected.rowEnd - selected.rowStart) * (selected.columnEnd - selected.columnStart);
  return (
    <div class={selected === undefined ? "hidden-visually" : "arrangement below"}>
      <p role="status">{copied !== "" ? copied : cells === 0 ? "" : `${count(cells)} cells selected`}</p>
      {selected !== undefined && (
        <>
          <Button kind="link" title="Ctrl+C, or Cmd+C on a Mac" onClick={() => store.copy()}>
            Copy
          </Button>
          <Button kind="link" onClick={() => store.copy("csv")}>
            Copy as CSV
          </Button>
          <Button kind="link" onClick={() => store.copy("json")}>
            Copy as JSON
          </Button>
        </>
      )}
    </div>
  );
}

/** What the file is, a search, a filter, and the row to go to. */
function FileBar({ facts, view, onRow, onFilter, onFind }: FileBarProps) {
  const { row } = view.active;
  const box = useRef<HTMLInputElement>(null);
  // What is being typed stays while cells come.
  useLayoutEffect(() => {
    if (box.current !== null) box.current.valueAsNumber = row + 1;
  }, [row]);
  return (
    <header class="bar">
      <Literal as="h1" text={facts.file} />
      <p class="facts">
        {[
          plural(facts.rows, "row"),
          plural(facts.columns.length, "column"),
          plural(facts.rowGroups, "row group"),
          size(facts.bytes, "B"),
          facts.compression.toLowerCase(),
        ].join(" · ")}
      </p>
      <IconButton icon="search" label="Search (Ctrl+F, or Cmd+F on a Mac)" onClick={onFind} />
      <IconButton icon="filter" label="Filter by the Column of the Active Cell (F)" onClick={onFilter} />
      <label class="go-to">
        {view.arranged === undefined ? "Row" : "Position"}
        <input
          ref={box}
          type="number"
          min={1}
          max={view.rows}
          onChange={({ currentTarget }) => {
            const typed = Math.floor(currentTarget.valueAsNumber);
            const wanted = Number.isNaN(typed) ? row : Math.max(0, Math.min(view.rows, typed) - 1);
            currentTarget.valueAsNumber = wanted + 1;
            onRow(wanted);
          }}
        />
        of {count(view.rows)}
      </label>
    </header>
  );
}
