/** The server of one project's graphs, as the windows of one editor share it: the first starts it, the others attach. */

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerBegin } from "../../run/session/server.ts";
import { exclusively, hasOtherWindows, registerWindow } from "../kit/directoryLock.ts";
import { endProcess, isAlive } from "../kit/nodeProcess.ts";
import { type SharedRecord, watchFile } from "../kit/sharedRecord.ts";
import { StartStop } from "../kit/startStop.ts";
import { type CommandLine, doesNotRun, endedByItself, notReady, wasStopped } from "./commandLine.ts";
import { ServerLog } from "./serverLog.ts";
import {
  CrashLoop,
  endOf,
  freePort,
  isListening,
  isOk,
  isReloading,
  type GraphServerOptions,
  type GraphServerRecord,
  type GraphServerState,
  readFrom,
  RECORD,
  serverRecord,
  spawnServer,
  stillRuns,
} from "./serverProcess.ts";
import { LOG } from "./supervisor.ts";

/** A server that ends itself comes back in less than that when it only reloads. */
const reloadMs = 6_000;
const mostPorts = 3;
/** In a row: the port of one that reloads is closed for a moment. */
const mostRefusals = 3;

/** One server. */
export class GraphServer {
  readonly #options: Required<GraphServerOptions>;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #record: SharedRecord<GraphServerRecord>;
  #log: ServerLog;
  #state: GraphServerState = { kind: "stopped" };
  #running: GraphServerRecord | undefined;
  #following: AbortController | undefined;
  readonly #startStop = new StartStop<string>();
  /** Takes back the note that this window uses it. */
  #unregister: (() => Promise<void>) | undefined;
  /** How this window started it; undefined where another one did. */
  #commandLine: CommandLine | undefined;
  readonly #crashLoop = new CrashLoop();
  #refusals = 0;
  #endingSince: number | undefined;
  #began: ServerBegin | undefined;

  /** `changed` is called when the state or the log changed, `failed` with errors that no caller waits for. */
  constructor(
    options: GraphServerOptions,
    changed: () => void,
    failed: (error: unknown) => void = () => undefined,
  ) {
    this.#options = { lingerMs: 20_000, readyMs: 60_000, stuckMs: 10_000, pollMs: 1_000, ...options };
    this.#changed = changed;
    this.#failed = failed;
    this.#log = new ServerLog(options.folder);
    this.#record = serverRecord(options.storage);
  }

  get state(): GraphServerState {
    return this.#state;
  }

  get log(): ServerLog {
    return this.#log;
  }

  /** What runs; undefined when nothing does. */
  get running(): GraphServerRecord | undefined {
    return this.#running;
  }

  /** When its process began: not later than it was, and earlier where it reloaded before this window attached. */
  get began(): ServerBegin | undefined {
    return this.#running === undefined ? undefined : this.#began;
  }

  /**
   * Starts it, or attaches to the one that runs; answers its address when it is ready. One that waits for a debugger
   * which was lost with its window is started anew. Aborting ends the attempt for every caller. Throws GraphServerError;
   * graphs that do not load leave it waiting for a better source.
   */
  start(commandLine: CommandLine, port: number, signal: AbortSignal): Promise<string> {
    return this.#startStop.start(async (ended) => {
      while (isReloading(this.#state)) {
        await pause(20);
        ended.throwIfAborted();
        if (this.#state.kind === "stopped") throw wasStopped();
      }
      return this.#state.kind === "running" ? this.#state.url : this.#start(commandLine, port, ended);
    }, signal);
  }

  /** Attaches to one that runs already; answers whether there was one. */
  async resume(): Promise<boolean> {
    return this.#startStop.isStarting || this.#attach();
  }

  async #attach(): Promise<boolean> {
    if (this.#running !== undefined) return true;
    const record = await this.#record.read();
    if (record === undefined) return false;
    const runs = await stillRuns(this.#options, record);
    await (runs ? this.#use(record) : this.#forget(record));
    return runs;
  }

  /** Ends it for all windows, with all its processes. */
  stop(): Promise<void> {
    return this.#startStop.stop(wasStopped(), async () => {
      await this.#giveUp(this.#running ?? (await this.#record.read()));
      this.#set({ kind: "stopped" });
    });
  }

