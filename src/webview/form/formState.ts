/** What the fields of a form share: the schema, what it refuses, and which fields cannot be read. */

import { createContext } from "preact";

import type { Json } from "../../run/panel/messages.ts";
import type { Problem } from "../../run/schema/problems.ts";
import { SchemaDocument } from "../../run/schema/schemaDocument.ts";

/** Names and indexes from the form's value to the field's. */
export type Path = readonly string[];

/** One form. */
export interface FormState {
  readonly document: SchemaDocument;
  readonly problems: readonly Problem[];
  /** All problems are shown, also of fields that nobody has been in. */
  readonly showAll: boolean;
  readonly visited: ReadonlySet<string>;
  readonly onVisit: (path: Path) => void;
  /** A field whose text is no value yet, and what is wrong with it; undefined once it is one. */
  readonly onBroken: (path: Path, problem: string | undefined) => void;
}

/** The form that a field is in. */
export const FormContext = createContext<FormState>({
  document: new SchemaDocument(true),
  problems: [],
  showAll: false,
  visited: new Set(),
  onVisit: () => undefined,
  onBroken: () => undefined,
});

/** What every field is given. */
export interface FieldProps {
  readonly name: string;
  readonly path: Path;
  readonly schema: Json;
  readonly required: boolean;
  /** It is one of a list: there is no need to say that it is required. */
  readonly isItem?: boolean;
  /** Undefined where there is none. */
  readonly value: Json | undefined;
  /** Undefined takes the value out. */
  readonly onValue: (value: Json | undefined) => void;
}

/** A path as a key. */
export function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** What the schema refuses of a field: of its own value, and of what is inside it but for fields of their own. */
export function problemsOf(
  { problems, showAll, visited }: FormState,
  path: Path,
  hasField: (step: string) => boolean = () => false,
): readonly Problem[] {
  if (!showAll && !visited.has(keyOf(path))) return [];
  return problems.filter((problem) => {
    const isInside = path.every((step, index) => problem.path[index] === step);
    const step = problem.path[path.length];
    return isInside && (step === undefined || !hasField(step));
  });
}
