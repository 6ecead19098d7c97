/** Which window of this editor receives: one at a time, known to the others by a file next to the journal. */

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../nodeProcess.ts";

export interface ReceivingWindow {
  readonly pid: number;
  readonly port: number;
}

const recordName = "receiving.json";

/** The window that receives; undefined when none does. */
export async function receivingWindow(directory: string): Promise<ReceivingWindow | undefined> {
  try {
    const record = JSON.parse(await readFile(join(directory, recordName), "utf8")) as ReceivingWindow;
    return isAlive(record.pid) ? record : undefined;
  } catch {
    return undefined;
  }
}

export async function noteReceiving(directory: string, port: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, recordName);
  await writeFile(`${path}.new`, JSON.stringify({ pid: process.pid, port }));
  await rename(`${path}.new`, path);
}

/** Takes this window's note back; another window's is left. */
export async function endReceiving(directory: string): Promise<void> {
  if ((await receivingWindow(directory))?.pid === process.pid)
    await rm(join(directory, recordName), { force: true });
}
