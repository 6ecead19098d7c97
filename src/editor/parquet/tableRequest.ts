/** Messages of a table's page, checked before anything is done with them: the page shows what a file holds. */

import type { Arrangement, Filter, FromTable, TableFacts } from "../../table/messages.ts";

const mostRows = 2000;
/** What one answer holds; the page asks again for the columns that are missing in it. */
const mostCells = 64 * 1024;
const mostFilters = 20;
const longestTyped = 1000;

/** What a message of the page asks for, inside the table's bounds; undefined for any other message. */
export function tableRequestOf(message: unknown, { rows, columns }: TableFacts): FromTable | undefined {
  const index = (value: unknown, below: number): value is number =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < below;
  const fields = fieldsOf(message);
  const { type, id, how, all, form, row, column, rowStart, rowEnd, columns: wanted } = fields;
  const { columnStart, columnEnd, search } = fields;
  if (type === "ready" || type === "reset" || type === "stop" || type === "endFind") return { type };
  if (!index(id, Number.MAX_SAFE_INTEGER)) return undefined;
  switch (type) {
    case "open":
    case "copy":
      return index(row, rows) && index(column, columns.length) ? { type, id, row, column } : undefined;
    case "copyRange": {
      if (!index(rowStart, rows) || !index(rowEnd, rows + 1) || rowEnd <= rowStart) return undefined;
      const end = columns.length + 1;
      if (!index(columnStart, end) || !index(columnEnd, end) || columnEnd <= columnStart) return undefined;
      if (form !== "text" && form !== "csv" && form !== "json") return undefined;
      return { type, id, rowStart, rowEnd, columnStart, columnEnd, form };
    }
    case "arrange": {
      const wantedOrder = arrangementOf(how, columns.length);
      return wantedOrder && { type, id, how: wantedOrder, all: all === true };
    }
    case "find": {
      const { text, matchCase } = fieldsOf(fields["sought"]);
      if (!index(search, Number.MAX_SAFE_INTEGER) || typeof text !== "string") return undefined;
      if (text.length > longestTyped) return undefined;
      return { type, id, search, sought: { text, matchCase: matchCase === true }, all: all === true };
    }
    case "read": {
      if (!index(rowStart, rows) || !index(rowEnd, rows + 1) || rowEnd <= rowStart) return undefined;
      if (rowEnd - rowStart > mostRows || !Array.isArray(wanted)) return undefined;
      const known = [...new Set(wanted.filter((value) => index(value, columns.length)))];
      const answered = Math.max(1, Math.floor(mostCells / (rowEnd - rowStart)));
      return { type, id, rowStart, rowEnd, columns: known.slice(0, answered) };
    }
    default:
      return undefined;
  }
}

const ways: Readonly<Record<Filter["how"], true>> = {
  contains: true,
  is: true,
  below: true,
  above: true,
  null: true,
  notNull: true,
};

/** Undefined unless each part of it is one, or when there is none. */
function arrangementOf(value: unknown, columns: number): Arrangement | undefined {
  const { sort, filters = [] } = fieldsOf(value);
  const isColumn = (column: unknown): column is number =>
    typeof column === "number" && Number.isSafeInteger(column) && column >= 0 && column < columns;
  if (!Array.isArray(filters) || filters.length > mostFilters) return undefined;
  const wanted: Filter[] = [];
  for (const filter of filters) {
    const { column, how, value: typed } = fieldsOf(filter);
    if (!isColumn(column) || typeof how !== "string" || !Object.hasOwn(ways, how)) return undefined;
    if (typeof typed !== "string" || typed.length > longestTyped) return undefined;
    wanted.push({ column, how: how as Filter["how"], value: typed });
  }
  if (sort === undefined) return wanted.length === 0 ? undefined : { filters: wanted };
  const { column, descending } = fieldsOf(sort);
  if (!isColumn(column)) return undefined;
  const order = { column, descending: descending === true };
  return wanted.length === 0 ? { sort: order } : { sort: order, filters: wanted };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
