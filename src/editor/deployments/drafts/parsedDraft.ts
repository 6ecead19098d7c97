/** Where in the text of a draft something stands: for problems that name a path. */

import {
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { ApiError, FieldError } from "../../../api/errors.ts";
import type { Json, JsonObject } from "../../../api/agentServer/wire.ts";

/** The members and list indexes that lead to a value. */
export type DraftPath = readonly (string | number)[];

/** A stretch of a text. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** A text as JSON, or where it is none. */
export type ParsedDraft =
  | { readonly kind: "json"; readonly value: Json; readonly root: Node }
  | { readonly kind: "problem"; readonly message: string; readonly span: TextSpan };

const strict = { disallowComments: true, allowTrailingComma: false };

/** Reads the text strictly: what is sent must be what is seen. */
export function parseDraft(text: string): ParsedDraft {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, strict);
  const [first] = errors;
  if (root === undefined || first !== undefined) {
    const message = first === undefined ? "The draft is empty." : parseWords(first);
    return { kind: "problem", message, span: { offset: first?.offset ?? 0, length: first?.length ?? 0 } };
  }
  return { kind: "json", value: getNodeValue(root) as Json, root };
}

/** Where the path is in the text, or what is nearest above it; `found` is how much of the path there is. */
export function spanOf(root: Node, path: DraftPath): { readonly span: TextSpan; readonly found: DraftPath } {
  for (let depth = path.length; depth > 0; depth--) {
    const found = path.slice(0, depth);
    const node = findNodeAtLocation(root, [...found]);
    if (node !== undefined) return { span: { offset: node.offset, length: node.length }, found };
  }
  return { span: { offset: root.offset, length: 1 }, found: [] };
}

/** The path in the draft that a refused field has (docs/interface.md, "Validation error body"). */
export function pathOf({ loc }: FieldError): DraftPath {
  return loc[0] === "body" ? loc.slice(1) : loc;
}

/** The fields that a plain sentence of the server names, such as "source_config.repo_url cannot be changed". */
export function pathsNamedIn(sentence: string, draft: JsonObject): readonly DraftPath[] {
  const named = sentence.match(/[A-Za-z_][\w]*(?:\.\w+)*/g) ?? [];
  return named
    .map((words) => words.split("."))
    .filter(([first = "", ...rest]) => rest.length > 0 || /^(name|source|secrets)$/.test(first))
    .filter(([first = ""]) => Object.hasOwn(draft, first));
}

/** The text with an id as its first member, otherwise as it was. */
export function withId(
  text: string,
  id: string,
): { readonly span: TextSpan; readonly content: string } | undefined {
  const [edit] = modify(text, ["id"], id, {
    getInsertionIndex: () => 0,
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  return edit === undefined
    ? undefined
    : { span: { offset: edit.offset, length: edit.length }, content: edit.content };
}

/** The fields of a 422, or those that a plain sentence names; none when the draft has nothing to do with it. */
export function refusedFields(
  { kind, fields = [], detail }: ApiError,
  draft: JsonObject,
): readonly { readonly path: DraftPath; readonly message: string }[] {
  if (kind !== "invalid") return [];
  if (fields.length > 0) return fields.map((field) => ({ path: pathOf(field), message: field.msg }));
  const message = detail ?? "The platform does not accept this.";
  const named = pathsNamedIn(message, draft);
  return (named.length === 0 ? [[]] : named).map((path) => ({ path, message }));
}

function parseWords({ error }: ParseError): string {
  const words = printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return `This is not JSON: ${words}.`;
}
