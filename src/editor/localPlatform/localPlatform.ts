/** The Local Platform as the windows of one editor share it: the first starts it, the others attach, the last ends it. */

import { join } from "node:path";
import * as vscode from "vscode";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { StartStop } from "../kit/startStop.ts";
import type {
  LocalPlatformError,
  LocalPlatformProcess,
  ProcessEnd,
  ReadyLine,
} from "./localPlatformProcess.ts";
import type * as LocalPlatformWindows from "./localPlatformWindows.ts";

/** What the Local Platform is doing, as far as this window knows. */
export type LocalPlatformState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly ready: ReadyLine }
  | { readonly kind: "failed"; readonly message: string };

/** What of the extension's context it needs. */
export type LocalPlatformContext = Pick<
  vscode.ExtensionContext,
  "extensionPath" | "globalStorageUri" | "workspaceState"
>;

const memoryName = "localPlatform.used";

/** Starts, attaches to and stops the Local Platform of this machine. */
export class LocalPlatform implements vscode.Disposable {
  readonly #context: LocalPlatformContext;
  readonly #dataDirectory: string;
  readonly #log: vscode.LogOutputChannel;
  readonly #onCrash: (error: LocalPlatformError) => void;
  readonly #lingerMs: number;
  readonly #changed = new vscode.EventEmitter<LocalPlatformState>();
  readonly onDidChange = this.#changed.event;
  #state: LocalPlatformState = { kind: "stopped" };
  #own: LocalPlatformProcess | undefined;
  #unwatch: (() => void) | undefined;
  /** Takes back the note that this window uses it. */
  #unregister: (() => Promise<void>) | undefined;
  /** It was stopped on purpose, here or in another window: it doesn't come back by itself. */
  #stopped = false;
  readonly #startStop = new StartStop<ReadyLine>();

  /**
   * `onCrash` is called each time when it ends by itself while it is in use;
   * it outlives the last window that uses it by `lingerMs`.
   */
  constructor(
    context: LocalPlatformContext,
    log: vscode.LogOutputChannel,
    onCrash: (error: LocalPlatformError) => void,
    lingerMs = 20_000,
  ) {
    this.#context = context;
    this.#dataDirectory = join(context.globalStorageUri.fsPath, "local-platform");
    this.#log = log;
    this.#onCrash = onCrash;
    this.#lingerMs = lingerMs;
  }

  get state(): LocalPlatformState {
    return this.#state;
  }

