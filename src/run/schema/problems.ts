/** What a schema refuses of a value, in words, with the path of that value. */

import type { OutputUnit } from "@cfworker/json-schema";
import type { Json } from "../../api/agentServer/wire.ts";
import { isList, textOf } from "../json/json.ts";
import { propertiesOf, type SchemaDocument, typesOf } from "./schemaDocument.ts";

/** One thing that a schema refuses; the message goes on after the name of what is refused. */
export interface Problem {
  /** Names and indexes from the whole value to the part; empty for the whole. */
  readonly path: readonly string[];
  readonly message: string;
}

/** More help nobody. */
const mostProblems = 100;
const mostNames = 8;

/** The problems that a validator's findings come to. */
export function problemsIn(found: readonly OutputUnit[], document: SchemaDocument): readonly Problem[] {
  const distinct = new Map<string, Problem>();
  for (const problem of problemsOf(found, document)) distinct.set(JSON.stringify(problem), problem);
  return [...distinct.values()].slice(0, mostProblems);
}

/** "topic: must be text", or the message alone for the whole value. */
export function problemLine({ path, message }: Problem, whole: string): string {
  return `${path.length === 0 ? whole : path.join(".")} ${message}`;
}

/** Each finding is followed by those that it is made of. */
function problemsOf(found: readonly OutputUnit[], document: SchemaDocument): readonly Problem[] {
  const problems: Problem[] = [];
  for (let at = 0; at < found.length; at += 1) {
    const unit = found[at];
    if (unit === undefined || problems.length >= mostProblems) break;
    const { keyword, keywordLocation } = unit;
    if (keyword === "anyOf" || keyword === "oneOf") {
      const inner = innerOf(found.slice(at + 1), keywordLocation);
      problems.push(...problemsOfForms(unit, inner, document));
      at += inner.length;
    } else if (keyword === "false") problems.push(problemOfForbidden(unit, found[at - 1], document));
    else if (!isMadeOfOthers(unit, found[at + 1])) problems.push(problemOf(unit, document));
  }
  return problems;
}

function innerOf(found: readonly OutputUnit[], location: string): readonly OutputUnit[] {
  // What is forbidden altogether has the location of the value instead.
  const end = found.findIndex(
    ({ keyword, keywordLocation }) => keyword !== "false" && !keywordLocation.startsWith(`${location}/`),
  );
  return end === -1 ? found : found.slice(0, end);
}

/** Of several forms the one that was meant, where that is plain; else that none of them fits. */
function problemsOfForms(
  unit: OutputUnit,
  inner: readonly OutputUnit[],
  document: SchemaDocument,
): readonly Problem[] {
  const { instanceLocation: instance, keywordLocation: location, keyword } = unit;
  const path = pathOf(instance);
  if (inner.length === 0)
    return [{ path, message: "matches more than one of the forms that exclude each other" }];
  const forms = Map.groupBy(inner, ({ keywordLocation }) =>
    keywordLocation
      .slice(location.length + 1)
      .split("/", 1)
      .join(""),
  );
  const tried = [...forms.values()].map((units) => ({ units, distance: distanceOf(units, instance) }));
  const [nearest, next] = tried.toSorted((one, other) => one.distance - other.distance);
  const isMeant = nearest !== undefined && nearest.distance < wrongType;
  if (isMeant && nearest.distance < (next?.distance ?? Infinity)) return problemsOf(nearest.units, document);
  const wanted = tried.flatMap(({ units }) => typesWanted(units, instance, document));
  const all = isList(document.at(location)) ? forms.size : 0;
  if (wanted.length >= all && wanted.length > 0) return [{ path, message: `must be ${joinedByOr(wanted)}` }];
  return [{ path, message: `matches none of the forms that “${keyword}” allows` }];
}

const wrongType = 1000;

/** How far a value is from a form: another type is far, another kind is nearer, and a wrong field is near. */
function distanceOf(units: readonly OutputUnit[], instance: string): number {
  return units.reduce((sum, { keyword, instanceLocation }) => {
    if (keyword === "type" && instanceLocation === instance) return sum + wrongType;
    return sum + (keyword === "const" || keyword === "enum" ? 20 : 1);
  }, 0);
}

function typesWanted(
  units: readonly OutputUnit[],
  instance: string,
  document: SchemaDocument,
): readonly string[] {
  return units.flatMap(({ keyword, keywordLocation, instanceLocation }) =>
    keyword === "type" && instanceLocation === instance ? typeWords(document.at(keywordLocation)) : [],
  );
}

