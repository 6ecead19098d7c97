import type { Arranged, Sort, TableFacts } from "../../table/messages.ts";
import { FilterForm, filterWords } from "./filterForm.tsx";
import { Button, IconButton } from "../controls/button.tsx";
import { count, plural, size } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import type { TableProps } from "./gridHead.tsx";
import type { TableView } from "./tableView.ts";

/** Which rows are shown in which order, over how many of them, and what can be done about it. */
export function ArrangementBar({ store, view, facts }: TableProps) {
  const { filters, filtering } = view;
  return (
    <>
      {filtering !== undefined && (
        <FilterForm key={filtering} store={store} facts={facts} column={filtering} />
      )}
      <State store={store} view={view} facts={facts} />
      {filters.length > 0 && (
        <ul class="arrangement filters" aria-label="Filters">
          {filters.map((filter, index) => (
            <li key={index}>
              {filterWords(filter, facts)}
              <IconButton
                icon="close"
                label={`Remove the Filter ${filterWords(filter, facts)}`}
                onClick={() => store.removeFilter(filter)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function State({ store, view, facts }: TableProps) {
  const { arranged, arranging } = view;
  const isPlain = arranging === undefined && arranged === undefined;
  const isReading = arranging !== undefined && arranging.problem === undefined;
  const isPart = arranged?.end === "first" || arranged?.end === "stopped";
  return (
    <div class={isPlain ? "hidden-visually" : "arrangement"}>
      {/* It stays in the page, so that what comes into it is spoken. */}
      <p role="status">{words(view, facts)}</p>
      {isReading && (
        <>
          <span class="facts">
            {count(arranging.read)} of {count(facts.rows)} rows read
          </span>
          <Button kind="link" onClick={() => store.stop()}>
            Stop Here
          </Button>
        </>
      )}
      {arranging === undefined && isPart && (
        <Button kind="link" onClick={() => store.readAll()}>
          {`Read All Rows (${size(arranged.bytes, "B")})`}
        </Button>
      )}
      {!isPlain && (
        <Button kind="link" onClick={() => store.showAsInFile()}>
          Show as in the File
        </Button>
      )}
    </div>
  );
}

function words({ arranged, arranging }: TableView, facts: TableFacts): string {
  if (arranging !== undefined) {
    const { sort } = arranging.how;
    return arranging.problem ?? `${sort === undefined ? "Filtering" : order("Sorting", sort, facts)}…`;
  }
  if (arranged === undefined) return "The rows are as in the file.";
  const { how, rows, read, end, cut } = arranged;
  const texts = cut === 0 ? "" : ` Texts are compared by their first ${count(cut)} characters.`;
  const sorted = how.sort && order("Sorted", how.sort, facts);
  if (how.filters === undefined) return `${sorted ?? ""}, over ${over(read, end)}.${texts}`;
  const fitting = rows === 0 ? "No row fits" : rows === 1 ? "1 row fits" : `${count(rows)} rows fit`;
  return `${fitting}, of ${over(read, end)}.${sorted === undefined ? "" : ` ${sorted}.`}${texts}`;
}

function order(verb: string, sort: Sort, { columns }: TableFacts): string {
  const name = visibleText(columns[sort.column]?.name ?? "");
  return `${verb} by ${name}, ${sort.descending ? "descending" : "ascending"}`;
}

function over(read: number, end: Arranged["end"]): string {
  const rows = plural(read, "row");
  if (end === "all") return read === 1 ? "its one row" : `all ${rows}`;
  return end === "full"
    ? `the first ${rows}, as many as are held at once; the others are not shown`
    : `the ${rows} read so far; the others are not shown`;
}
