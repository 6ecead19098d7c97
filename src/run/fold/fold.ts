/** A thread's transcript over time: events and state in, entries and patches out. */

import type { Json, RunStatus } from "../../api/agentServer/wire.ts";
import { Conversation } from "./conversation.ts";
import { FeedbackKeys, type GivenFeedback } from "./feedbackKeys.ts";
import type { RunStart } from "./drafts/interruptDraft.ts";
import { Interrupts } from "./interrupts.ts";
import { Ledger, type Section } from "./drafts/ledger.ts";
import { type Notice, Notices } from "./notices.ts";
import { notKept } from "./outcome.ts";
import { RawEvents, type RawPage } from "../raw/rawEvents.ts";
import { type KeptFacts, mergeKept, reconcile } from "./reconcile.ts";
import { isOver, type RunFacts } from "./drafts/runDraft.ts";
import { RunFold, type ThreadParts } from "./runFold.ts";
import { type StateNow, waitingIn } from "./threadState.ts";
import type { Entry, LaneId } from "../panel/transcript.ts";

/** Mutable inside, made for many events; entries and patches are values that never change. */
export class TranscriptFold {
  readonly interrupts: Interrupts;
  readonly feedback: FeedbackKeys;
  /** The rows, and what changed of them. */
  readonly ledger = new Ledger();
  readonly #history: Section;
  readonly #conversation: Conversation;
  readonly #notices: Notices;
  readonly #raw = new RawEvents();
  readonly #runs = new Map<string, RunFold>();
  /** Those that were not over when they were looked at last. */
  readonly #going = new Set<RunFold>();
  readonly #parts: ThreadParts;

  /** `given` is what was sent for a run's feedback key before, so that it is not asked for again. */
  constructor(given?: GivenFeedback) {
    this.#history = this.ledger.open("");
    this.#conversation = new Conversation(this.ledger);
    this.interrupts = new Interrupts(this.ledger);
    this.feedback = new FeedbackKeys(this.ledger, given);
    this.#notices = new Notices(this.ledger);
    this.#parts = {
      ...{ ledger: this.ledger, raw: this.#raw },
      conversation: this.#conversation,
      interrupts: this.interrupts,
      notices: this.#notices,
      feedback: this.feedback,
    };
  }

