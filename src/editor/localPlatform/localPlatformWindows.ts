/**
 * What windows that share one data directory note there: the Local Platform that runs on it, and who uses it.
 * Its key is among that, sealed: secret storage may belong to one browser while the directory belongs to the machine.
 */

import { spawn } from "node:child_process";
import { basename, join } from "node:path";
import { isAlive, isStartedBy, nodeEnvironment } from "../kit/nodeProcess.ts";
import { SharedRecord } from "../kit/sharedRecord.ts";
import { WINDOWS } from "../kit/directoryLock.ts";
import { type ReadyLine, readyLineOf } from "./localPlatformProcess.ts";
import { opened, sealed } from "./sealedKey.ts";

/** A Local Platform that runs, or ran. */
export interface LocalPlatformRecord {
  readonly pid: number;
  readonly ready: ReadyLine;
}

/** The record of the one that runs on this data; the key in it is sealed. */
export function runningRecord(directory: string): SharedRecord<LocalPlatformRecord> {
  return new SharedRecord(join(directory, "running.json"), (value) => {
    const { pid, ready } = value as { readonly pid?: unknown; readonly ready?: unknown };
    const line = readyLineOf(ready);
    return typeof pid === "number" && line !== undefined ? { pid, ready: line } : undefined;
  });
}

/** Writes down what runs, for the other windows and for this one after a reload. */
export async function writeRunning(directory: string, { pid, ready }: LocalPlatformRecord): Promise<void> {
  const apiKey = await sealed(directory, ready.apiKey);
  await runningRecord(directory).write({ pid, ready: { ...ready, apiKey } });
}

/** The record, or undefined when nothing runs or what it names is gone, also where another program has its id by now. */
export async function readRunning(directory: string): Promise<LocalPlatformRecord | undefined> {
  const record = await runningRecord(directory).read();
  if (record === undefined || !(await isStartedBy(record.pid, ["--data", basename(directory)])))
    return undefined;
  const { pid, ready } = record;
  const apiKey = await opened(directory, ready.apiKey);
  if (apiKey !== undefined) return { pid, ready: { ...ready, apiKey } };
  // An earlier version wrote the key as it is.
  await writeRunning(directory, record);
  return record;
}

/** Removes the record of this process, and leaves that of a later one. */
export async function removeRunning(directory: string, pid: number): Promise<void> {
  const record = runningRecord(directory);
  if ((await record.read())?.pid === pid) await record.remove();
}

/**
 * Ends the platform after the time unless a window uses it then: one that is reloaded comes back in between, and its
 * runs go on. The waiting is done by a process of its own, because this one ends with its window.
 */
export function endUnlessUsed(directory: string, pid: number, waitMs: number): void {
  const values = [JSON.stringify(join(directory, WINDOWS)), String(pid), String(waitMs), isAlive.toString()];
  const call = `(${waitAndEnd.toString()})(${values.join()})`;
  const waiting = spawn(process.execPath, ["-e", call], {
    env: nodeEnvironment(),
    stdio: "ignore",
    windowsHide: true,
  });
  waiting.on("error", () => undefined);
  waiting.unref();
}

/** Sent to the other process as text, so it can use nothing from this file. */
function waitAndEnd(windows: string, pid: number, waitMs: number, isThere: typeof isAlive): void {
  setTimeout(() => {
    const notes = process.getBuiltinModule("node:fs").readdirSync(windows);
    const used = notes.some((note) => isThere(Number.parseInt(note, 10)));
    if (!used && isThere(pid)) process.kill(pid, "SIGTERM");
  }, waitMs);
}
