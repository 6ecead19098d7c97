/** What a command was started on: a row, all selected rows, the row under a key, or ids from another caller. */

import { isObject } from "../../../api/shape.ts";
import { isDeepStrictEqual } from "node:util";

/** The ids that find a thing again, by the name of its own id. */
const parts = {
  connectionId: ["connectionId"],
  deploymentId: ["connectionId", "deploymentId"],
  revisionId: ["connectionId", "deploymentId", "revisionId"],
  agentId: ["connectionId", "agentId"],
  toolServerId: ["connectionId", "toolServerId"],
  destinationId: ["connectionId", "destinationId"],
  exportId: ["connectionId", "exportId"],
  bulkId: ["bulkId"],
  failureKey: ["failureKey"],
} as const;

/** The name of an id that a command can be about. */
export type IdName = keyof typeof parts;

/** The ids that find a thing again, and what it is called where the caller knows that. */
export type Meant<Id extends IdName> = {
  readonly [name in (typeof parts)[Id][number]]: string;
} & { readonly name?: string };

/** The rows that are selected in a view. */
export interface Selection<Row> {
  readonly viewId: string;
  readonly rows: readonly Row[];
}

/** The ids that a row, its reference, a row under a key or another caller names; undefined from the palette. */
export function refOf<Id extends IdName>(value: unknown, id: Id): Meant<Id> | undefined {
  return refIn(value, (named) => idsIn(named, id));
}

/** The text under a name in what a row, its reference, a row under a key or another caller gives. */
export function textOf(value: unknown, name: string): string | undefined {
  return refIn(value, (named) => textIn(named, name));
}

/** Whether what a row, its reference, a row under a key or another caller gives says so under a name. */
export function flagOf(value: unknown, name: string): boolean {
  return refIn(value, (named) => (isObject(named) && named[name] === true) || undefined) === true;
}

/** The same for a reference that is more than ids of texts; `read` gives undefined for what is no such reference. */
export function refIn<Ref>(value: unknown, read: (value: unknown) => Ref | undefined): Ref | undefined {
  if (Array.isArray(value)) return refIn(value[0], read);
  return read(value) ?? (isObject(value) ? read(value["ref"]) : undefined);
}

/**
 * What a command was started on: the clicked row with all that are selected, or the row under a key with those that
 * are selected together with it. Undefined when it was started on no such thing, and empty when a key was pressed on
 * a row of another kind.
 */
export function meant<Id extends IdName>(
  args: readonly unknown[],
  id: Id,
  selections: readonly Selection<Meant<Id>>[] = [],
): readonly Meant<Id>[] | undefined {
  return rowsMeant(args, (value) => refOf(value, id), selections);
}

/** The same for rows that no single id names. */
export function rowsMeant<Row>(
  [clicked, selected]: readonly unknown[],
  rowOf: (value: unknown) => Row | undefined,
  selections: readonly Selection<Row>[],
): readonly Row[] | undefined {
  if (Array.isArray(clicked)) return underKey(clicked[0], rowOf, selections);
  const values: readonly unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const rows = values.flatMap((value) => rowOf(value) ?? []);
  return rows.length > 0 ? rows : undefined;
}

/**
 * A key binding's only argument is an array of one: the mark with which the editor's own title buttons ask for the
 * focused row, put in its place by the editor. Where the mark means nothing to an editor, the selection of its view is
 * all there is. What is selected in another view than the focused row's is never meant.
 */
function underKey<Row>(
  focused: unknown,
  rowOf: (value: unknown) => Row | undefined,
  selections: readonly Selection<Row>[],
): readonly Row[] {
  if (isObject(focused) && "$focusedTreeItem" in focused && "$treeViewId" in focused)
    return selections.find(({ viewId }) => viewId === focused["$treeViewId"])?.rows ?? [];
  const row = rowOf(focused);
  if (row === undefined) return [];
  const isRow = (other: Row): boolean => isDeepStrictEqual(other, row);
  const together = selections.find(({ rows }) => rows.some(isRow))?.rows ?? [];
  return [row, ...together.filter((other) => !isRow(other))];
}

/** The ids in a reference itself: for a reader that `refIn` has unwrapped it for. */
export function idsIn<Id extends IdName>(value: unknown, id: Id): Meant<Id> | undefined {
  const ids = parts[id].map((name) => [name, textIn(value, name)] as const);
  if (ids.some(([, text]) => text === undefined)) return undefined;
  const name = textIn(value, "name");
  return { ...Object.fromEntries(ids), ...(name !== undefined && { name }) } as Meant<Id>;
}

/** The text under a name in a reference itself. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Whether a reference itself has a text under each of the names. */
export function hasTexts<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Readonly<Record<Name, string>> {
  return names.every((name) => textIn(value, name) !== undefined);
}
