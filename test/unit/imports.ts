/** What a source file imports, read from its syntax: types, values, and what is imported when it is needed. */

import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { everyNode, type Node, parsed } from "../support/syntax.ts";

/** "type" vanishes, "value" loads with the file, "lazy" loads when the code gets there. */
export type ImportKind = "type" | "value" | "lazy";

export interface Imports {
  /** Our own files, as paths from the repository's root. */
  readonly files: readonly { readonly file: string; readonly kind: ImportKind }[];
  /** Packages by name, without what follows it: "preact/hooks" is preact. */
  readonly packages: readonly { readonly name: string; readonly kind: ImportKind }[];
}

export function importsOf(root: string, file: string): Imports {
  const found = everyNode(parsed(file, readFileSync(join(root, file), "utf8"))).flatMap((node) => {
    const specifier = specifierOf(node);
    return specifier === undefined ? [] : [{ specifier, kind: kindOf(node) }];
  });
  const relative = found.filter(({ specifier }) => specifier.startsWith("."));
  return {
    files: relative.map(({ specifier, kind }) => ({ file: posix.join(dirname(file), specifier), kind })),
    packages: found
      .filter(({ specifier }) => !specifier.startsWith("."))
      .map(({ specifier, kind }) => ({ name: packageOf(specifier), kind })),
  };
}

function specifierOf(node: Node): string | undefined {
  if (!("source" in node) || node.source === null || node.source.type !== "Literal") return undefined;
  return String(node.source.value);
}

function kindOf(node: Node): ImportKind {
  if (node.type === "TSImportType") return "type";
  if (node.type === "ImportExpression") return "lazy";
  return ("importKind" in node ? node.importKind : "exportKind" in node && node.exportKind) === "type"
    ? "type"
    : "value";
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
