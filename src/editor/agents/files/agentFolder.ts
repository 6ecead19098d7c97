/** An agent's files in a folder of the workspace, in the layout of its virtual folder. */

import * as vscode from "vscode";
import { type AgentTree, isOfLayout } from "./agentTree.ts";
import { FileNames, pathProblem } from "./fileNames.ts";

/** What a folder holds of an agent, and what of it can't be sent. */
export interface FolderContent {
  readonly tree: AgentTree;
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

const largestBytes = 1_000_000;
const { Directory, SymbolicLink } = vscode.FileType;

/** Reads the files of the layout, and those that `also` names; links are not followed. */
export async function readFolder(folder: vscode.Uri, also: Iterable<string> = []): Promise<FolderContent> {
  const [tree, leftOut] = [new Map<string, string>(), [] as { path: string; why: string }[]];
  const wanted = new Set(also);
  const names = new FileNames();
  const isWanted = (path: string, type: vscode.FileType): boolean =>
    isOfLayout(path) ||
    wanted.has(path) ||
    ((type & Directory) !== 0 &&
      (/^(?:skills|subagents)$/.test(path) || [...wanted].some((file) => file.startsWith(`${path}/`))));
  const read = async (below: string): Promise<void> => {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, below));
    for (const [name, type] of entries.sort(([one], [other]) => one.localeCompare(other))) {
      const path = below === "" ? name : `${below}/${name}`;
      if (!isWanted(path, type)) continue;
      const why = (type & SymbolicLink) !== 0 ? "it is a link" : pathProblem(path);
      if (why !== undefined) leftOut.push({ path, why });
      else if ((type & Directory) !== 0) await read(path);
      else if (names.clash(path) !== undefined) leftOut.push({ path, why: names.clash(path) ?? "" });
      else {
        names.add(path);
        const text = textOf(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, path)));
        if (text === undefined) leftOut.push({ path, why: "it is no text, or too large" });
        else tree.set(path, text);
      }
    }
  };
  await read("");
  return { tree, leftOut };
}

/** What a folder holds, with what was left out as it is in `other`: it is neither changed nor deleted by that. */
export function withLeftOut({ tree, leftOut }: FolderContent, other: AgentTree): AgentTree {
  const isLeftOut = (file: string): boolean =>
    leftOut.some(({ path }) => file === path || file.startsWith(`${path}/`));
  return new Map([...tree, ...[...other].filter(([file]) => isLeftOut(file))]);
}

function textOf(content: Uint8Array): string | undefined {
  if (content.length > largestBytes) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
