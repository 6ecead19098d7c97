/** What the windows of one editor tell each other of the receiver, in a file next to the journal. */

import { once } from "node:events";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { watchFile } from "../kit/fileWatch.ts";
import { isAlive } from "../kit/nodeProcess.ts";

/** What is written down of the receiver; JSON. */
export interface ReceiverRecord {
  /** Whether some window shall receive, also after all of them were closed. */
  readonly wanted: boolean;
  /** Where deliveries are sent to: the port of the window that receives, or that received last. */
  readonly port: number;
  /** Who receives; absent when nobody does. */
  readonly window?: { readonly id: string; readonly pid: number };
}

const recordName = "receiver.json";

/** Undefined when nobody ever received. */
export async function readReceiver(directory: string): Promise<ReceiverRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, recordName), "utf8")) as ReceiverRecord;
  } catch {
    return undefined;
  }
}

/** Replaces the record in one step. */
export async function writeReceiver(directory: string, record: ReceiverRecord): Promise<void> {
  const path = join(directory, recordName);
  await mkdir(directory, { recursive: true });
  await writeFile(`${path}.${String(process.pid)}`, JSON.stringify(record));
  await rename(`${path}.${String(process.pid)}`, path);
}

/** Calls back whenever the record may have changed; the answer ends it. */
export async function watchReceiver(directory: string, changed: () => void): Promise<() => void> {
  await mkdir(directory, { recursive: true });
  return watchFile(join(directory, recordName), changed);
}

/** Whether the window of the record still receives: its number alone may be another program's by now. */
export async function isReceiving({ window, port }: ReceiverRecord): Promise<boolean> {
  return window !== undefined && isAlive(window.pid) && (await isOpen(port));
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
