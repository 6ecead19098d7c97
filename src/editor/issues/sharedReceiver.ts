/**
 * The receiver as the windows of one editor share it: one of them listens, the others take over when it is closed.
 * What is wanted is written on disk, so that it holds for every window and the next start.
 */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { exclusively } from "../kit/directoryLock.ts";
import { IssueReceiver, IssueReceiverError, type ReceiverHost } from "./issueReceiver.ts";
import { isAlive } from "../kit/nodeProcess.ts";
import { RECEIVER } from "../kit/remembered.ts";
import { SharedRecord } from "../kit/sharedRecord.ts";

/** What this window has to do with receiving. */
export type ReceiverState =
  | { readonly kind: "stopped" }
  | {
      readonly kind: "receiving";
      readonly port: number;
      /** The port that deliveries were sent to before, when it is another one. */
      readonly movedFrom?: number;
      /** Why the port of the settings is not the one that is listened on. */
      readonly problem?: IssueReceiverError;
    }
  /** Another window receives; this one shows what it stores. */
  | { readonly kind: "elsewhere"; readonly port: number }
  | { readonly kind: "failed"; readonly error: IssueReceiverError };

/** What it needs from who made it. */
export interface SharedReceiverHost extends ReceiverHost {
  /** The port of the settings; 0 for the one of before, or any. */
  port(): number;
  /** Done before the first delivery can arrive. */
  prepare(): Promise<void>;
  /** Receiving was on, and no window listened. */
  missed(from: Date, to: Date): Promise<void>;
  /** The state is another one. */
  changed(): void;
}

/** A window that was killed leaves its record as it was, so the record and the port are polled. */
const pollMs = 2_000;
const lockMs = 30_000;
/** How often a window notes that it still listens. */
const listenedMs = 10_000;
/** Windows take over from each other, and notes are made, in less than that. */
const shortestGapMs = 20_000;

