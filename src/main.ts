/** What the editor loads: it has the extension's code compiled once and for all, and then starts the extension. */

import { enableCompileCache, flushCompileCache } from "node:module";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type * as vscode from "vscode";
import type * as Extension from "./extension.ts";

/** By then what is used at first has run; only what has run is kept compiled. */
const keepAfterMs = 10_000;

let extension: Promise<typeof Extension> | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<unknown> {
  keepCompiled(context);
  extension = import("./extension.ts");
  return (await extension).activate(context);
}

export async function deactivate(): Promise<void> {
  await (await extension)?.deactivate();
}

/** Keeps compiled code on disk, of this version alone; without it everything works, a little later. */
function keepCompiled({
  extension: { packageJSON },
  globalStorageUri,
  subscriptions,
}: vscode.ExtensionContext): void {
  const { version } = packageJSON as { readonly version: string };
  const folder = join(globalStorageUri.fsPath, "compiled");
  try {
    enableCompileCache(join(folder, version));
  } catch {
    return;
  }
  const timer = setTimeout(() => {
    flushCompileCache();
    void removeOthers(folder, version).catch(() => undefined);
  }, keepAfterMs);
  subscriptions.push({ dispose: () => clearTimeout(timer) });
}

async function removeOthers(folder: string, version: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name !== version);
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true });
}
