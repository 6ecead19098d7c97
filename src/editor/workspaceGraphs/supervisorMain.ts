/**
 * The process that a graph server hangs on: it outlives the window that started it, keeps the server's log, and ends the
 * server with all its processes when no window uses it any more. No vscode and nothing of a window in here.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "../kit/nodeProcess.ts";
import { hasOtherWindows } from "../kit/directoryLock.ts";
import { ENDED, LOG, type SupervisorOptions } from "./supervisor.ts";

const mostLogBytes = 4_000_000;
const pollMs = 500;
/** The server writes its threads to disk in up to 3 s; a window that stops it waits for 5 s. */
const politeMs = 3_500;
const lastWordsMs = 200;
const onWindows = process.platform === "win32";

const options = JSON.parse(process.argv[2] ?? "{}") as SupervisorOptions;
const { command, args, cwd, nodeOptions, folder, lingerMs } = options;
const environment: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: nodeOptions };
delete environment["ELECTRON_RUN_AS_NODE"];
// Before there is anything that would be left behind.
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
const child = spawn(command, args, {
  cwd,
  env: environment,
  // A group of its own, so that all that it starts ends with it.
  detached: !onWindows,
  stdio: ["ignore", "pipe", "pipe"],
  windowsHide: true,
});
keepLog();
child.once("error", (error) => void ended(error.message));
child.once("exit", (code, signal) => {
  void ended(signal === null ? `with code ${String(code)}` : `by ${signal}`);
});
void endWithTheLastWindow();

/** Keeps the log in a file, and the one before when that grows too large. */
function keepLog(): void {
  const path = join(folder, LOG);
  let bytes = 0;
  const keep = (chunk: Buffer): void => {
    try {
      if (bytes > mostLogBytes) {
        renameSync(path, `${path}.before`);
        bytes = 0;
      }
      bytes += chunk.length;
      appendFileSync(path, chunk, { mode: 0o600 });
    } catch {
      // The editor's storage was removed, or the disk is full: without this process nothing would end the server.
    }
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
}

/** A window that is reloaded comes back in between. */
async function endWithTheLastWindow(): Promise<void> {
  let usedAt = Date.now();
  while (Date.now() - usedAt < lingerMs) {
    if (await hasOtherWindows(folder)) usedAt = Date.now();
    await pause(pollMs);
  }
  await stop();
}

async function stop(): Promise<void> {
  if (onWindows && child.pid !== undefined) spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"]);
  const deadline = Date.now() + politeMs;
  for (
    let signal: NodeJS.Signals | 0 = "SIGTERM";
    toGroup(signal);
    signal = Date.now() < deadline ? 0 : "SIGKILL"
  )
    await pause(25);
  await ended("by SIGTERM");
}

/** What the command line left behind ends, too; what it said last is read before. */
async function ended(how: string): Promise<never> {
  while (toGroup("SIGKILL")) await pause(25);
  await Promise.race([once(child, "close"), pause(lastWordsMs)]);
  try {
    writeFileSync(join(folder, ENDED), JSON.stringify({ pid: process.pid, how }), { mode: 0o600 });
  } finally {
    process.exit();
  }
}

/** Whether a process of the server's group is there. */
function toGroup(signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (onWindows) return isAlive(child.pid);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
