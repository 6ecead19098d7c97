/** Whether a schema takes a value: JSON Schema of any draft, without building code, which a page may not do. */

import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import type { Json } from "../../api/agentServer/wire.ts";
import { isList, isObject, textOf } from "../json/json.ts";
import { takesMessages } from "./fields.ts";
import { type Problem, problemsIn } from "./problems.ts";
import { SchemaDocument } from "./schemaDocument.ts";

/** What a schema says of a value; `unchecked` says why it could not tell. */
export type Check = { readonly problems: readonly Problem[] } | { readonly unchecked: string };

/** Checks values against one schema. It may take long: a schema can make a short value cost much. */
export class SchemaCheck {
  readonly #document: SchemaDocument;
  readonly #validators: readonly Validator[];
  readonly #takesMessages: boolean;

  constructor(schema: Json) {
    this.#document = new SchemaDocument(schema);
    this.#validators = validatorsOf(schema);
    this.#takesMessages = takesMessages(this.#document) === true;
  }

  check(given: Json): Check {
    // Servers take messages in more ways than their schemas tell, which describe what a graph makes of them.
    const isConversation = this.#takesMessages && isObject(given) && given["messages"] !== undefined;
    const value = isConversation ? { ...given, messages: [] } : given;
    let because = "it is no schema";
    for (const validator of this.#validators) {
      try {
        const { valid, errors } = validator.validate(value);
        const problems = valid ? [] : problemsIn(errors, this.#document);
        return { problems: problems.filter(({ path }) => !isConversation || path[0] !== "messages") };
      } catch (error) {
        // Tens of thousands of findings are more than the stack can take, too.
        because = error instanceof RangeError ? "it refers to itself without end" : wordsOf(error);
      }
    }
    return { unchecked: `The agent's schema can't be checked against: ${because}.` };
  }
}

/** One that finds everything, and one that stops at the first; none for what no validator can work with. */
function validatorsOf(schema: Json): readonly Validator[] {
  if (!isObject(schema) && typeof schema !== "boolean") return [];
  try {
    const readable = withoutForeignPatterns(schema) as Schema;
    return [false, true].map((first) => new Validator(readable, draftOf(schema), first));
  } catch {
    return [];
  }
}

/** Values that look like schemas. */
const valueKeywords = new Set(["const", "enum", "default", "examples"]);

/** Without patterns that only another language can read: else nothing at all could be checked. */
function withoutForeignPatterns(schema: Json): Json {
  if (isList(schema)) return schema.map(withoutForeignPatterns);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([keyword, part]): readonly (readonly [string, Json])[] => {
    if (part === undefined || (keyword === "pattern" && !isPattern(part))) return [];
    if (valueKeywords.has(keyword)) return [[keyword, part]];
    if (keyword !== "patternProperties" || !isObject(part)) return [[keyword, withoutForeignPatterns(part)]];
    const readable = Object.entries(part).filter(([pattern]) => isPattern(pattern));
    return [[keyword, withoutForeignPatterns(Object.fromEntries(readable))]];
  });
  return Object.fromEntries(kept);
}

/** Of a property that is called "pattern" it is a schema. */
function isPattern(pattern: Json): boolean {
  if (typeof pattern !== "string") return true;
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** Schemas of today's libraries that name no draft are of the newest. */
function draftOf(schema: Json): SchemaDraft {
  const named = (isObject(schema) ? textOf(schema["$schema"]) : undefined) ?? "";
  const known = /draft-0?([467])\b|(2019-09)/.exec(named);
  if (known === null) return "2020-12";
  return (known[2] ?? (known[1] === "4" ? "4" : "7")) as SchemaDraft;
}

/** A message of the validator can hold all places of a schema, line by line. */
function wordsOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.slice(0, 200).replace(/\.$/, "");
}
