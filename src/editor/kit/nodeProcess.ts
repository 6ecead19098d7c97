/** Processes of this machine by their ids, and Node as the extension host runs it. */

import { setTimeout } from "node:timers/promises";

const politeMs = 5_000;

/** For running this process's own program as plain Node: its debugging and loading options are not passed on. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NODE_OPTIONS|VSCODE_.*)$/.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: "1" };
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Asks a process to end, insists after 5 s, and resolves when it is gone. */
export async function endProcess(pid: number): Promise<void> {
  const deadline = Date.now() + politeMs;
  for (
    let signal: NodeJS.Signals | 0 = "SIGTERM";
    isAlive(pid);
    signal = Date.now() < deadline ? 0 : "SIGKILL"
  ) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    await setTimeout(25);
  }
}
