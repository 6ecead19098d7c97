import type { Arranged, Arrangement, TableFacts } from "../../table/messages.ts";
import { Button } from "../controls/button.tsx";
import { count, plural, size } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import type { TableStore } from "./tableStore.ts";
import type { TableView } from "./tableView.ts";

interface BarProps {
  readonly store: TableStore;
  readonly view: TableView;
  readonly facts: TableFacts;
}

/** In which order the rows are, over how many of them, and what can be done about it. */
export function ArrangementBar({ store, view, facts }: BarProps) {
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
            Stop here
          </Button>
        </>
      )}
      {arranging === undefined && isPart && (
        <Button kind="link" onClick={() => store.readAll()}>
          {`Read all rows (${size(bytesFor(arranged.how, facts), "B")})`}
        </Button>
      )}
      {!isPlain && (
        <Button kind="link" onClick={() => store.sort(undefined)}>
          Show as in the file
        </Button>
      )}
    </div>
  );
}

function words({ arranged, arranging }: TableView, facts: TableFacts): string {
  if (arranging !== undefined) return arranging.problem ?? `${order("Sorting", arranging.how, facts)}…`;
  if (arranged === undefined) return "The rows are as in the file.";
  const { how, read, end, cut } = arranged;
  const texts = cut ? " Texts are compared by their first 1,000 characters." : "";
  return `${order("Sorted", how, facts)}, over ${over(read, end)}.${texts}`;
}

function order(verb: string, { sort }: Arrangement, { columns }: TableFacts): string {
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

/** What is read for it of the whole file. */
function bytesFor({ sort }: Arrangement, { columns }: TableFacts): number {
  return columns[sort.column]?.bytes ?? 0;
}
