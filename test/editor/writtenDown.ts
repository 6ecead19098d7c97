import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Services } from "../../src/editor/services.ts";

/** One place where the extension writes, and what stands there. */
export interface Written {
  readonly place: string;
  readonly text: string;
}

/** Everything that the extension has written down: logs, stored files and state, settings. */
export async function writtenDown({ context }: Pick<Services, "context">): Promise<readonly Written[]> {
  const [logged, stored] = await Promise.all([
    filesBelow(context.logUri.fsPath),
    filesBelow(context.globalStorageUri.fsPath).catch(() => []),
  ]);
  const settings = ["connections", "defaultConnection"].map((name) => ({
    place: `setting ${name}`,
    text: JSON.stringify(vscode.workspace.getConfiguration("agentOperations").inspect(name)),
  }));
  const states = [context.globalState, context.workspaceState].flatMap((memento) =>
    memento.keys().map((name) => ({ place: `state ${name}`, text: JSON.stringify(memento.get(name)) })),
  );
  return [...logged, ...stored, ...settings, ...states];
}

/** Everything is logged while `work` goes on, and no longer: the whole editor takes half its time for that. */
export async function whileAllIsLogged(work: () => Promise<void>): Promise<void> {
  const usual = await vscode.commands.executeCommand("_extensionTests.getLogLevel");
  await vscode.commands.executeCommand("_extensionTests.setLogLevel", "trace");
  try {
    await work();
  } finally {
    await vscode.commands.executeCommand("_extensionTests.setLogLevel", usual);
  }
}

async function filesBelow(directory: string): Promise<readonly Written[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (place) => ({ place, text: await readFile(place, "latin1") })));
}
