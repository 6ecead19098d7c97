/** What can be written next in a JSON text, by its schema: names of fields, and values that are known. */

import { findNodeAtLocation, getLocation, type Location, parseTree } from "jsonc-parser";
import type { Json } from "../../api/agentServer/wire.ts";
import { isList, isObject, textOf } from "../json/json.ts";
import { type Field, fieldOf } from "./fields.ts";
import { formsOf, propertiesOf, requiredOf, type SchemaDocument, typesOf } from "./schemaDocument.ts";
import { startingPart } from "./startingValue.ts";

/** One way to go on, and the part of the text that it replaces. */
export interface Completion {
  readonly label: string;
  /** What is written; the caret comes after it, or to `caret`. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Where in `text` the caret comes, as between quotes that are to be filled in. */
  readonly caret: number;
  readonly detail?: string;
}

const mostShown = 50;
/** How many parts of a schema are looked at: its forms may be many, and have many each. */
const mostParts = 5000;

/** How many more parts are looked at. */
interface Budget {
  left: number;
}

/** The ways to go on at an offset of the text, those that the schema asks for first; none where it knows nothing. */
export function completionsAt(document: SchemaDocument, text: string, offset: number): readonly Completion[] {
  const location = getLocation(text, offset);
  const begun = begunAt(location, text, offset);
  if (begun === undefined) return [];
  const found = location.isAtPropertyKey
    ? names(document, location, text, begun)
    : values(document, location, begun);
  const typed = text.slice(begun.from, offset).replace(/^"/, "").toLowerCase();
  const fitting = found.filter(({ label }) => label.toLowerCase().includes(typed));
  const begins = ({ label }: Completion): boolean => label.toLowerCase().startsWith(typed);
  return fitting.toSorted((one, other) => Number(begins(other)) - Number(begins(one))).slice(0, mostShown);
}

/** The part of the text that a completion replaces. */
type Begun = Pick<Completion, "from" | "to">;

/** Nothing goes on in the middle of a text of one's own, or after a whole value. */
function begunAt({ previousNode: node }: Location, text: string, offset: number): Begun | undefined {
  if (node !== undefined && node.offset <= offset && offset <= node.offset + node.length) {
    const end = node.offset + node.length;
    // What is not closed goes on to the end of its line, and so takes in what stands there.
    const isOpen = node.type === "string" && (node.length < 2 || text[end - 1] !== '"');
    return { from: node.offset, to: isOpen ? offset : end };
  }
  const word = /[\w"-]*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0] ?? "";
  const from = offset - word.length;
  const before = /[^\s]\s*$/.exec(text.slice(Math.max(0, from - 2000), from))?.[0].trim();
  return before === undefined || /[{[,:]/.test(before) ? { from, to: offset } : undefined;
}

function names(
  document: SchemaDocument,
  { path }: Location,
  text: string,
  begun: Begun,
): readonly Completion[] {
  const owner = path.slice(0, -1);
  const known = new Map<string, { readonly schema: Json; readonly required: boolean }>();
  for (const found of schemasAt(document, owner)) {
    const whole = document.resolve(found);
    const required = requiredOf(whole);
    for (const [name, schema] of propertiesOf(whole))
      if (!known.has(name)) known.set(name, { schema, required: required.includes(name) });
  }
  const current = path.at(-1);
  for (const name of namesIn(text, owner)) if (name !== current) known.delete(name);
  const after = /^\s*(.?)/.exec(text.slice(begun.to, begun.to + 200))?.[1];
  return [...known]
    .toSorted(([, one], [, other]) => Number(other.required) - Number(one.required))
    .map(([name, { schema, required }]) => {
      const about = textOf(document.resolve(schema)["description"]);
      const detail = [required ? "required" : undefined, about]
        .filter((part) => part !== undefined)
        .join(" · ");
      const facts = { ...begun, label: name, ...(detail !== "" && { detail }) };
      const key = JSON.stringify(name);
      if (after === ":") return { ...facts, text: key, caret: key.length };
      const part = startingPart(document, schema);
      // Nobody can guess which of its values is meant: null would be none of them.
      const isOpen = part === null && isOpenChoice(fieldOf(document, schema));
      const value = isOpen ? "" : JSON.stringify(part, undefined, 2);
      const start = `${key}: ${indented(value, text, begun.from)}`;
      const isEmpty = /^(?:""|\[\]|\{\})$/.test(value);
      return { ...facts, text: start + (after === '"' ? "," : ""), caret: start.length - (isEmpty ? 1 : 0) };
    });
}

function isOpenChoice({ control, nullable }: Field): boolean {
  return control.kind === "choice" && !nullable;
}

function values(document: SchemaDocument, { path }: Location, begun: Begun): readonly Completion[] {
  const budget = { left: mostParts };
  const found = schemasAt(document, path).flatMap((schema) => valuesOf(document, schema, 0, budget));
  const texts = [...new Set(found.map((value) => JSON.stringify(value)))];
  return texts.map((text) => ({
    ...begun,
    label: text.startsWith('"') && text.length > 2 ? (JSON.parse(text) as string) : text,
    text,
    caret: text.length,
  }));
}

function valuesOf(document: SchemaDocument, schema: Json, depth: number, budget: Budget): readonly Json[] {
  if (budget.left <= 0) return [];
  budget.left -= 1;
  const whole = document.resolve(schema);
  const { const: only, enum: values, default: usual } = whole;
  const types = typesOf(whole);
  const inner =
    depth > 3 ? [] : formsOf(whole).flatMap((form) => valuesOf(document, form, depth + 1, budget));
  return [
    ...(usual === undefined ? [] : [usual]),
    ...(only === undefined ? [] : [only]),
    ...(isList(values) ? values : []),
    ...(types.includes("boolean") ? [true, false] : []),
    ...(types.includes("null") ? [null] : []),
    ...inner,
  ];
}

/** The schemas of a part of the value: more than one where the schema has several forms. */
function schemasAt(document: SchemaDocument, path: readonly (string | number)[]): readonly Json[] {
  const budget = { left: mostParts };
  return path
    .reduce<readonly Json[]>(
      (schemas, step) =>
        schemas.flatMap((schema) => stepInto(document, schema, step, 0, budget)).slice(0, mostShown),
      [document.schema],
    )
    .flatMap((schema) => withForms(document, schema));
}

function stepInto(
  document: SchemaDocument,
  schema: Json,
  step: string | number,
  depth: number,
  budget: Budget,
): readonly Json[] {
  if (budget.left <= 0) return [];
  budget.left -= 1;
  const whole = document.resolve(schema);
  const forms =
    depth > 3 ? [] : formsOf(whole).flatMap((form) => stepInto(document, form, step, depth + 1, budget));
  const { prefixItems, items, additionalProperties: others } = whole;
  if (typeof step === "number") {
    const own = isList(prefixItems) ? (prefixItems[step] ?? items) : items;
    return [...(isObject(own) ? [own] : []), ...forms];
  }
  const own = propertiesOf(whole).find(([name]) => name === step)?.[1] ?? others;
  return [...(isObject(own) ? [own] : []), ...forms];
}

function withForms(document: SchemaDocument, schema: Json): readonly Json[] {
  return [schema, ...formsOf(document.resolve(schema))];
}

/** The names that an object of the text has already. */
function namesIn(text: string, path: readonly (string | number)[]): ReadonlySet<string> {
  const tree = parseTree(text);
  const owner = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  const names = (owner?.children ?? []).map(({ children }) => children?.[0]?.value as unknown);
  return new Set(names.filter((name) => typeof name === "string"));
}

/** Lines after the first begin as far in as the line that they are written in. */
function indented(text: string, around: string, at: number): string {
  const line = around.slice(around.lastIndexOf("\n", at - 1) + 1, at);
  return text.replaceAll("\n", `\n${/^\s*/.exec(line)?.[0] ?? ""}`);
}
