/** The languages that code is coloured in; loaded when the first code comes in sight. */

import { StringStream, type StreamParser } from "@codemirror/streamparser";
import { c, cpp, csharp, dart, java, kotlin, scala } from "@codemirror/legacy-modes/mode/clike";
import { css, less, sCSS } from "@codemirror/legacy-modes/mode/css";
import { diff } from "@codemirror/legacy-modes/mode/diff";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { go } from "@codemirror/legacy-modes/mode/go";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { powerShell } from "@codemirror/legacy-modes/mode/powershell";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { python } from "@codemirror/legacy-modes/mode/python";
import { r } from "@codemirror/legacy-modes/mode/r";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { pgSQL } from "@codemirror/legacy-modes/mode/sql";
import { swift } from "@codemirror/legacy-modes/mode/swift";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { html, xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { ColouredText, type Language } from "./colouredText.ts";

const parsers: readonly (readonly [StreamParser<unknown>, string])[] = [
  [c, "c h"],
  [cpp, "cpp c++ cc cxx hpp"],
  [csharp, "csharp c# cs"],
  [css, "css"],
  [dart, "dart"],
  [diff, "diff patch"],
  [dockerFile, "dockerfile docker"],
  [go, "go golang"],
  [html, "html htm vue svelte"],
  [java, "java"],
  [javascript, "javascript js jsx mjs cjs javascriptreact"],
  [json, "json jsonc json5 jsonl"],
  [kotlin, "kotlin kt"],
  [less, "less"],
  [lua, "lua"],
  [powerShell, "powershell ps1 pwsh"],
  [properties, "properties ini env dotenv"],
  [pgSQL, "sql postgres postgresql pgsql mysql sqlite plsql"],
  [python, "python py python3"],
  [r, "r"],
  [ruby, "ruby rb"],
  [rust, "rust rs"],
  [scala, "scala"],
  [sCSS, "scss sass"],
  [shell, "shell shellscript bash sh zsh console"],
  [swift, "swift"],
  [toml, "toml"],
  [typescript, "typescript ts tsx mts cts typescriptreact"],
  [xml, "xml svg xsd"],
  [yaml, "yaml yml"],
];

const byName = new Map(
  parsers.flatMap(([parser, names]) => names.split(" ").map((name) => [name, languageOf(parser)] as const)),
);

/** A text to be coloured, or undefined for a language that is not known. */
export function colouredText(language: string): ColouredText | undefined {
  const known = byName.get(language.toLowerCase());
  return known === undefined ? undefined : new ColouredText(known);
}

function languageOf(parser: StreamParser<unknown>): Language {
  return {
    start: () => parser.startState?.(2) ?? {},
    copy: (state) => parser.copyState?.(state) ?? copied(state),
    line: (text, state) => {
      if (text === "") parser.blankLine?.(state, 2);
      const stream = new StringStream(text, 2, 2);
      return {
        next: () => {
          stream.start = stream.pos;
          return { kind: parser.token(stream, state) ?? "", end: stream.pos };
        },
      };
    },
  };
}

/** A state is one object with lists and plain values. */
function copied(state: unknown): unknown {
  if (typeof state !== "object" || state === null) return state;
  const fields = Object.entries(state).map(([name, value]: readonly [string, unknown]) => [
    name,
    Array.isArray(value) ? [...(value as readonly unknown[])] : value,
  ]);
  return Object.fromEntries(fields);
}
