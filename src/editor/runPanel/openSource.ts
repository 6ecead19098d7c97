/** Opens locations in the workspace's own sources: where a node or a tool is written, or what a text names. */

import { relative } from "node:path";
import * as vscode from "vscode";
import type { FoundSource, SourceLocation, Wanted } from "../graphSources/findSource.ts";
import { askChoice } from "../kit/ask/questions.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { oneLine, withoutIcons } from "../kit/words.ts";
import type { Services } from "../services.ts";
import { addressOf, readSource } from "../workspaceGraphs/graphAddress.ts";
import { filesNamed } from "./namedFiles.ts";

/**
 * Opens the location that it certainly is; where it may be elsewhere, too, a person chooses.
 * Throws NotPossibleError where nobody can tell.
 */
export async function openSource(
  graphs: Services["workspaceGraphs"],
  projectId: string,
  graph: string,
  wanted: Wanted,
): Promise<void> {
  const name = "tool" in wanted ? wanted.tool : wanted.node;
  const project = graphs.project(projectId);
  const { findSource } = await import("../graphSources/findSource.ts");
  const entry = (await graphs.file(projectId)).graphs.find((one) => one.name === graph);
  if (project === undefined || entry === undefined)
    throw new NotPossibleError(
      `Where “${name}” is written is not known: no graph “${graph}” stands in the workspace's langgraph.json.`,
      "Name the graph there.",
    );
  const found: FoundSource = await findSource(addressOf(project, entry), wanted, readSource);
  const { locations, isCertain } = found;
  const [first] = locations;
  if (first === undefined)
    throw new NotPossibleError(
      `Where “${name}” is written could not be found in the sources of “${graph}”.`,
      "A package may have made it, or its name is put together while the graph runs.",
    );
  const location = isCertain ? first : await choose(name, locations, project.folder.fsPath);
  await showLocation(location);
}

/**
 * Opens the file that a text names, at its line; of several ones a person chooses.
 * Throws NotPossibleError where the folders have none.
 */
export async function openFile(
  { path, line, column = 1 }: { readonly path: string; readonly line: number; readonly column?: number },
  folders: readonly string[],
): Promise<void> {
  const files = await filesNamed(path, folders);
  if (files.length === 0)
    throw new NotPossibleError(
      `The workspace has no file “${oneLine(path)}”.`,
      "It may have been moved, or deleted.",
    );
  const rows = files.map((file) => ({
    label: withoutIcons(vscode.workspace.asRelativePath(file)),
    value: file,
  }));
  const [only, ...others] = rows;
  const chosen =
    others.length === 0
      ? only?.value
      : await askChoice({ title: "Open File" }, rows, { placeholder: "It may be one of these" });
  if (chosen === undefined) return;
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  await show(vscode.Uri.file(chosen), at);
}

async function choose(
  name: string,
  locations: readonly SourceLocation[],
  folder: string,
): Promise<SourceLocation> {
  const items = await Promise.all(
    locations.map(async (location) => {
      const document = await vscode.workspace.openTextDocument(location.path);
      const { line } = document.positionAt(location.from);
      const description = `${relative(folder, location.path)}:${line + 1}`;
      return {
        label: withoutIcons(document.lineAt(line).text),
        description: withoutIcons(description),
        value: location,
      };
    }),
  );
  return askChoice({ title: `Open Code of ${name}` }, items, { placeholder: "It may be one of these" });
}

async function showLocation(location: SourceLocation): Promise<void> {
  const document = await vscode.workspace.openTextDocument(location.path);
  const at = document.positionAt(location.from);
  const defined = location.isUse
    ? await definitionAt(document.uri, document.positionAt(location.to))
    : undefined;
  const { uri, range } = defined ?? new vscode.Location(document.uri, at);
  await show(uri, range.start);
}

/** In the column that has it already, or else has code; else beside the panel. */
async function show(uri: vscode.Uri, at: vscode.Position): Promise<void> {
  const shown = vscode.window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined);
  const same = shown.find(({ document }) => document.uri.toString() === uri.toString());
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(at, at),
    viewColumn: (same ?? shown[0])?.viewColumn ?? vscode.ViewColumn.Beside,
  });
}

/** What the editor's own language knows of what is used there, if that is one location of the workspace. */
async function definitionAt(uri: vscode.Uri, at: vscode.Position): Promise<vscode.Location | undefined> {
  const found = await vscode.commands.executeCommand<readonly (vscode.Location | vscode.LocationLink)[]>(
    "vscode.executeDefinitionProvider",
    uri,
    at,
  );
  const locations = found.map((one) =>
    "uri" in one ? one : new vscode.Location(one.targetUri, one.targetSelectionRange ?? one.targetRange),
  );
  const [only, ...others] = locations.filter(
    (location) =>
      vscode.workspace.getWorkspaceFolder(location.uri) !== undefined &&
      !location.uri.path.includes("/node_modules/") &&
      location.uri.toString() !== uri.toString(),
  );
  return others.length === 0 ? only : undefined;
}
