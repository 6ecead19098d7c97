/** What the windows of one editor share about the receiver, in files next to the journal. */

import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { isAlive } from "../kit/nodeProcess.ts";
import { SharedRecord } from "../kit/sharedRecord.ts";

/** What is written down of the receiver. */
export interface ReceiverRecord {
  /** Whether some window shall receive, also after all of them were closed. */
  readonly wanted: boolean;
  /** Where deliveries are sent to: the port of the window that receives, or that received last. */
  readonly port: number;
  /** Who receives; absent when nobody does. */
  readonly window?: { readonly id: string; readonly pid: number };
}

/** There is none when nobody ever received. */
export function receiverRecord(directory: string): SharedRecord<ReceiverRecord> {
  return new SharedRecord(join(directory, "receiver.json"), (value) => {
    const { wanted, port } = value as { readonly wanted?: unknown; readonly port?: unknown };
    return typeof wanted === "boolean" && typeof port === "number" ? (value as ReceiverRecord) : undefined;
  });
}

/** When a window listened last, noted while it does: one that is killed notes no end. */
export function listenedUntil(directory: string): SharedRecord<Date> {
  return new SharedRecord(join(directory, "listening.json"), (value) => {
    const at = typeof value === "string" ? new Date(value) : undefined;
    return at === undefined || Number.isNaN(at.getTime()) ? undefined : at;
  });
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
