import { count, plural, size } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import { FindBar } from "../search/findBar.tsx";
import { backToGrid } from "./filterForm.tsx";
import type { TableProps } from "./gridHead.tsx";

/** Where a person says what to look for in the cells, how many have it, and which rows were looked through. */
export function TableFindBar({ store, view, facts }: TableProps) {
  const { find } = store;
  const { active } = view;
  const { cells, end } = find.result;
  const at = cells.findIndex(({ row, column }) => row === active.row && column === active.column);
  const said = `${facts.columns[active.column]?.name ?? ""}, row ${count((store.number(active.row) ?? active.row) + 1)}`;
  return (
    <FindBar
      within="table"
      sought={find.sought}
      found={{
        total: cells.length,
        at: at < 0 ? undefined : at,
        isReading: end === undefined,
        ...(at >= 0 && { where: visibleText(said) }),
      }}
      asked={find.asked}
      missing={missingOf({ store, view, facts })}
      onSought={(sought) => find.seek(sought)}
      onNext={(direction) => find.next(direction)}
      onClose={() => {
        find.close();
        backToGrid();
      }}
    />
  );
}

/** What was not looked through, and what can be done about it; undefined when everything was. */
function missingOf({ store, view, facts }: TableProps) {
  const { find } = store;
  const { read, end, bytes, cut, unread, problem, cells } = find.result;
  if (problem !== undefined) return { text: problem };
  const { arranged, rows } = view;
  const which = arranged === undefined ? plural(rows, "row") : `the ${plural(rows, "row")} shown`;
  const soFar = `${count(read)} of ${which}`;
  if (end === undefined) return { text: `Searched so far: ${soFar}.`, verb: "Stop", read: () => find.stop() };
  if (find.sought.text.trim() === "") return undefined;
  const names = unread.map((column) => visibleText(facts.columns[column]?.name ?? ""));
  const text = [
    ...(end === "full"
      ? [`Searched: ${soFar}; not more than ${plural(cells.length, "match", "matches")} are held.`]
      : []),
    ...(end === "first" || end === "stopped" ? [`Searched: ${soFar}.`] : []),
    ...(end === "all" && arranged !== undefined ? [`Searched: ${which}.`] : []),
    ...(names.length > 0 ? [`Not searched where they can’t be read: ${names.join(", ")}.`] : []),
    ...(cut ? ["Texts are searched by their first 100,000 characters."] : []),
  ].join(" ");
  if (text === "") return undefined;
  if (end !== "first" && end !== "stopped") return { text };
  return { text, verb: `Search all rows (${size(bytes, "B")})`, read: () => find.searchAll() };
}
