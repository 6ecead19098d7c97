/** Runs in the extension host: activates the extensions it is told, one after the other, and writes the times down. */

import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";

export interface Activation {
  /** Reading and running the extension's file. */
  readonly loadMs: number;
  /** Its `activate()`, with the host's part of it. */
  readonly activateMs: number;
}

export async function run(): Promise<void> {
  const names = (process.env["AGENT_OPERATIONS_ACTIVATE"] ?? "").split(",");
  const times: Record<string, Activation> = {};
  for (const name of names) {
    const extension = vscode.extensions.getExtension(name);
    if (extension === undefined) throw new Error(`There is no extension ${name}.`);
    if (extension.isActive) throw new Error(`The extension ${name} was active before it was measured.`);
    const { main } = extension.packageJSON as { readonly main: string };
    const start = performance.now();
    createRequire(join(extension.extensionPath, "package.json"))(join(extension.extensionPath, main));
    const loaded = performance.now();
    await extension.activate();
    times[name] = { loadMs: loaded - start, activateMs: performance.now() - loaded };
  }
  await writeFile(process.env["AGENT_OPERATIONS_ACTIVATION_OUTPUT"] ?? "", JSON.stringify(times));
}
