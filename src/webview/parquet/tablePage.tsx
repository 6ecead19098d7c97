import type { TableFacts } from "../../table/messages.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { count, plural } from "../kit/measures.ts";
import { CellDetail } from "./cellDetail.tsx";
import { Grid } from "./grid.tsx";
import type { TableStore, TableView } from "./tableStore.ts";

interface PageProps {
  readonly store: TableStore;
  readonly view: TableView;
}

/** The whole page: what the file is, its table, and the value of the cell that is open. */
export function TablePage({ store, view }: PageProps) {
  const { facts, failure, opened } = view;
  if (failure !== undefined) return <Unreadable failure={failure} onRetry={() => store.retry()} />;
  if (facts === undefined) {
    return (
      <main class="placeholder" aria-busy="true">
        <p>Reading the file…</p>
      </main>
    );
  }
  return (
    <main class="page">
      <FileBar facts={facts} row={view.active.row} onRow={(row) => store.move({ ...view.active, row })} />
      {facts.rows === 0 ? (
        <p class="placeholder">The file has columns, but no rows.</p>
      ) : (
        <Grid store={store} view={view} facts={facts} />
      )}
      {opened !== undefined && <CellDetail store={store} opened={opened} facts={facts} />}
    </main>
  );
}

interface UnreadableProps {
  readonly failure: NonNullable<TableView["failure"]>;
  readonly onRetry: () => void;
}

function Unreadable({ failure, onRetry }: UnreadableProps) {
  return (
    <main class="placeholder">
      <Icon name="warning" />
      <div role="alert">
        <Literal as="h1" text={failure.message} />
        <p>{failure.remedy}</p>
      </div>
      <button type="button" class="button" onClick={onRetry}>
        Read again
      </button>
    </main>
  );
}

interface FileBarProps {
  readonly facts: TableFacts;
  /** The active row, counted from 0. */
  readonly row: number;
  readonly onRow: (row: number) => void;
}

/** What the file is, and the row to go to. */
function FileBar({ facts, row, onRow }: FileBarProps) {
  return (
    <header class="bar">
      <Literal as="h1" text={facts.file} />
      <p class="facts">
        {[
          plural(facts.rows, "row"),
          plural(facts.columns.length, "column"),
          plural(facts.rowGroups, "row group"),
          bytes(facts.bytes),
          facts.compression.toLowerCase(),
        ].join(" · ")}
      </p>
      <label class="go-to">
        Row
        <input
          type="number"
          min={1}
          max={facts.rows}
          value={row + 1}
          onChange={({ currentTarget }) => {
            const wanted = Math.floor(currentTarget.valueAsNumber) - 1;
            if (Number.isNaN(wanted)) currentTarget.valueAsNumber = row + 1;
            else onRow(wanted);
          }}
        />
        of {count(facts.rows)}
      </label>
    </header>
  );
}

function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1_000_000) return `${(size / 1000).toFixed(0)} kB`;
  return size < 1_000_000_000
    ? `${(size / 1_000_000).toFixed(1)} MB`
    : `${(size / 1_000_000_000).toFixed(1)} GB`;
}
