/** The Local Platform as the windows of one editor share it: the first starts it, the others attach to it. */

import { mkdir } from "node:fs/promises";
import * as vscode from "vscode";
import { ApiError } from "../api/errors.ts";
import { LocalPlatformError, startLocalPlatformProcess } from "./localPlatformProcess.ts";
import type { LocalPlatformProcess, ReadyLine } from "./localPlatformProcess.ts";
import {
  exclusively,
  isAlive,
  readRecord,
  removeRecord,
  watchRecord,
  writeRecord,
} from "./localPlatformRecord.ts";
import type { LocalPlatformRecord } from "./localPlatformRecord.ts";

export type LocalPlatformState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly ready: ReadyLine }
  | { readonly kind: "failed"; readonly message: string };

export interface LocalPlatformOptions {
  /** The bundled program, `dist/emulator.js`. */
  readonly program: string;
  readonly dataDirectory: string;
  readonly log: vscode.LogOutputChannel;
  /** Shared by all windows, so that a second one can use what the first started. */
  readonly secrets: vscode.SecretStorage;
  /** It ended by itself while it was in use; called once each time. */
  readonly onCrash: (error: LocalPlatformError) => void;
}

const secretName = "agentOperations.localPlatform";

export class LocalPlatform implements vscode.Disposable {
  readonly #options: LocalPlatformOptions;
  readonly #changed = new vscode.EventEmitter<LocalPlatformState>();
  readonly onDidChange = this.#changed.event;
  #state: LocalPlatformState = { kind: "stopped" };
  #own: LocalPlatformProcess | undefined;
  #unwatch: (() => void) | undefined;
  #starting: { readonly promise: Promise<ReadyLine>; readonly abort: AbortController } | undefined;

  constructor(options: LocalPlatformOptions) {
    this.#options = options;
  }

  get state(): LocalPlatformState {
    return this.#state;
  }

  /** Starts it, or attaches to the one that another window runs; aborting ends the attempt for every caller. */
  async start(signal?: AbortSignal): Promise<ReadyLine> {
    if (this.#state.kind === "running") return this.#state.ready;
    if (this.#starting === undefined) {
      const abort = new AbortController();
      const promise = this.#startOrAttach(abort.signal).finally(() => (this.#starting = undefined));
      this.#starting = { promise, abort };
    }
    const { promise, abort } = this.#starting;
    const forward = (): void => abort.abort(signal?.reason);
    signal?.addEventListener("abort", forward, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", forward);
    }
  }

  /** Stops it for all windows: a person asked for it. */
  async stop(): Promise<void> {
    this.#starting?.abort.abort();
    await this.#starting?.promise.catch(() => undefined);
    const own = this.#own;
    if (own !== undefined) {
      await this.#stopOwn(own);
    } else {
      const record = await readRecord(this.#options.dataDirectory);
      if (record !== undefined && this.#state.kind === "running") process.kill(record.pid, "SIGTERM");
    }
    this.#leave({ kind: "stopped" });
  }

  /** The window closes: stops what this window started, and leaves alone what another one did. */
  async shutdown(): Promise<void> {
    this.#starting?.abort.abort();
    await this.#starting?.promise.catch(() => undefined);
    if (this.#own !== undefined) await this.#stopOwn(this.#own);
    this.#leave({ kind: "stopped" });
  }

  dispose(): void {
    this.#unwatch?.();
    this.#changed.dispose();
  }

  async #startOrAttach(signal: AbortSignal): Promise<ReadyLine> {
    const { dataDirectory } = this.#options;
    this.#set({ kind: "starting" });
    try {
      await mkdir(dataDirectory, { recursive: true });
      for (;;) {
        const attached = await this.#attach();
        if (attached !== undefined) return attached;
        const started = await exclusively(dataDirectory, signal, () => this.#spawn(signal));
        if (started !== undefined) return started;
      }
    } catch (error) {
      if (signal.aborted) this.#leave({ kind: "stopped" });
      else this.#leave({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  async #attach(): Promise<ReadyLine | undefined> {
    const { dataDirectory, secrets } = this.#options;
    const record = await readRecord(dataDirectory);
    if (record === undefined) return undefined;
    const ready = { ...record.ready, apiKey: (await secrets.get(secretName)) ?? "" };
    const answer = await asked(ready);
    if (answer === "no") return undefined;
    if (answer === "refused") {
      throw new LocalPlatformError(
        `Another window runs the Local Platform (process ${String(record.pid)}), and its key can't be read here.`,
        "Stop it in that window, or end the process, and start it again.",
      );
    }
    if (!isAlive(record.ownerPid)) await writeRecord(dataDirectory, { ...record, ownerPid: process.pid });
    this.#enter(ready, record);
    return ready;
  }

  async #spawn(signal: AbortSignal): Promise<ReadyLine> {
    const { program, dataDirectory, secrets, log } = this.#options;
    const onLog = (line: string): void => log.info(`[Local Platform] ${line}`);
    const own = await startLocalPlatformProcess({ program, dataDirectory, onLog, signal });
    this.#own = own;
    const record = { pid: own.pid, ownerPid: process.pid, ready: own.ready };
    await secrets.store(secretName, own.ready.apiKey);
    await writeRecord(dataDirectory, record);
    void own.ended.then((reason) => this.#ended(own, reason));
    this.#enter(own.ready, record);
    return own.ready;
  }

  #enter(ready: ReadyLine, record: LocalPlatformRecord): void {
    this.#set({ kind: "running", ready });
    this.#unwatch?.();
    if (record.pid === this.#own?.pid) return;
    this.#unwatch = watchRecord(this.#options.dataDirectory, () => void this.#recordChanged(record.pid));
  }

  /** The window that started it has stopped it, or put another in its place. */
  async #recordChanged(pid: number): Promise<void> {
    const record = await readRecord(this.#options.dataDirectory);
    if (record?.pid !== pid && this.#own === undefined) this.#leave({ kind: "stopped" });
  }

  async #ended(own: LocalPlatformProcess, reason: string): Promise<void> {
    if (this.#own !== own) return;
    this.#own = undefined;
    await removeRecord(this.#options.dataDirectory);
    const error = new LocalPlatformError(
      `The Local Platform stopped by itself. ${reason}`,
      "Start it again.",
    );
    this.#leave({ kind: "failed", message: error.message });
    this.#options.onCrash(error);
  }

  async #stopOwn(own: LocalPlatformProcess): Promise<void> {
    this.#own = undefined;
    await own.stop();
    await removeRecord(this.#options.dataDirectory);
    await this.#options.secrets.delete(secretName);
  }

  #leave(state: LocalPlatformState): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#set(state);
  }

  #set(state: LocalPlatformState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** Whether a Local Platform answers at the address and takes the key. */
async function asked(ready: ReadyLine): Promise<"yes" | "refused" | "no"> {
  const { Http } = await import("../api/http.ts");
  const http = new Http({
    baseUrl: ready.deploymentUrl,
    headers: () => Promise.resolve({ "x-api-key": ready.apiKey }),
  });
  try {
    await http.reply({ method: "GET", path: "/ok", timeoutMs: 3_000 });
    return "yes";
  } catch (error) {
    return error instanceof ApiError && (error.status === 401 || error.status === 403) ? "refused" : "no";
  }
}
