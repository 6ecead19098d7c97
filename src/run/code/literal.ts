import type { Json } from "../../api/agentServer/wire.ts";
import { isList } from "../json/json.ts";
import { quoted } from "./call.ts";

/** How a language writes what JSON writes otherwise. */
export interface Spelling {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  /** The name of a member. */
  readonly name: (name: string) => string;
}

/** As JSON itself. */
export const jsonSpelling: Spelling = { null: "null", true: "true", false: "false", name: quoted };

/** A value as a literal of a language, set in by `indent` from its second line on. */
export function literal(value: Json, spelling: Spelling, indent = ""): string {
  const inner = `${indent}  `;
  const block = (open: string, parts: readonly string[], close: string): string =>
    parts.length === 0
      ? `${open}${close}`
      : `${open}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${indent}${close}`;
  if (isList(value))
    return block(
      "[",
      value.map((item) => literal(item, spelling, inner)),
      "]",
    );
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      return String(value);
    case "boolean":
      return value ? spelling.true : spelling.false;
    default:
      return value === null
        ? spelling.null
        : block(
            "{",
            Object.entries(value).flatMap(([name, member]) =>
              member === undefined ? [] : [`${spelling.name(name)}: ${literal(member, spelling, inner)}`],
            ),
            "}",
          );
  }
}