/** What is not allowed at all; of a name that the schema does not have it says which ones it has. */
function problemOfForbidden(
  { instanceLocation }: OutputUnit,
  outer: OutputUnit | undefined,
  document: SchemaDocument,
): Problem {
  const path = pathOf(instanceLocation);
  const isName = outer?.keyword === "additionalProperties" || outer?.keyword === "unevaluatedProperties";
  if (!isName) return { path, message: "is not allowed here" };
  const owner = document.resolve(document.at(outer.keywordLocation.replace(/\/[^/]*$/, "")));
  const names = propertiesOf(owner).map(([name]) => name);
  const known = names.length === 0 ? "" : `; known are ${listOf(names.map(quoted))}`;
  return { path, message: `is not a field of this schema${known}` };
}

/** Whether a finding only says that one inside it was made. */
function isMadeOfOthers({ keyword }: OutputUnit, next: OutputUnit | undefined): boolean {
  return next !== undefined && outerKeywords.has(keyword);
}

const outerKeywords = new Set([
  ...["$ref", "$recursiveRef", "properties", "patternProperties", "additionalProperties", "propertyNames"],
  ...["unevaluatedProperties", "items", "prefixItems", "additionalItems", "unevaluatedItems"],
  ...["allOf", "if", "dependentSchemas"],
]);

function problemOf(unit: OutputUnit, document: SchemaDocument): Problem {
  const { keyword, keywordLocation, instanceLocation, error } = unit;
  const path = pathOf(instanceLocation);
  const name = /property "(.*)"\.$/s.exec(error)?.[1];
  if (keyword === "required" && name !== undefined) return { path: [...path, name], message: "is missing" };
  const missing = /^Instance has "(.*)" but does not have "(.*)"\.$/s.exec(error);
  if (missing?.[2] !== undefined)
    return { path: [...path, missing[2]], message: `is missing; ${quoted(missing[1] ?? "")} needs it` };
  const limit = document.at(keywordLocation);
  // In draft 4 another keyword says whether the bound itself is left out.
  if (/ (?:less|greater) than or equal to /.test(error) && typeof limit === "number") {
    if (keyword === "minimum") return { path, message: `must be more than ${limit}` };
    if (keyword === "maximum") return { path, message: `must be less than ${limit}` };
  }
  return { path, message: wordsOf[keyword]?.(limit) ?? error };
}

/** What must hold, by keyword and its value. */
const wordsOf: Readonly<Record<string, (limit: Json | undefined) => string>> = {
  type: (types) => `must be ${joinedByOr(typeWords(types))}`,
  enum: (values) => `must be one of ${listOf((isList(values) ? values : []).map(shown))}`,
  const: (value) => `must be ${shown(value ?? null)}`,
  minimum: (limit) => `must be at least ${shown(limit)}`,
  maximum: (limit) => `must be at most ${shown(limit)}`,
  exclusiveMinimum: (limit) => `must be more than ${shown(limit)}`,
  exclusiveMaximum: (limit) => `must be less than ${shown(limit)}`,
  multipleOf: (limit) => `must be a multiple of ${shown(limit)}`,
  minLength: (limit) => `must have at least ${counted(limit, "character")}`,
  maxLength: (limit) => `must have at most ${counted(limit, "character")}`,
  pattern: (pattern) => `must match the pattern ${textOf(pattern) ?? ""}`,
  format: (format) => `is not a valid ${textOf(format) ?? "value"}`,
  minItems: (limit) => `must have at least ${counted(limit, "item")}`,
  maxItems: (limit) => `must have at most ${counted(limit, "item")}`,
  uniqueItems: () => "must not have the same item twice",
  contains: () => "has no item of the kind that must be among them",
  minContains: (limit) => `must have at least ${counted(limit, "item")} of the kind that the schema asks for`,
  maxContains: (limit) => `must have at most ${counted(limit, "item")} of the kind that the schema counts`,
  minProperties: (limit) => `must have at least ${counted(limit, "field")}`,
  maxProperties: (limit) => `must have at most ${counted(limit, "field")}`,
  not: () => "is what the schema excludes",
};

function typeWords(types: Json | undefined): readonly string[] {
  return typesOf({ type: types }).map((type) => typeNames.get(type) ?? type);
}

const typeNames = new Map(
  Object.entries({
    string: "text",
    number: "a number",
    integer: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
  }),
);

function counted(count: Json | undefined, noun: string): string {
  return `${shown(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function quoted(name: string): string {
  return `“${name}”`;
}

function listOf(words: readonly string[]): string {
  const rest = words.length - mostNames;
  return words.slice(0, mostNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function joinedByOr(words: readonly string[]): string {
  return [...new Set(words)].join(" or ");
}

/** The steps of a JSON pointer after "#". */
function pathOf(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
