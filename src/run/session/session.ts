/** One thread on one server, for as long as somebody works with it: its transcript, its runs, its answers. */

import type { Json, RunCreate } from "../../api/agentServer/wire.ts";
import { ActiveRuns } from "./activeRuns.ts";
import { accepted, Answers, type AnswersParts, type Outcome, refused } from "./answers.ts";
import { TranscriptFold } from "../fold/fold.ts";
import { foldThread, hydrate } from "./hydration.ts";
import type { Failure, RunRequest, SessionState } from "../panel/messages.ts";
import type { RawPage } from "../raw/rawEvents.ts";
import {
  defaultStreamModes,
  followable,
  readThread,
  type SentAnswer,
  type SessionParts,
  statusOf,
} from "./server.ts";
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
  readonly #aborter = new AbortController();
  readonly #fold: TranscriptFold;
  #thread: string | undefined;
  #runs: ActiveRuns | undefined;
  #loading = false;
  #starting = 0;
  #failure: Failure | undefined;
  #streamModes = defaultStreamModes;

  constructor(options: SessionOptions) {
    const { sentFeedback } = options;
    this.#options = options;
    this.#thread = options.threadId;
    this.#fold = new TranscriptFold((runId, key) => sentFeedback?.get(runId, key));
    this.answers = new Answers({
      ...options,
      fold: this.#fold,
      signal: this.#aborter.signal,
      start: (body) => this.#launch(body),
      readThread: () => this.#readThread(),
    });
  }

  /** Undefined until the first run made the thread. */
  get threadId(): string | undefined {
    return this.#thread;
  }

  get state(): SessionState {
    if (this.#loading) return { kind: "loading" };
    const state = this.#runs?.state;
    if (state !== undefined && state.kind !== "detached") return state;
    if (this.#starting > 0) return { kind: "streaming", runId: undefined };
    if (state !== undefined) return state;
    return this.#failure === undefined ? { kind: "idle" } : { kind: "failed", ...this.#failure };
  }

  /** The whole transcript from top to bottom. */
  get entries(): readonly Entry[] {
    return this.#fold.entries();
  }

  /** Events received so far. */
  get events(): number {
    return this.#fold.eventCount;
  }

  /** What changed since the last call; undefined when nothing did. */
  takePatch(): TranscriptPatch | undefined {
    return this.#fold.takePatch();
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
      const runs = this.#runsOf(threadId);
      for (const { run_id: runId } of await hydrate(this.#partsOf(threadId), runs)) runs.join(runId);
    } catch (error) {
      if (!signal.aborted) this.#failure = this.#options.describe(error);
    } finally {
      this.#loading = false;
      onChange();
    }
  }

  /** Starts a run; an earlier one that streams goes on, or ends as the strategy says. */
  async start(request: RunRequest): Promise<Outcome> {
    const { assistantId, metadata, strategy, feedbackKeys } = request;
    if (request.streamModes.length > 0) this.#streamModes = request.streamModes;
    return this.#launch({
      assistant_id: assistantId,
      input: runInput(request.input),
      ...(metadata !== undefined && { metadata }),
      ...(strategy !== undefined && { multitask_strategy: strategy }),
      ...(feedbackKeys !== undefined && feedbackKeys.length > 0 && { feedback_keys: feedbackKeys }),
    });
  }

  /** Follows the run of an answer that was sent before there was a session; rejects when no run was started. */
  async goOn(threadId: string, answer: SentAnswer): Promise<void> {
    this.#starting += 1;
    try {
      foldThread(this.#partsOf(threadId), answer.before);
      for (const { id } of this.#fold.interrupts.open())
        this.#fold.interrupts.set(id, "answered", answer.text);
      await this.#runsOf(threadId).adopt(answer);
    } finally {
      this.#starting -= 1;
      this.#options.onChange();
    }
  }

  /** Asks the server to stop what runs, and waits until it did. */
  async stop(): Promise<Outcome> {
    try {
      await this.#runs?.stop();
      return accepted;
    } catch (error) {
      return this.#refused(error);
    }
  }

  /** Leaves the streams; the runs go on at the server. */
  detach(): void {
    this.#runs?.detach();
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

  async #launch(body: RunCreate): Promise<Outcome> {
    this.#starting += 1;
    this.#failure = undefined;
    this.#options.onChange();
    try {
      const threadId = this.#thread ?? (await this.#makeThread());
      await this.#runsOf(threadId).start(followable(body, this.#streamModes));
      return accepted;
    } catch (error) {
      return this.#refused(error);
    } finally {
      this.#starting -= 1;
      this.#options.onChange();
    }
  }

  async #makeThread(): Promise<string> {
    const { thread_id: threadId } = await this.#options.server.threads.create(
      {},
      { signal: this.#aborter.signal },
    );
    this.#thread = threadId;
    return threadId;
  }

  async #readThread(): Promise<void> {
    if (this.#thread === undefined) return;
    const parts = this.#partsOf(this.#thread);
    foldThread(parts, await readThread(parts));
  }

  #partsOf(threadId: string): SessionParts {
    return { ...this.#options, threadId, fold: this.#fold, signal: this.#aborter.signal };
  }

  #runsOf(threadId: string): ActiveRuns {
    this.#runs ??= new ActiveRuns(this.#partsOf(threadId));
    return this.#runs;
  }

  #refused(error: unknown): Outcome {
    const status = statusOf(error);
    if (status === 404 && this.#thread !== undefined) return refused(this.#describeGone(error));
    if (status === 409 || (status === 422 && this.#runs?.state !== undefined)) {
      return refused(
        "The thread is running already. Wait until it is idle, or choose another strategy than “reject”.",
      );
    }
    return refused(this.#options.describe(error).message);
  }

  #describeGone(error: unknown): string {
    const { message } = this.#options.describe(error);
    return `${message} If the thread was deleted elsewhere: what is shown stays here; start a new thread to go on.`;
  }
}

/** The run's input: text becomes a chat message of the user, JSON stays as it is. */
export function runInput(input: RunRequest["input"]): Json {
  return "text" in input ? { messages: [{ role: "user", content: input.text }] } : input.json;
}