  /**
   * Opens a run's section after those of earlier runs; nothing happens to one that is known. `answer` is what the run
   * brings to a question, and who gave it.
   */
  open(facts: RunFacts, input?: Json, answer?: Partial<Pick<RunStart, "resume" | "giver">>): void {
    if (this.#runs.has(facts.runId)) return;
    const run = new RunFold(this.#parts, facts);
    this.#runs.set(facts.runId, run);
    this.#going.add(run);
    run.input(input);
    const { resume, giver } = answer ?? {};
    this.interrupts.started(run.section, { runId: facts.runId, input, resume, giver });
  }

  /** A run that was opened, which takes its events itself. */
  run(runId: string): RunFold {
    const run = this.#runs.get(runId);
    if (run === undefined) throw new RangeError(`run ${runId} was not opened`);
    return run;
  }

  /** Settles a run: it has this status, and what streamed in a run that is over streams no more. */
  settle(runId: string, status: RunStatus, facts?: Partial<RunFacts>, at?: number): void {
    const settled = this.run(runId);
    settled.settle(status, facts, at);
    this.#going.add(settled);
    for (const run of this.#going) if (isOver(run.header.status)) this.#going.delete(run);
    if (this.#going.size > 0) return;
    this.#conversation.tools.settleBut(this.#asking());
  }

  /** How a run stands; undefined for one that was not opened. */
  facts(runId: string): Pick<RunFacts, "status" | "assistantId"> | undefined {
    return this.#runs.get(runId)?.header;
  }

  /** Who runs a run; of the newest run when that one is not known. */
  assistantOf(runId: string | undefined): string | undefined {
    const run = (runId === undefined ? undefined : this.#runs.get(runId)) ?? [...this.#runs.values()].at(-1);
    return run?.header.assistantId;
  }

  /** The runs that were opened so far. */
  runIds(): ReadonlySet<string> {
    return new Set(this.#runs.keys());
  }

  /** Whether events of a run were folded. */
  hasEvents(runId: string): boolean {
    return this.#runs.get(runId)?.streamed === true;
  }

  /** Whether a run's events came, or would have if it had any: one that was stopped at once may have none. */
  isFollowed(runId: string): boolean {
    const { header, streamed } = this.run(runId);
    return streamed || (isOver(header.status) && header.build().unread !== true);
  }

  /** Whether the transcript says why a run failed. */
  hasFailed(runId: string): boolean {
    return this.run(runId).outcome.isFailure;
  }

  /** Says why a run failed whose events did not say it. */
  noteFailure(runId: string, error: Json): void {
    this.run(runId).outcome.failed(error);
  }

  /** Says why a run failed whose events are lost, as far as that is kept, unless it is known. */
  noteLostFailure(runId: string, error: Json = notKept): void {
    const { status } = this.run(runId).header;
    if (status === "error" && this.isLost(runId) && !this.hasFailed(runId)) this.noteFailure(runId, error);
  }

  /** Merges what the server keeps of a run that was opened. */
  keep(kept: KeptFacts): void {
    const run = this.#runs.get(kept.root.runId);
    if (run === undefined) return;
    mergeKept(run, this.#parts, kept);
    const { header } = run;
    if (isOver(header.status)) this.#conversation.tools.settle(header, this.#asking().has(header.runId));
  }

  /** The server keeps no states of a run's steps. */
  setUnkept(runId: string): void {
    this.#runs.get(runId)?.steps.setUnkept();
  }

  /** Merges the thread's state; returns how many messages were missing or different. */
  reconcile(state: StateNow): number {
    const changes = reconcile(state, this.#conversation, this.ledger, this.#history);
    const waiting = waitingIn(state);
    this.#conversation.tools.settleState(waiting.interrupts.length > 0);
    const last = [...this.#runs.values()].at(-1);
    this.interrupts.reconcile(last?.section ?? this.#history, last?.runId, waiting);
    // A run can end a moment before the state tells what it asks.
    this.#conversation.tools.settleAsking(this.#asking());
    return changes;
  }

  /** Writes a notice at the end of a run, or of the newest one. */
  notice(notice: Notice, runId?: string): void {
    const run = runId === undefined ? [...this.#runs.values()].at(-1) : this.#runs.get(runId);
    if (run !== undefined) run.notice(notice);
    else this.#notices.add(this.#history, undefined, notice);
  }

  /** Writes a notice above all runs. */
  noteThread(notice: Notice): void {
    this.#notices.add(this.#history, undefined, notice);
  }

  /** The server does not keep what a run streamed. */
  noteLost(runId: string): void {
    const run = this.run(runId);
    if (run.header.assign({ eventsLost: true })) this.ledger.touch(run.header);
  }

  /** Whether more of a run is read when it comes in sight. */
  setUnread(runId: string, isUnread: boolean): void {
    const run = this.run(runId);
    if (run.header.assign({ unread: isUnread ? true : undefined })) this.ledger.touch(run.header);
  }

  /** Whether the server is known not to keep what a run streamed. */
  isLost(runId: string): boolean {
    return this.run(runId).header.build().eventsLost === true;
  }

  /** The lanes of a run so far. */
  lanesOf(runId: string): readonly LaneId[] {
    return this.#runs.get(runId)?.lanes.paths() ?? [];
  }

  /** The whole transcript from top to bottom. */
  entries(): readonly Entry[] {
    return this.ledger.drafts().map((draft) => draft.build());
  }

  /** Events received so far. */
  get eventCount(): number {
    return this.#raw.count;
  }

  /** A page of the raw events that contain the text. */
  search(text: string, offset: number, limit: number): RawPage {
    return this.#raw.search(text, offset, limit);
  }

  /** The runs that ask something now. */
  #asking(): ReadonlySet<string | undefined> {
    return new Set(this.interrupts.open().map(({ runId }) => runId));
  }
}
