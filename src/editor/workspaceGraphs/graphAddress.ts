/** Where the sources of the workspace's graphs are read: as they are in the editor, else as they are saved. */

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as vscode from "vscode";
import type { GraphAddress } from "../graphSources/findSource.ts";
import type { ReadText } from "../graphSources/sources.ts";
import { type GraphEntry, isModule } from "./graphFile.ts";
import type { GraphProject } from "./graphProject.ts";

/** More of a source is not read. */
const mostBytes = 1_000_000;

/** A graph as its project's `langgraph.json` names it; a Python one may be named by its module. */
export function addressOf(
  { folder }: Pick<GraphProject, "folder">,
  { file, exported }: GraphEntry,
): GraphAddress {
  const root = folder.fsPath;
  return {
    path: resolve(root, isModule(file) ? `${file.replaceAll(".", "/")}.py` : file),
    exported,
    root,
  };
}

/** The text of a source; undefined where there is none, or it is too large. */
export const readSource: ReadText = async (path) => {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === path);
  if (open !== undefined) return open.getText();
  try {
    const status = await stat(path);
    return status.isFile() && status.size <= mostBytes ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
};
