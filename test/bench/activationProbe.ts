/**
 * Runs in the extension host: activates the extension it is told, and writes down how long that took. What an extension
 * has compiled is kept at once, as it would be a little later, so that the next start finds it.
 */

import { writeFile } from "node:fs/promises";
import { createRequire, flushCompileCache } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";

export interface Activation {
  /** Reading and running the extension's file. */
  readonly loadMs: number;
  /** Its `activate()` until what it promised is there, or has failed. */
  readonly activateMs: number;
  /** What both took of this thread's processor, however busy the machine is. */
  readonly cpuMs: number;
  readonly failed: boolean;
}

type Activate = (context: vscode.ExtensionContext) => unknown;

export async function run(): Promise<void> {
  const name = process.env["AGENT_OPERATIONS_ACTIVATE"] ?? "";
  const extension = vscode.extensions.getExtension(name);
  if (extension === undefined) throw new Error(`There is no extension ${name}.`);
  if (extension.isActive) throw new Error(`The extension ${name} was active before it was measured.`);
  const { main } = extension.packageJSON as { readonly main: string };
  const require = createRequire(join(extension.extensionPath, "package.json"));
  const file = require.resolve(join(extension.extensionPath, main));
  const cpuBefore = process.threadCpuUsage();
  const start = performance.now();
  const { activate } = require(file) as { readonly activate: Activate };
  const loadMs = performance.now() - start;
  let timed: Promise<Omit<Activation, "loadMs">> | undefined;
  // The host takes the module from the cache, so it calls the one that is timed.
  const cached = require.cache[file];
  if (cached === undefined) throw new Error(`${file} was not loaded as a module.`);
  cached.exports = {
    ...(cached.exports as object),
    activate: (context: vscode.ExtensionContext) => {
      const began = performance.now();
      const answer = activate(context);
      const settled = (failed: boolean) => {
        const { user, system } = process.threadCpuUsage(cpuBefore);
        return { activateMs: performance.now() - began, cpuMs: (user + system) / 1000, failed };
      };
      timed = Promise.resolve(answer).then(
        () => settled(false),
        () => settled(true),
      );
      return answer;
    },
  };
  await extension.activate().then(undefined, () => undefined);
  if (timed === undefined) throw new Error(`The host did not call the activate() of ${name}.`);
  const activation: Activation = { loadMs, ...(await timed) };
  flushCompileCache();
  await writeFile(process.env["AGENT_OPERATIONS_ACTIVATION_OUTPUT"] ?? "", JSON.stringify(activation));
}
