/**
 * What windows that share one data directory know of the Local Platform that runs on it.
 * Its key is among that: the platform made it itself and keeps it in the same directory, and
 * secret storage may belong to one browser while the directory belongs to the machine.
 */

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { watchFile } from "../kit/fileWatch.ts";
import type { ReadyLine } from "./localPlatformProcess.ts";
import { isAlive } from "../kit/nodeProcess.ts";

/** A Local Platform that runs, or ran. */
export interface LocalPlatformRecord {
  readonly pid: number;
  readonly ready: ReadyLine;
}

const recordName = "running.json";

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

/** Calls back whenever the record may have changed; the answer ends it. */
export function watchRecord(directory: string, changed: () => void): () => void {
  return watchFile(join(directory, recordName), changed);
}

async function lastRecord(directory: string): Promise<LocalPlatformRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, recordName), "utf8")) as LocalPlatformRecord;
  } catch {
    return undefined;
  }
}
