/** Opens where a node or a tool is written, in the sources that the workspace has of its own graphs. */

import { readFile, stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import * as vscode from "vscode";
import type { FoundSource, SourcePlace, Wanted } from "../graphSources/findSource.ts";
import type { ReadText } from "../graphSources/sources.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import type { Services } from "../services.ts";
import type { GraphEntry } from "../workspaceGraphs/graphFile.ts";

/** More of a source is not read. */
const mostBytes = 1_000_000;

/**
 * Opens the place that it certainly is; where it may be elsewhere, too, a person chooses.
 * Throws NotPossibleError where nobody can tell.
 */
export async function openSource(
  graphs: Services["workspaceGraphs"],
  projectId: string,
  graph: string,
  wanted: Wanted,
): Promise<void> {
  const name = "tool" in wanted ? wanted.tool : wanted.node;
  const folder = graphs.project(projectId)?.folder.fsPath;
  const { findSource } = await import("../graphSources/findSource.ts");
  const entry = (await graphs.file(projectId)).graphs.find((one) => one.name === graph);
  if (folder === undefined || entry === undefined)
    throw new NotPossibleError(
      `Where “${name}” is written is not known: no graph “${graph}” stands in the workspace's langgraph.json.`,
      "Name the graph there.",
    );
  const address = { path: pathOf(entry, folder), exported: entry.exported, root: folder };
  const { places, isCertain }: FoundSource = await findSource(address, wanted, readText);
  const [first] = places;
  if (first === undefined)
    throw new NotPossibleError(
      `Where “${name}” is written could not be found in the sources of “${graph}”.`,
      "A package may have made it, or its name is put together while the graph runs.",
    );
  const place = isCertain ? first : await choose(name, places, folder);
  if (place !== undefined) await show(place);
}

/** A Python graph may be named by its module. */
function pathOf({ file }: GraphEntry, folder: string): string {
  const isModule = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(file) && !/\.(?:[cm]?[jt]sx?|py)$/.test(file);
  return resolve(folder, isModule ? `${file.replaceAll(".", "/")}.py` : file);
}

async function choose(
  name: string,
  places: readonly SourcePlace[],
  folder: string,
): Promise<SourcePlace | undefined> {
  const items = await Promise.all(
    places.map(async (place) => {
      const document = await vscode.workspace.openTextDocument(place.path);
      const { line } = document.positionAt(place.from);
      const description = `${relative(folder, place.path)}:${line + 1}`;
      return { label: document.lineAt(line).text.trim(), description, place };
    }),
  );
  const chosen = await vscode.window.showQuickPick(items, {
    title: `Open Code of ${name}`,
    placeHolder: "It may be one of these",
  });
  return chosen?.place;
}

async function show(place: SourcePlace): Promise<void> {
  const document = await vscode.workspace.openTextDocument(place.path);
  const at = document.positionAt(place.from);
  const defined = place.isUse ? await definitionAt(document.uri, document.positionAt(place.to)) : undefined;
  const { uri, range } = defined ?? new vscode.Location(document.uri, at);
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(range.start, range.start),
    viewColumn: vscode.ViewColumn.Beside,
  });
}

/** What the editor's own language knows of what is used there, if that is one place of the workspace. */
async function definitionAt(uri: vscode.Uri, at: vscode.Position): Promise<vscode.Location | undefined> {
  const found = await vscode.commands.executeCommand<readonly (vscode.Location | vscode.LocationLink)[]>(
    "vscode.executeDefinitionProvider",
    uri,
    at,
  );
  const places = found.map((one) =>
    "uri" in one ? one : new vscode.Location(one.targetUri, one.targetSelectionRange ?? one.targetRange),
  );
  const [only, ...others] = places.filter(
    (place) =>
      vscode.workspace.getWorkspaceFolder(place.uri) !== undefined &&
      !place.uri.path.includes("/node_modules/") &&
      place.uri.toString() !== uri.toString(),
  );
  return others.length === 0 ? only : undefined;
}

/** A source as it is in the editor, else as it is saved. */
const readText: ReadText = async (path) => {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === path);
  if (open !== undefined) return open.getText();
  try {
    const status = await stat(path);
    return status.isFile() && status.size <= mostBytes ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
};