/** One window's part in receiving. */
export class SharedReceiver {
  readonly #directory: string;
  readonly #record: SharedRecord<ReceiverRecord>;
  readonly #listened: SharedRecord<Date>;
  readonly #host: SharedReceiverHost;
  readonly #id = randomUUID();
  #state: ReceiverState = { kind: "stopped" };
  #receiver: IssueReceiver | undefined;
  #unwatch: (() => void) | undefined;
  #poll: NodeJS.Timeout | undefined;
  #listenedTimer: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(directory: string, host: SharedReceiverHost) {
    this.#directory = directory;
    this.#record = receiverRecord(directory);
    this.#listened = listenedUntil(directory);
    this.#host = host;
  }

  get state(): ReceiverState {
    return this.#state;
  }

  /** Does what the record says, now and whenever it changes; a failure is left in the state. */
  async resume(): Promise<void> {
    await this.#queued(() => this.#join(false)).catch(() => undefined);
  }

  /** Receives, here or in the window that does already; throws IssueReceiverError. */
  async receive(): Promise<ReceiverState> {
    await this.#queued(() => this.#join(true));
    return this.#state;
  }

  /** Receives no more, in no window, also not after the next start. */
  async stop(): Promise<void> {
    await this.#queued(async () => {
      const record = await this.#record.read();
      if (record !== undefined) await this.#record.write({ ...record, wanted: false });
      await this.#end();
    });
  }

  /** Ends this window's part; another window goes on. */
  async shutdown(): Promise<void> {
    this.#unwatch?.();
    this.#unwatch = undefined;
    await this.#queued(() => this.#end());
  }

  /** Goes to the port of the settings after it was changed; where that can't be had, all stays as it was. */
  async move(): Promise<void> {
    await this.#queued(async () => {
      const before = this.#receiver;
      if (before === undefined) return this.#state.kind === "failed" ? this.#adjust(true) : undefined;
      const port = this.#host.port();
      if (port === 0 || port === before.port) {
        this.#set({ kind: "receiving", port: before.port });
        return;
      }
      let fresh: IssueReceiver;
      try {
        fresh = await IssueReceiver.listen(port, this.#host);
      } catch (problem) {
        if (!(problem instanceof IssueReceiverError)) throw problem;
        this.#set({ kind: "receiving", port: before.port, problem });
        return;
      }
      try {
        await this.#listenOn(fresh, before.port);
      } finally {
        await before.close();
      }
    }).catch((error: unknown) => this.#host.failed(error));
  }

  dispose(): void {
    this.#unwatch?.();
    clearInterval(this.#poll);
    clearInterval(this.#listenedTimer);
  }

  #follow(): void {
    const adjust = async (): Promise<void> => {
      // It may have been shut down since.
      if (this.#unwatch !== undefined) await this.#adjust(false);
    };
    void this.#queued(adjust).catch((error: unknown) => this.#host.failed(error));
  }

  /** From now on this window follows what the others write. */
  async #join(requested: boolean): Promise<void> {
    this.#unwatch ??= await this.#record.watch(() => this.#follow());
    await this.#adjust(requested);
  }

  /** Starts or ends listening in this window as the record says; `requested` when a person just asked for it here. */
  async #adjust(requested: boolean): Promise<void> {
    for (;;) {
      const record = await this.#record.read();
      if (record?.wanted !== true && !requested) return this.#end();
      if (this.#receiver !== undefined) return;
      if (record !== undefined && (await isReceiving(record))) return this.#leaveTo(record);
      // A failure stands until a person changes something.
      if (this.#state.kind === "failed" && !requested) return;
      const signal = AbortSignal.timeout(lockMs);
      if ((await exclusively(this.#directory, signal, () => this.#start())) === true) return;
    }
  }

  /** Another window receives. */
  async #leaveTo(record: ReceiverRecord): Promise<void> {
    if (!record.wanted) await this.#record.write({ ...record, wanted: true });
    this.#poll ??= setInterval(() => this.#follow(), pollMs);
    if (this.#state.kind !== "elsewhere" || this.#state.port !== record.port)
      this.#set({ kind: "elsewhere", port: record.port });
  }

  /** Listens; false when another window began to while this one waited for its turn. */
  async #start(): Promise<boolean> {
    const record = await this.#record.read();
    if (record !== undefined && (await isReceiving(record))) return false;
    const until = record?.wanted === true ? await this.#listened.read() : undefined;
    try {
      await this.#host.prepare();
      await this.#listenOn(await this.#open(record?.port), record?.port);
      if (until !== undefined) await this.#reportGap(until, new Date());
      return true;
    } catch (error) {
      if (error instanceof IssueReceiverError) this.#set({ kind: "failed", error });
      throw error;
    }
  }

  /** The port that was used before, so that the subscriptions' addresses go on being right; else a free one. */
  async #open(before: number | undefined): Promise<IssueReceiver> {
    const wanted = this.#host.port();
    if (wanted !== 0 || before === undefined) return IssueReceiver.listen(wanted, this.#host);
    return IssueReceiver.listen(before, this.#host).catch(() => IssueReceiver.listen(0, this.#host));
  }

  async #listenOn(receiver: IssueReceiver, before: number | undefined): Promise<void> {
    const { port } = receiver;
    this.#receiver = receiver;
    const window = { id: this.#id, pid: process.pid };
    await this.#record.write({ wanted: true, port, window });
    await this.#writeListened();
    this.#listenedTimer ??= setInterval(() => void this.#writeListened(), listenedMs);
    const moved = before !== undefined && before !== port;
    this.#set({ kind: "receiving", port, ...(moved ? { movedFrom: before } : {}) });
  }

  async #end(): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    await receiver?.close();
    clearInterval(this.#listenedTimer);
    this.#listenedTimer = undefined;
    if (receiver !== undefined) await this.#writeListened();
    const record = await this.#record.read();
    if (record?.window?.id === this.#id) {
      const { wanted, port } = record;
      await this.#record.write({ wanted, port });
    }
    if (this.#state.kind !== "stopped") this.#set({ kind: "stopped" });
  }

  async #writeListened(): Promise<void> {
    await this.#listened.write(new Date()).catch((error: unknown) => this.#host.failed(error));
  }

  async #reportGap(from: Date, to: Date): Promise<void> {
    if (to.getTime() - from.getTime() < shortestGapMs) return;
    await this.#host.missed(from, to).catch((error: unknown) => this.#host.failed(error));
  }

  #set(state: ReceiverState): void {
    if (state.kind !== "elsewhere") {
      clearInterval(this.#poll);
      this.#poll = undefined;
    }
    this.#state = state;
    this.#host.changed();
  }

  /** One change after the other: a window has one listener. */
  #queued<T>(work: () => Promise<T> | T): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** What is written down of the receiver. */
interface ReceiverRecord {
  /** Whether some window shall receive, also after all of them were closed. */
  readonly wanted: boolean;
  /** Where deliveries are sent to: the port of the window that receives, or that received last. */
  readonly port: number;
  /** Who receives; absent when nobody does. */
  readonly window?: { readonly id: string; readonly pid: number };
}

/** There is none when nobody ever received. */
export function receiverRecord(directory: string): SharedRecord<ReceiverRecord> {
  return new SharedRecord(join(directory, RECEIVER), (value) => {
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
async function isReceiving({ window, port }: ReceiverRecord): Promise<boolean> {
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