  /** This window does not use it any more: it ends a little later, unless another one does or this one comes back. */
  async leave(): Promise<void> {
    await this.#leave();
    this.#set({ kind: "stopped" });
  }

  async #start(commandLine: CommandLine, port: number, signal: AbortSignal): Promise<string> {
    const { storage, readyMs } = this.#options;
    this.#set({ kind: "starting" });
    try {
      const ready = AbortSignal.any([signal, AbortSignal.timeout(readyMs)]);
      let wanted = port;
      for (let attempt = 1; ; attempt += 1) {
        const since = Date.now();
        if (!(await this.#attach())) {
          const chosen = await freePort(wanted);
          const spawned = await exclusively(storage, signal, () => this.#spawn(commandLine, chosen));
          if (spawned === undefined) continue;
          await this.#use(spawned);
        }
        while (this.#state.kind === "starting" && !ready.aborted && !(await this.#isStuck(since)))
          await pause(20);
        signal.throwIfAborted();
        const state: GraphServerState = this.#state;
        if (state.kind === "running") return state.url;
        if (state.kind === "stopped") throw wasStopped();
        if (state.kind === "starting") {
          if (ready.aborted) throw notReady(readyMs);
          await this.#giveUp();
          continue;
        }
        const message = state.kind === "broken" ? state.error.message : state.message;
        if (!/EADDRINUSE|address already in use/i.test(message) || attempt === mostPorts)
          throw doesNotRun(state.kind === "broken", message);
        await this.#giveUp();
        this.#set({ kind: "starting" });
        wanted = 0;
      }
    } catch (error) {
      if (this.#state.kind === "broken" || this.#state.kind === "stopped") throw error;
      // One that another window started is left to that.
      await (this.#commandLine === undefined ? this.#leave() : this.#giveUp());
      const message = error instanceof Error ? error.message : String(error);
      this.#set(signal.aborted ? { kind: "stopped" } : { kind: "failed", message });
      throw error;
    }
  }

  /** Whether its processes wait for a debugger that was lost with its window, and no other window can have one there. */
  async #isStuck(since: number): Promise<boolean> {
    const { storage, stuckMs } = this.#options;
    const isLate = this.#commandLine === undefined && Date.now() - since > stuckMs;
    return isLate && this.#log.inspectors.length > 0 && !(await hasOtherWindows(storage));
  }

  async #spawn(commandLine: CommandLine, port: number): Promise<GraphServerRecord> {
    this.#unregister ??= await registerWindow(this.#options.storage);
    const record = await spawnServer(this.#options, commandLine, port);
    this.#commandLine = commandLine;
    await this.#record.write(record);
    return record;
  }

  async #use(record: GraphServerRecord): Promise<void> {
    this.#unregister ??= await registerWindow(this.#options.storage);
    // Somebody else was quicker while it was looked at.
    if (this.#running !== undefined) return;
    this.#log = new ServerLog(this.#options.folder);
    [this.#running, this.#endingSince, this.#refusals] = [record, undefined, 0];
    this.#set({ kind: "starting" });
    this.#following = new AbortController();
    void this.#follow(record, this.#following.signal);
  }

  /** Reads the log as it grows, and looks whether the server still runs. */
  async #follow(record: GraphServerRecord, signal: AbortSignal): Promise<void> {
    const path = join(this.#options.storage, LOG);
    let wake = Promise.withResolvers<undefined>();
    const watched = [path, join(this.#options.storage, RECORD)];
    const unwatch = watched.map((file) => watchFile(file, () => wake.resolve(undefined)));
    this.#began = { at: record.startedAt };
    let [offset, loads, readAt] = [0, 0, record.startedAt];
    const decoder = new TextDecoder();
    const log = this.#log;
    try {
      while (!signal.aborted) {
        const now = Date.now();
        const added = await readFrom(path, offset);
        log.take(decoder.decode(added.bytes, { stream: true }));
        // Of a reload that this window saw, it is known when it happened: after the read before.
        if (offset > 0 && log.loads > loads) this.#began = { at: readAt, savedFile: log.savedFile };
        [loads, readAt] = [log.loads, now];
        offset = added.end;
        await this.#poll(record, () => !signal.aborted);
        if (added.bytes.length > 0) this.#changed();
        const later = pause(this.#options.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
        await Promise.race([wake.promise, later]);
        wake = Promise.withResolvers<undefined>();
      }
    } finally {
      for (const end of unwatch) end();
    }
  }

  async #poll(record: GraphServerRecord, isFollowed: () => boolean): Promise<void> {
    if (!isFollowed()) return;
    if (!isAlive(record.pid)) {
      const how = (await endOf(this.#options.storage, record.pid)) ?? "by itself";
      const stopped = how === "by SIGTERM" || (await this.#record.read())?.pid !== record.pid;
      if (!isFollowed()) return;
      if (!stopped) return this.#ended(record, how);
      await this.#giveUp();
      this.#set({ kind: "stopped" });
      return;
    }
    const url = `http://127.0.0.1:${String(record.port)}`;
    const { phase, error, loads } = this.#log;
    // Its log has no words that are known: it is a Python server, or of another version.
    const isSilent = record.runtime === "python" || loads === 0;
    const wasReady = this.#state.kind === "running";
    this.#endingSince = phase === "ending" ? (this.#endingSince ?? Date.now()) : undefined;
    const isOver = this.#endingSince !== undefined && Date.now() - this.#endingSince > reloadMs;
    if (error !== undefined && (phase === "loading" || isOver)) this.#set({ kind: "broken", url, error });
    else if (phase === "ready" || isSilent) {
      const answers = wasReady || (await isOk(url));
      const listens = record.runtime === "python" || !wasReady || (await isListening(record.port));
      this.#refusals = listens ? 0 : this.#refusals + 1;
      if (isFollowed() && this.#refusals === mostRefusals) return this.#ended(record, "by itself");
      if (isFollowed() && answers) this.#set({ kind: "running", url, reloading: false });
    } else if (wasReady || (this.#state.kind === "broken" && phase === "loading"))
      this.#set({ kind: "running", url, reloading: true });
  }

  async #giveUp(record = this.#running): Promise<void> {
    await this.#leave();
    if (record !== undefined) await this.#end(record);
  }

  async #end(record: GraphServerRecord): Promise<void> {
    if (await stillRuns(this.#options, record)) await endProcess(record.pid);
    await this.#forget(record);
  }

  async #forget({ pid }: GraphServerRecord): Promise<void> {
    if ((await this.#record.read())?.pid === pid) await this.#record.remove();
  }

  /** It ended by itself, or what runs the graphs did: it is started again by the window that did so, but not for ever. */
  async #ended({ port }: GraphServerRecord, how: string): Promise<void> {
    const said = this.#log.error?.message ?? this.#log.lastWords;
    const message = `It ended ${how}${said === "" ? "." : `: ${said}`}`;
    const commandLine = this.#state.kind === "running" ? this.#commandLine : undefined;
    this.#set({ kind: "starting" });
    await this.#giveUp();
    const isLoop = this.#crashLoop.addCrash();
    if (commandLine !== undefined)
      this.#failed(endedByItself(message, isLoop ? CrashLoop.crashes : undefined));
    if (commandLine === undefined || isLoop) this.#set({ kind: "failed", message });
    else void this.start(commandLine, port, new AbortController().signal).catch(this.#failed);
  }

  async #leave(): Promise<void> {
    this.#following?.abort();
    this.#following = undefined;
    [this.#running, this.#commandLine] = [undefined, undefined];
    const unregister = this.#unregister;
    this.#unregister = undefined;
    await unregister?.();
  }

  #set(state: GraphServerState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#changed();
  }
}
