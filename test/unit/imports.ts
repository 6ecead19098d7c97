/** What a source file imports, read from its syntax: types, values, and what is imported when it is needed. */

import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";

/** "type" vanishes, "value" loads with the file, "lazy" loads when the code gets there. */
export type ImportKind = "type" | "value" | "lazy";

export interface Imports {
  /** Our own files, as paths from the repository's root. */
  readonly files: readonly { readonly file: string; readonly kind: ImportKind }[];
  /** Packages by name, without what follows it: "preact/hooks" is preact. */
  readonly packages: readonly { readonly name: string; readonly kind: ImportKind }[];
}

export function importsOf(root: string, file: string): Imports {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: { readonly specifier: string; readonly kind: ImportKind }[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) found.push({ specifier, kind: kindOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const relative = found.filter(({ specifier }) => specifier.startsWith("."));
  return {
    files: relative.map(({ specifier, kind }) => ({ file: posix.join(dirname(file), specifier), kind })),
    packages: found
      .filter(({ specifier }) => !specifier.startsWith("."))
      .map(({ specifier, kind }) => ({ name: packageOf(specifier), kind })),
  };
}

function specifierOf(node: ts.Node): string | undefined {
  const named =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
  return named !== undefined && ts.isStringLiteralLike(named) ? named.text : undefined;
}

function kindOf(node: ts.Node): ImportKind {
  if (ts.isImportTypeNode(node)) return "type";
  if (ts.isCallExpression(node)) return "lazy";
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? "type" : "value";
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return "value";
  return node.importClause.phaseModifier === ts.SyntaxKind.TypeKeyword ? "type" : "value";
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
