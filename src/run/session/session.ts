/** One thread on one server, for as long as somebody works with it: its transcript, its runs, its answers. */

import type { RunCreate } from "../../api/agentServer/wire.ts";
import { ActiveRuns } from "./activeRuns.ts";
import { accepted, Answers, type AnswersParts, type RequestOutcome, refusalOf } from "./answers.ts";
import { TranscriptFold } from "../fold/fold.ts";
import type { StateNow } from "../fold/threadState.ts";
import { foldThread, hydrate } from "./hydration.ts";
import { PastRuns } from "./pastRuns.ts";
import type { Earlier, Failure, RunRequest, SessionState } from "../panel/messages.ts";
import type { RawPage } from "../raw/rawEvents.ts";
import { defaultStreamModes, runBody } from "./runBody.ts";
import { readThread, type SentAnswer, type SessionParts, statusOf, type ThreadNow } from "./server.ts";
import { StuckCheckpoint } from "./stuckCheckpoint.ts";
import type { Entry, TranscriptPatch } from "../panel/transcript.ts";

/** What a session is made of, and who hears of its changes. */
export interface SessionOptions
  extends
    Pick<SessionParts, "server" | "clock" | "onChange" | "describe">,
    Pick<AnswersParts, "submitFeedback" | "sentFeedback"> {
  /** Undefined for a thread that is made with its first run. */
  readonly threadId?: string | undefined;
}

/** Outlives every panel that shows it. */
export class RunSession {
  /** What a person answers to its runs. */
  readonly answers: Answers;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #aborter = new AbortController();
  readonly #fold: TranscriptFold;
  #thread: string | undefined;
  #making: ReturnType<SessionParts["server"]["threads"]["create"]> | undefined;
  #runs: ActiveRuns | undefined;
  #past: PastRuns | undefined;
  #loading = false;
  #refreshing = false;
  /** Starts on their way, each until its run is followed or was refused. */
  readonly #starts = new Set<Promise<unknown>>();
  #stopped: Promise<RequestOutcome> | undefined;
  #failure: Failure | undefined;
  #streamModes = defaultStreamModes;
  readonly #stuck = new StuckCheckpoint();