  /** Starts it, or attaches to the one that another window runs; aborting ends the attempt for every caller. */
  start(signal?: AbortSignal): Promise<ReadyLine> {
    return this.#startStop.start(async (ended) => {
      const state = this.#state;
      return state.kind === "running" && (await takesItsKey(state.ready))
        ? state.ready
        : this.#startOrAttach(ended);
    }, signal);
  }

  /**
   * Waits for a start that is under way, and starts it when it is wanted without asking:
   * by the setting, or because this window used it before it was reloaded. A failure is left in the state.
   */
  async resume(): Promise<void> {
    const used = this.#context.workspaceState.get(memoryName, startsByItself());
    const wanted = this.#state.kind === "stopped" && !this.#stopped && used;
    if (wanted || this.#startStop.isStarting) await this.start().catch(() => undefined);
  }

  /** Stops it for all windows: a person asked for it. */
  stop(): Promise<void> {
    return this.#leave(async (record) => {
      await this.#context.workspaceState.update(memoryName, undefined);
      if (record !== undefined) {
        const [{ endProcess }, { removeRunning }] = await Promise.all([
          import("../kit/nodeProcess.ts"),
          windows(),
        ]);
        await endProcess(record.pid);
        await removeRunning(this.#dataDirectory, record.pid);
      }
      this.#set({ kind: "stopped" });
    });
  }

  /** The window closes: the platform ends a little later, unless another window or this one after a reload uses it. */
  shutdown(): Promise<void> {
    return this.#leave(async (record) => {
      this.#set({ kind: "stopped" });
      if (record === undefined) return;
      const { endUnlessUsed } = await windows();
      endUnlessUsed(this.#dataDirectory, record.pid, this.#lingerMs);
    });
  }

  /** A request was refused at its address: checks whether it still runs; a start under way finds that out itself. */
  async check(): Promise<void> {
    const before = this.#state;
    if (before.kind !== "running" || (await takesItsKey(before.ready))) return;
    if (this.#state !== before || this.#startStop.isStarting) return;
    await this.#leave(() => {
      // It may have been stopped on purpose meanwhile.
      if (this.#state === before)
        this.#set({ kind: "failed", message: "The Local Platform does not answer any more." });
    });
  }

  dispose(): void {
    this.#unwatch?.();
    this.#changed.dispose();
  }

  /** Ends this window's use of it; then the record of what ran, also of one whose start could not be ended any more. */
  #leave(
    then: (record: LocalPlatformWindows.LocalPlatformRecord | undefined) => Promise<void> | void,
  ): Promise<void> {
    this.#stopped = true;
    return this.#startStop.stop(new vscode.CancellationError(), async () => {
      this.#unwatch?.();
      this.#unwatch = undefined;
      this.#own = undefined;
      await this.#unregisterWindow();
      const ran = this.#state.kind === "running";
      await then(ran ? await (await windows()).readRunning(this.#dataDirectory) : undefined);
    });
  }

  async #startOrAttach(signal: AbortSignal): Promise<ReadyLine> {
    const dataDirectory = this.#dataDirectory;
    this.#stopped = false;
    this.#set({ kind: "starting" });
    try {
      await this.#context.workspaceState.update(memoryName, true);
      const [{ exclusively, registerWindow }, { runningRecord }] = await Promise.all([
        import("../kit/directoryLock.ts"),
        windows(),
      ]);
      this.#unwatch ??= await runningRecord(dataDirectory).watch(() => {
        void this.#startStop.after(() => this.#recordChanged());
      });
      for (;;) {
        const ready =
          (await this.#attach()) ?? (await exclusively(dataDirectory, signal, () => this.#spawn(signal)));
        if (ready === undefined) continue;
        this.#unregister ??= await registerWindow(dataDirectory);
        this.#set({ kind: "running", ready });
        return ready;
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#set(signal.aborted ? { kind: "stopped" } : { kind: "failed", message });
      throw error;
    }
  }

  /** Another window's, if one runs and takes the recorded key. */
  async #attach(): Promise<ReadyLine | undefined> {
    const record = await (await windows()).readRunning(this.#dataDirectory);
    return record !== undefined && (await takesItsKey(record.ready)) ? record.ready : undefined;
  }

  async #spawn(signal: AbortSignal): Promise<ReadyLine> {
    const [{ startLocalPlatformProcess }, { writeRunning }] = await Promise.all([
      import("./localPlatformProcess.ts"),
      windows(),
    ]);
    const own = await startLocalPlatformProcess({
      program: join(this.#context.extensionPath, "dist", "emulator.js"),
      dataDirectory: this.#dataDirectory,
      onLog: (line) => this.#log.info(`[Local Platform] ${line}`),
      signal,
    });
    this.#own = own;
    void own.ended.then((end) => this.#startStop.after(() => this.#ended(own, end)));
    await writeRunning(this.#dataDirectory, { pid: own.pid, ready: own.ready });
    return own.ready;
  }

  /** The window that ran it has stopped it, or another one has started it again. */
  async #recordChanged(): Promise<void> {
    const record = await (await windows()).readRunning(this.#dataDirectory);
    // This window has left it, or starts it.
    if (this.#unwatch === undefined || this.#own !== undefined || this.#startStop.isStarting) return;
    if (record === undefined && this.#state.kind === "running") {
      this.#stopped = true;
      this.#set({ kind: "stopped" });
      await this.#unregisterWindow();
    } else if (record !== undefined && this.#state.kind === "stopped") {
      // It waits for this to end.
      void this.start().catch(() => undefined);
    }
  }

  async #ended(own: LocalPlatformProcess, { clean, reason }: ProcessEnd): Promise<void> {
    if (this.#own !== own) return;
    this.#stopped = true;
    const [{ LocalPlatformError }, { removeRunning }] = await Promise.all([
      import("./localPlatformProcess.ts"),
      windows(),
    ]);
    await removeRunning(this.#dataDirectory, own.pid);
    await this.#unregisterWindow();
    this.#own = undefined;
    if (clean) {
      this.#set({ kind: "stopped" });
      return;
    }
    const error = new LocalPlatformError(
      `The Local Platform stopped by itself. ${reason}`,
      "Start it again.",
    );
    this.#set({ kind: "failed", message: error.message });
    this.#onCrash(error);
  }

  async #unregisterWindow(): Promise<void> {
    await this.#unregister?.();
    this.#unregister = undefined;
  }

  #set(state: LocalPlatformState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** What is needed where it runs, and not before. */
function windows(): Promise<typeof LocalPlatformWindows> {
  return import("./localPlatformWindows.ts");
}

/** The setting: start it when it is first needed. */
export function startsByItself(): boolean {
  const settings = vscode.workspace.getConfiguration(SECTION);
  return settings.inspect<boolean>(SETTINGS.localPlatformAutoStart)?.globalValue === true;
}

/** Whether a Local Platform answers at the address and takes the key; `/ok` would answer without one. */
async function takesItsKey(ready: ReadyLine): Promise<boolean> {
  const { Http } = await import("../../api/http.ts");
  const http = new Http({
    baseUrl: ready.deploymentUrl,
    headers: () => Promise.resolve({ "x-api-key": ready.apiKey }),
  });
  try {
    await http.reply({ method: "POST", path: "/threads/count", body: {}, timeoutMs: 3_000 });
    return true;
  } catch {
    return false;
  }
}
