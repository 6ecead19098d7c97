/**
 * What windows that share one directory entry there: who starts what they share, one at a time, and who uses it. The lock
 * of a process that died holds nobody up.
 */

import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isAlive, startOf } from "./nodeProcess.ts";
import { madeWhole, privateFolder } from "./privateFolder.ts";

/** The folder of the entries of windows, below the directory; a name begins with the id of the window's process. */
export const WINDOWS = "windows";

const lockName = "starting.lock";

/** When this process started; it does not change. */
let ownStart: Promise<string | undefined> | undefined;

/**
 * Runs `start` while no other window of this editor does so for the same directory.
 * Answers undefined, without running it, when another window was doing so and has finished.
 */
export async function exclusively<T>(
  directory: string,
  signal: AbortSignal,
  start: () => Promise<T>,
): Promise<T | undefined> {
  await privateFolder(directory);
  const lock = join(directory, lockName);
  if (!(await takeLock(lock))) {
    await released(lock, signal);
    return undefined;
  }
  try {
    return await start();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Registers that a window of this process uses the directory; the answer unregisters it. */
export async function registerWindow(directory: string): Promise<() => Promise<void>> {
  await privateFolder(join(directory, WINDOWS));
  const entry = join(directory, WINDOWS, `${String(process.pid)}-${randomUUID()}`);
  await writeFile(entry, "", { mode: 0o600 });
  return () => rm(entry, { force: true });
}

/** Whether a window of another process uses what lies in the directory. */
export async function hasOtherWindows(directory: string): Promise<boolean> {
  const entries = await readdir(join(directory, WINDOWS)).catch(() => []);
  return entries.map(processOf).some((pid) => pid !== process.pid && isAlive(pid));
}

/** False when another process that runs has it. */
async function takeLock(lock: string): Promise<boolean> {
  ownStart ??= startOf(process.pid);
  const started = await ownStart;
  for (;;) {
    if (await madeWhole(lock, [process.pid, randomUUID(), started].join(" ").trim())) return true;
    const holder = await holderOf(lock);
    if (isRunning(holder) && (await isItself(holder))) return false;
    await removeStale(lock, holder);
  }
}

/**
 * Removes the lock of a holder that died, unless it is another's by now. Only one process at a time may do that, since
 * a second one would remove the lock that the first has taken in between.
 */
async function removeStale(lock: string, holder: string): Promise<void> {
  const removal = `${lock}.removal`;
  if (!(await takeLock(removal))) {
    await setTimeout(20);
    return;
  }
  try {
    if ((await holderOf(lock)) === holder) await rm(lock, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
}

/** Waits until the lock is gone or its holder has died. */
async function released(lock: string, signal: AbortSignal): Promise<void> {
  while (isRunning(await holderOf(lock))) await setTimeout(200, undefined, { signal });
}

/** A process id, a mark that makes its lock unique, and when that process started; empty when there is no lock. */
async function holderOf(lock: string): Promise<string> {
  return readFile(lock, "utf8").catch(() => "");
}

function isRunning(holder: string): boolean {
  return holder !== "" && isAlive(processOf(holder));
}

/** Whether the running process is the one that took the lock. True where nobody can tell: earlier versions noted no start. */
async function isItself(holder: string): Promise<boolean> {
  const noted = holder.split(" ").slice(2).join(" ");
  if (noted === "") return true;
  const started = await startOf(processOf(holder));
  return started === undefined || started === noted;
}

/** The process that wrote an entry or took a lock. */
function processOf(noted: string): number {
  return Number.parseInt(noted, 10);
}
