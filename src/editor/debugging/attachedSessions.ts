/** The debug sessions on one server: each is started, and waited for until it holds what its process runs. */

import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { Pause } from "../workspaceGraphs/debugStates.ts";
import type { Runtime } from "../workspaceGraphs/graphFile.ts";
import type { GraphProject } from "../workspaceGraphs/graphProject.ts";
import { attachConfiguration, attachFailed, type ListeningProcess } from "./attachConfiguration.ts";
import { listens } from "./inspectors.ts";
import type { Stop } from "./pausedLocation.ts";

/** A process that listens is reached within that time. */
const reachMs = 15_000;

/** Breakpoints are looked up in the sources as these are read. */
const bindingMs = 10_000;

/** The sessions of one server. */
export interface Attached {
  readonly project: GraphProject;
  /** The server ends when debugging does. */
  readonly endsServer: boolean;
  /** The session of the process that loads graphs anew; all others end with it. */
  root: vscode.DebugSession | undefined;
  readonly sessions: Set<vscode.DebugSession>;
  /** Those that are held, the oldest first. */
  readonly stops: Map<vscode.DebugSession, Stop>;
  /** Where the one stands that was held last. */
  pause: Pause | undefined;
  /** Epoch milliseconds; 0 unless a source was saved. */
  endingUntil: number;
}

/** Starts a session on a process of the server. Throws NotPossibleError when it does not reach its process. */
export async function startSession(
  attached: Attached,
  runtime: Runtime,
  process: ListeningProcess,
  signal: AbortSignal,
): Promise<void> {
  const { project, root } = attached;
  const started = await vscode.debug.startDebugging(
    vscode.workspace.getWorkspaceFolder(project.folder),
    attachConfiguration(project, runtime, process),
    root && { parentSession: root, compact: true },
  );
  signal.throwIfAborted();
  if (!started || attached.root === undefined) throw attachFailed(project.name);
  if (runtime === "node") await reached(attached, process.address, signal);
}

/**
 * Waits until the debugger has reached the process. It tries for ever where that is gone; only a session below its
 * first one shows success.
 */
async function reached({ project, sessions }: Attached, address: string, signal: AbortSignal): Promise<void> {
  const isOf = (session: vscode.DebugSession | undefined): boolean => addressOf(session) === address;
  const has = (isWanted: (session: vscode.DebugSession) => boolean): boolean => [...sessions].some(isWanted);
  for (const end = Date.now() + reachMs; !has(({ parentSession }) => isOf(parentSession));) {
    if (!has(isOf)) throw attachFailed(project.name, new Error("Its debug session ended."));
    if (!(await listens(address)) || Date.now() > end)
      throw attachFailed(project.name, new Error("One of its processes ended, or answers no debugger."));
    await pause(50, undefined, { signal });
  }
}

/** Whether a person left the session, which ended: its process is still there. */
export async function wasLeft(session: vscode.DebugSession): Promise<boolean> {
  const address = addressOf(session);
  return address !== undefined && listens(address);
}

/** Resolves when all breakpoints are bound, or after a while: one in a file that is not loaded never is. */
export async function bound(
  { sessions }: Attached,
  isOwn: (uri: vscode.Uri) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const wanted = vscode.debug.breakpoints.filter(
    (one) => one instanceof vscode.SourceBreakpoint && one.enabled && isOwn(one.location.uri),
  );
  const isBound = async (breakpoint: vscode.Breakpoint): Promise<boolean> => {
    const found = await Promise.all([...sessions].map((one) => one.getDebugProtocolBreakpoint(breakpoint)));
    return found.some((one) => one !== undefined && "verified" in one && one.verified === true);
  };
  const end = Date.now() + bindingMs;
  while ((await Promise.all(wanted.map(isBound))).includes(false) && Date.now() < end)
    await pause(50, undefined, { signal });
}

/** Undefined for sessions that the debugger started by itself. */
function addressOf(session: vscode.DebugSession | undefined): string | undefined {
  const address: unknown = session?.configuration["websocketAddress"];
  return typeof address === "string" ? address : undefined;
}