  constructor(options: SessionOptions) {
    const { sentFeedback } = options;
    const onChange = (): void => {
      for (const listener of this.#listeners) listener();
      options.onChange();
    };
    this.#options = { ...options, onChange };
    this.#thread = options.threadId;
    this.#fold = new TranscriptFold((runId, key) => sentFeedback?.get(runId, key));
    this.answers = new Answers({
      ...this.#options,
      fold: this.#fold,
      signal: this.#aborter.signal,
      start: (body) => this.run(body),
      readThread: () => this.#readThread(),
      isRunning: () => this.state.kind === "streaming",
    });
  }

  /** Calls `listener` after each change until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Undefined until the first run made the thread. */
  get threadId(): string | undefined {
    return this.#thread;
  }

  get state(): SessionState {
    if (this.#loading) return { kind: "loading" };
    const state = this.#runs?.state;
    if (state !== undefined && state.kind !== "detached") return state;
    if (this.#starts.size > 0) return { kind: "streaming", runId: undefined };
    if (state !== undefined) return state;
    return this.#failure === undefined ? { kind: "idle" } : { kind: "failed", ...this.#failure };
  }

  /** The whole transcript from top to bottom. */
  get entries(): readonly Entry[] {
    return this.#fold.entries();
  }

  /** The run that was followed last, or still is; undefined for none. */
  get newestFollowed(): string | undefined {
    return this.#runs?.newest;
  }

  /** Whether the server may keep steps of earlier runs that were not read. */
  get earlier(): Earlier {
    return this.#past?.earlier ?? "none";
  }

  /** Events received so far. */
  get events(): number {
    return this.#fold.eventCount;
  }

  /** Whether text that a person watches being written is among what changed since the last patch. */
  get streams(): boolean {
    return this.#fold.ledger.streams;
  }

  /** What changed since the last call; undefined when nothing did. */
  takePatch(): TranscriptPatch | undefined {
    return this.#fold.ledger.takePatch();
  }

  /** A page of the raw events that contain the text. */
  search(text: string, offset: number, limit: number): RawPage {
    return this.#fold.search(text, offset, limit);
  }

  /** Brings the thread's transcript back and joins the runs that go on; a failure becomes the state. */
  async load(): Promise<void> {
    const threadId = this.#thread;
    if (threadId === undefined || this.#loading) return;
    const { onChange } = this.#options;
    const { signal } = this.#aborter;
    this.#loading = true;
    this.#failure = undefined;
    onChange();
    try {
      await this.#hydrate(threadId);
    } catch (error) {
      if (!signal.aborted) this.#failure = this.#options.describe(error);
    } finally {
      this.#loading = false;
      onChange();
    }
  }

  /** Brings in what others did since: a look at the thread that loses nothing of what streamed. Rejects when it can't be read now. */
  async refresh(): Promise<void> {
    const threadId = this.#thread;
    if (threadId === undefined || this.#loading || this.#refreshing) return;
    this.#refreshing = true;
    try {
      await this.#hydrate(threadId);
    } catch (error) {
      if (this.#aborter.signal.aborted) return;
      if (statusOf(error) !== 404) throw error;
      this.#runs?.noteGone();
    } finally {
      this.#refreshing = false;
      this.#options.onChange();
    }
  }

  /** Says once that what others do is not shown by itself: the server would tell it only by the whole state. */
  noteUnfollowed(): void {
    this.#past?.noteUnfollowed();
  }

  /** Reads more of what the server keeps of earlier runs. */
  async readEarlier(): Promise<void> {
    await this.#past?.readEarlier((runId) => this.#runs?.follows(runId) === true);
  }

  /** Reads more of runs that came in sight, once of each. */
  async readRuns(runIds: readonly string[]): Promise<void> {
    await this.#past?.read(runIds);
  }

  /** Starts a run; an earlier one that streams goes on, or ends as the strategy says. */
  async start(request: RunRequest): Promise<RequestOutcome> {
    if (request.streamModes.length > 0) this.#streamModes = request.streamModes;
    return this.run(runBody(request));
  }

  /** Starts a run that was put together elsewhere, and follows it. */
  async run(body: RunCreate): Promise<RequestOutcome> {
    this.#failure = undefined;
    return this.#started(async () => {
      try {
        const threadId = this.#thread ?? (await this.#makeThread());
        await this.#runsOf(threadId).start(this.#stuck.mend(body), this.#streamModes);
        return accepted;
      } catch (error) {
        return await this.#refused("start", error);
      }
    });
  }

  /** Follows the run of an answer that was sent before there was a session; rejects when no run was started. */
  async goOn(threadId: string, answer: SentAnswer): Promise<void> {
    await this.#started(async () => {
      foldThread(this.#partsOf(threadId), answer.before);
      await this.#runsOf(threadId).adopt(answer);
    });
  }

  /** Asks the server to stop what runs or is being started, and waits until it did. */
  stop(): Promise<RequestOutcome> {
    this.#stopped ??= this.#stop().finally(() => (this.#stopped = undefined));
    return this.#stopped;
  }

  /** Leaves the streams, also of what is being started; the runs go on at the server. */
  detach(): void {
    this.#runs?.detach();
    for (const start of this.#starts) void start.then(() => this.#runs?.detach());
  }

  /** Joins the runs that were left, where they were left. */
  reattach(): void {
    this.#runs?.reattach();
  }

  /** Tries again what failed: joining a run, or loading the thread. */
  async retry(): Promise<void> {
    if (this.#runs?.canRejoin === true) this.#runs.reattach();
    else await this.load();
  }

  /** Leaves everything; runs go on at the server. */
  dispose(): void {
    this.#aborter.abort();
  }

  async #started<T>(start: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#starts.add(promise);
    this.#options.onChange();
    try {
      return await start();
    } finally {
      this.#starts.delete(promise);
      this.#options.onChange();
      resolve(undefined);
    }
  }

  async #stop(): Promise<RequestOutcome> {
    try {
      // Which run it is, is known only then.
      if (this.#starts.size > 0) await Promise.all(this.#starts);
      await this.#runs?.stop();
      return accepted;
    } catch (error) {
      return await this.#refused("stop", error);
    }
  }

  async #makeThread(): Promise<string> {
    const { signal } = this.#aborter;
    // One for all runs that are started before it is there.
    this.#making ??= this.#options.server.threads.create({}, { signal });
    try {
      this.#thread = (await this.#making).thread_id;
      return this.#thread;
    } finally {
      this.#making = undefined;
    }
  }

  async #readThread(): Promise<ThreadNow | undefined> {
    if (this.#thread === undefined) return undefined;
    const parts = this.#partsOf(this.#thread);
    const now = await readThread(parts);
    foldThread(parts, now);
    return now;
  }

  #partsOf(threadId: string): SessionParts {
    const onRead = (state: StateNow): void => {
      const text = this.#stuck.read(state);
      if (text !== undefined) this.#past?.history.noteOnce({ level: "warning", text });
    };
    return { ...this.#options, threadId, fold: this.#fold, signal: this.#aborter.signal, onRead };
  }

  #runsOf(threadId: string): ActiveRuns {
    this.#runs ??= new ActiveRuns(this.#partsOf(threadId), this.#pastOf(threadId).history);
    return this.#runs;
  }

  #pastOf(threadId: string): PastRuns {
    this.#past ??= new PastRuns(this.#partsOf(threadId));
    return this.#past;
  }

  #hydrate(threadId: string): Promise<void> {
    return hydrate(this.#partsOf(threadId), this.#runsOf(threadId), this.#pastOf(threadId));
  }

  async #refused(what: "start" | "stop", error: unknown): Promise<RequestOutcome> {
    const thread = this.#thread === undefined ? undefined : this.#partsOf(this.#thread);
    return refusalOf(error, this.#options, { what, thread, runs: this.#runs?.state !== undefined });
  }
}
