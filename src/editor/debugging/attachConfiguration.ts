/** How the editor's JavaScript debugger attaches to a process of a graph server, and what to say where it can't. */

import * as vscode from "vscode";
import { NotPossibleError } from "../kit/remedies.ts";
import type { GraphProject } from "../workspaceGraphs/graphProject.ts";

/** By this name a session's configuration tells whose server it is about. */
const PROJECT = "agentOperationsGraphs";

/** What the editor's debugger calls its sessions. */
export const SESSION_TYPE = "pwa-node";

/** Attaching to a process of the server. */
export function attachConfiguration(
  { id, folder }: GraphProject,
  name: string,
  port: number,
): vscode.DebugConfiguration {
  return {
    ...{ type: "node", request: "attach", name, address: "127.0.0.1", port, continueOnAttach: true },
    cwd: folder.fsPath,
    // Of all that throws on the way, only the project's own sources hold the server.
    skipFiles: ["<node_internals>/**", "**/node_modules/**"],
    internalConsoleOptions: "neverOpen",
    // Costs seconds at each start of a process.
    showAsyncStacks: false,
    [PROJECT]: id,
  };
}

/** Whose server a session is about, its own configuration or that of one above it; undefined for what others debug. */
export function projectIdOf(session: vscode.DebugSession): string | undefined {
  for (let one: vscode.DebugSession | undefined = session; one !== undefined; one = one.parentSession) {
    const id: unknown = one.configuration[PROJECT];
    if (typeof id === "string") return id;
  }
  return undefined;
}

/** Throws NotPossibleError where the editor has no such debugger. */
export function checkDebugger(): void {
  const isThere = vscode.extensions.all.some(({ packageJSON }) => {
    const { contributes } = packageJSON as { readonly contributes?: { readonly debuggers?: unknown } };
    const debuggers = Array.isArray(contributes?.debuggers) ? (contributes.debuggers as unknown[]) : [];
    return debuggers.some((one) => (Object(one) as { readonly type?: unknown }).type === SESSION_TYPE);
  });
  if (isThere) return;
  throw new NotPossibleError(
    "This editor's JavaScript debugger is not there, or disabled.",
    "Enable the built-in extension “JavaScript Debugger”, and debug again.",
  );
}

/** The debugger is for another language. */
export function pythonIsOther(name: string): NotPossibleError {
  return new NotPossibleError(
    `The graphs of ${name} are Python, which the JavaScript debugger can't hold.`,
    "Run “langgraph dev --debug-port 5678” there, and attach the Python debugger to that port.",
  );
}

/** Attaching did not succeed; `cause` may say why. */
export function attachFailed(name: string, cause?: unknown): NotPossibleError {
  const why = cause instanceof Error && cause.name !== "TimeoutError" ? ` ${cause.message}` : "";
  return new NotPossibleError(
    `The debugger could not be attached to the graphs of ${name}.${why}`,
    "Look into the log of the server, restart the graphs, and debug again.",
    ["showGraphLog"],
  );
}
