/** One window at a time starts what all windows share; the lock of one that died holds nobody up. */

import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isAlive } from "./nodeProcess.ts";

const lockName = "starting.lock";

/**
 * Runs `start` while no other window of this editor does so for the same directory.
 * Answers undefined, without running it, when another window was doing so and has finished.
 */
export async function exclusively<T>(
  directory: string,
  signal: AbortSignal,
  start: () => Promise<T>,
): Promise<T | undefined> {
  await mkdir(directory, { recursive: true });
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

async function takeLock(lock: string): Promise<boolean> {
  for (;;) {
    // A link appears with its content, so that nobody ever reads a lock without a holder.
    const mine = `${lock}.${randomUUID()}`;
    await writeFile(mine, String(process.pid), { mode: 0o600 });
    try {
      await link(mine, lock);
      return true;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    } finally {
      await rm(mine, { force: true });
    }
    if (await isHeld(lock)) return false;
    await rm(lock, { force: true });
  }
}

async function isHeld(lock: string): Promise<boolean> {
  const holder = await readFile(lock, "utf8").catch(() => "");
  return holder !== "" && isAlive(Number(holder));
}

/** Waits until the lock is gone or its holder has died. */
async function released(lock: string, signal: AbortSignal): Promise<void> {
  while (await isHeld(lock)) await setTimeout(200, undefined, { signal });
}
