/**
 * What windows that share one data directory note there: the Local Platform that runs on it, and who uses it.
 * Its key is among that: the platform made it itself and keeps it in the same directory, and
 * secret storage may belong to one browser while the directory belongs to the machine.
 */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, nodeEnvironment } from "../kit/nodeProcess.ts";
import { SharedRecord } from "../kit/sharedRecord.ts";
import { type ReadyLine, readyLineOf } from "./localPlatformProcess.ts";

/** A Local Platform that runs, or ran. */
export interface LocalPlatformRecord {
  readonly pid: number;
  readonly ready: ReadyLine;
}

const folder = "windows";

/** The record of the one that runs on this data. */
export function runningRecord(directory: string): SharedRecord<LocalPlatformRecord> {
  return new SharedRecord(join(directory, "running.json"), (value) => {
    const { pid, ready } = value as { readonly pid?: unknown; readonly ready?: unknown };
    const line = readyLineOf(ready);
    return typeof pid === "number" && line !== undefined ? { pid, ready: line } : undefined;
  });
}

/** The record, or undefined when nothing runs or what it names is gone. */
export async function readRunning(directory: string): Promise<LocalPlatformRecord | undefined> {
  const record = await runningRecord(directory).read();
  return record !== undefined && isAlive(record.pid) ? record : undefined;
}

/** Removes the record of this process, and leaves that of a later one. */
export async function removeRunning(directory: string, pid: number): Promise<void> {
  const record = runningRecord(directory);
  if ((await record.read())?.pid === pid) await record.remove();
}

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

/** Sent to the other process as text, so it can use nothing from this file. */
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
