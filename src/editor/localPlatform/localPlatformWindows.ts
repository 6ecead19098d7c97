/** The windows that use a Local Platform, and its end when the last of them is gone. No vscode in here. */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nodeEnvironment } from "../kit/nodeProcess.ts";

const folder = "windows";

/** Notes that a window of this process uses the platform; the answer takes the note back. */
export async function noteWindow(directory: string): Promise<() => Promise<void>> {
  await mkdir(join(directory, folder), { recursive: true });
  const note = join(directory, folder, `${String(process.pid)}-${randomUUID()}`);
  await writeFile(note, "");
  return () => rm(note, { force: true });
}

/**
 * Ends the platform after the time unless a window uses it then: one that is reloaded comes back in between, and its
 * runs go on. The waiting is done by a process of its own, because this one ends with its window.
 */
export function endUnlessUsed(directory: string, pid: number, waitMs: number): void {
  const call = `(${waitAndEnd.toString()})(${JSON.stringify(join(directory, folder))}, ${String(pid)}, ${String(waitMs)})`;
  const waiting = spawn(process.execPath, ["-e", call], {
    env: nodeEnvironment(),
    stdio: "ignore",
    windowsHide: true,
  });
  waiting.on("error", () => undefined);
  waiting.unref();
}

/** Travels to the other process as text, so it may use nothing from around it. */
function waitAndEnd(windows: string, pid: number, waitMs: number): void {
  const isAlive = (id: number): boolean => {
    try {
      return process.kill(id, 0);
    } catch {
      return false;
    }
  };
  setTimeout(() => {
    const notes = process.getBuiltinModule("node:fs").readdirSync(windows);
    const used = notes.some((note) => isAlive(Number.parseInt(note, 10)));
    if (!used && isAlive(pid)) process.kill(pid, "SIGTERM");
  }, waitMs);
}
