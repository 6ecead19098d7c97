/** Writing an agent's files to a folder of the workspace: all of them, or none. */

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import * as vscode from "vscode";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { AgentTree, FileChange } from "./agentTree.ts";
import { clashAmong, pathProblem } from "./fileNames.ts";

const { fs } = vscode.workspace;
const { Directory, SymbolicLink } = vscode.FileType;

/**
 * Makes a folder hold the tree: writes and deletes just what `changes` names. Throws a NotPossibleError when that can't be
 * done, and then the folder is as it was: what is in the way is looked for, and the disk tried, before anything is written.
 */
export async function writeFolder(
  folder: vscode.Uri,
  tree: AgentTree,
  changes: readonly FileChange[],
): Promise<void> {
  const clash = clashAmong(tree.keys());
  if (clash !== undefined) throw refusal(clash.path, clash.why);
  const deleted = new Set(changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path));
  const written = changes.filter(({ path }) => !deleted.has(path)).map(({ path }) => path);
  for (const path of deleted) await requireFree(folder, path, deleted);
  for (const path of written) await requireFree(folder, path, deleted);
  await tryOut(folder, tree, written);
  const undo: (() => PromiseLike<void>)[] = [];
  try {
    // First, because on some disks a name that goes is the same as one that comes.
    for (const path of deleted) await remove(folder, path, undo);
    for (const path of written) await write(folder, path, tree.get(path) ?? "", undo);
  } catch (error) {
    for (const step of undo.reverse()) await Promise.resolve(step()).catch(() => undefined);
    throw error;
  }
}

/** Throws when a link, or something that is no file, is in the way between the workspace's own folder and a file. */
async function requireFree(folder: vscode.Uri, path: string, deleted: ReadonlySet<string>): Promise<void> {
  const why = pathProblem(path);
  if (why !== undefined) throw refusal(path, why);
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const above = folder.path
    .slice(root.path.length)
    .split("/")
    .filter((name) => name !== "");
  const segments = [...above, ...path.split("/")];
  for (let length = 1; length <= segments.length; length += 1) {
    const part = segments.slice(0, length).join("/");
    const stat = await statOf(vscode.Uri.joinPath(root, part));
    if (stat === undefined) return;
    // A link leads elsewhere.
    if ((stat.type & SymbolicLink) !== 0) throw refusal(part, "it is a link");
    const isFolder = (stat.type & Directory) !== 0;
    const isLast = length === segments.length;
    const goes = deleted.has(segments.slice(above.length, length).join("/"));
    if (!isLast && !isFolder && goes) return;
    if (isLast && isFolder) throw refusal(part, "it is a folder");
    if (!isLast && !isFolder) throw refusal(part, "it is a file");
    if (stat.permissions === vscode.FilePermission.Readonly) throw refusal(part, "it is read-only");
  }
}

/** Writes all of it to a folder beside, which is removed again: a disk may refuse names that others have, or be full. */
async function tryOut(folder: vscode.Uri, tree: AgentTree, paths: readonly string[]): Promise<void> {
  const beside = vscode.Uri.joinPath(folder, "..", `.${basename(folder.path)}.${randomUUID().slice(0, 8)}`);
  try {
    for (const path of paths)
      await fs
        .writeFile(vscode.Uri.joinPath(beside, path), encoded(tree.get(path)))
        .then(undefined, refusalOf(path));
  } finally {
    await fs.delete(beside, { recursive: true }).then(undefined, () => undefined);
  }
}

async function remove(folder: vscode.Uri, path: string, undo: (() => PromiseLike<void>)[]): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, path);
  const before = await contentOf(uri);
  // Not every system has a trash.
  await fs
    .delete(uri, { useTrash: true })
    .then(undefined, () => fs.delete(uri))
    .then(undefined, refusalOf(path));
  if (before !== undefined) undo.push(() => fs.writeFile(uri, before));
}

async function write(
  folder: vscode.Uri,
  path: string,
  text: string,
  undo: (() => PromiseLike<void>)[],
): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, path);
  const before = await contentOf(uri);
  undo.push(() => (before === undefined ? fs.delete(uri) : fs.writeFile(uri, before)));
  await fs.writeFile(uri, encoded(text)).then(undefined, refusalOf(path));
}

function refusalOf(path: string): (error: unknown) => never {
  return (error) => {
    throw refusal(path, error instanceof Error ? error.message : String(error));
  };
}

function refusal(what: string, why: string): NotPossibleError {
  const reason = why.replace(/\.$/, "");
  return new NotPossibleError(
    `Nothing was written, because of ${what}: ${reason}.`,
    "Move it away or rename it, then pull again.",
  );
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return fs.stat(uri).then(
    (found) => found,
    () => undefined,
  );
}

async function contentOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return fs.readFile(uri).then(
    (content) => content,
    () => undefined,
  );
}

function encoded(text = ""): Uint8Array {
  return new TextEncoder().encode(text);
}
