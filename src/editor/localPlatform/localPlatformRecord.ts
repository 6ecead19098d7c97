/**
 * What windows that share one data directory know of the Local Platform that runs on it.
 * Its key is among that: the platform made it itself and keeps it in the same directory, and
 * secret storage may belong to one browser while the directory belongs to the machine.
 */

import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ReadyLine } from "./localPlatformProcess.ts";
import { isAlive } from "../nodeProcess.ts";

export interface LocalPlatformRecord {
  readonly pid: number;
  readonly ready: ReadyLine;
}

const recordName = "running.json";
const lockName = "starting.lock";

/** The record, or undefined when nothing runs or what it names is gone. */
export async function readRecord(directory: string): Promise<LocalPlatformRecord | undefined> {
  const record = await lastRecord(directory);
  return record !== undefined && isAlive(record.pid) ? record : undefined;
}

/** Replaces the record in one step, readable by this user alone. */
export async function writeRecord(directory: string, record: LocalPlatformRecord): Promise<void> {
  const path = join(directory, recordName);
  await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Removes the record of this process, and leaves that of a later one. */
export async function removeRecord(directory: string, pid: number): Promise<void> {
  if ((await lastRecord(directory))?.pid === pid) await rm(join(directory, recordName), { force: true });
}

/**
 * Runs `start` while no other window starts a Local Platform on the directory.
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

/** Calls back whenever the record may have changed; the answer ends it. */
export function watchRecord(directory: string, changed: () => void): () => void {
  const watcher = watch(directory, { persistent: false }, (_, name) => {
    if (name === null || name === recordName) changed();
  });
  watcher.on("error", changed);
  return () => watcher.close();
}

async function lastRecord(directory: string): Promise<LocalPlatformRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, recordName), "utf8")) as LocalPlatformRecord;
  } catch {
    return undefined;
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
