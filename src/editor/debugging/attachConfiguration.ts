/** How the editor's debuggers attach to a process of a graph server, and what to say where they can't. */

import * as vscode from "vscode";
import { NotPossibleError } from "../kit/remedies.ts";
import type { Runtime } from "../workspaceGraphs/graphFile.ts";
import type { GraphProject } from "../workspaceGraphs/graphProject.ts";
import type { WorkspaceGraphs } from "../workspaceGraphs/workspaceGraphs.ts";
import { openInspectors } from "./inspectors.ts";

/** By this name a session's configuration tells whose server it is about. */
const PROJECT = "agentOperationsGraphs";

/** What is another for each language of graphs. */
export const DEBUGGERS = {
  node: {
    name: "JavaScript",
    /** What the debugger calls its sessions. */
    sessionType: "pwa-node",
    /** The filters that hold what throws. */
    throwing: ["all"],
    remedy: "Enable the built-in extension “JavaScript Debugger”, and debug again.",
  },
  python: {
    name: "Python",
    sessionType: "debugpy",
    throwing: ["userUnhandled"],
    remedy: "Install the extension “Python Debugger” (ms-python.debugpy), and debug again.",
  },
} as const satisfies Readonly<Record<Runtime, unknown>>;

/** A process of a server that listens to a debugger. */
export interface ListeningProcess {
  /** What its session is called. */
  readonly name: string;
  readonly address: string;
}

/** The processes of a server that runs, the first of which starts the others. Throws NotPossibleError. */
export async function listeningProcesses(
  { id, name }: GraphProject,
  graphs: Pick<WorkspaceGraphs, "facts" | "inspectors">,
  signal: AbortSignal,
): Promise<readonly ListeningProcess[]> {
  const { pid, debugPort } = graphs.facts(id) ?? {};
  if (pid === undefined) throw attachFailed(name);
  if (debugPort !== undefined) return [{ name, address: `tcp://127.0.0.1:${String(debugPort)}` }];
  try {
    const found = await openInspectors({ pid, said: () => graphs.inspectors(id) }, signal);
    // What the first starts later, when a source was saved, is attached to by itself; what runs already is not.
    return [
      { name, address: found.watcher },
      { name: `${name}: graphs`, address: found.graphs },
    ];
  } catch (error) {
    signal.throwIfAborted();
    throw attachFailed(name, error);
  }
}

/** Attaching to a process of the server. */
export function attachConfiguration(
  { id, folder }: GraphProject,
  runtime: Runtime,
  { name, address }: ListeningProcess,
): vscode.DebugConfiguration {
  const common = {
    ...{ request: "attach", name, cwd: folder.fsPath, [PROJECT]: id },
    internalConsoleOptions: "neverOpen",
  };
  if (runtime === "python") {
    const { hostname: host, port } = new URL(address);
    return { ...common, type: "debugpy", connect: { host, port: Number(port) }, subProcess: true };
  }
  return {
    ...common,
    // By its whole address: a port alone is polled, for longer than its process may live.
    ...{ type: "node", address: "127.0.0.1", websocketAddress: address, continueOnAttach: true },
    // Of all that throws on the way, only the project's own sources hold the server.
    skipFiles: ["<node_internals>/**", "**/node_modules/**"],
    // Costs seconds at each start of a process.
    showAsyncStacks: false,
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
export function checkDebugger(runtime: Runtime): void {
  const { name, sessionType, remedy } = DEBUGGERS[runtime];
  const isThere = vscode.extensions.all.some(({ packageJSON }) => {
    const { contributes } = packageJSON as { readonly contributes?: { readonly debuggers?: unknown } };
    const debuggers = Array.isArray(contributes?.debuggers) ? (contributes.debuggers as unknown[]) : [];
    return debuggers.some((one) => (Object(one) as { readonly type?: unknown }).type === sessionType);
  });
  if (!isThere)
    throw new NotPossibleError(`This editor's ${name} debugger is not there, or disabled.`, remedy);
}

/** Python's side of its debugger is a package of its own, beside the graphs. */
export function noDebugpy(name: string): NotPossibleError {
  return new NotPossibleError(
    `The graphs of ${name} can't be debugged: debugpy is not installed beside them.`,
    "Run “python -m pip install debugpy” with their interpreter, and debug again.",
    ["showGraphLog"],
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
