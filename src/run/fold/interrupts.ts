/** Questions of a thread: each shown once, however often the server reports it, with what became of it. */

import type { Interrupt, RunStatus } from "../../api/agentServer/wire.ts";
import { answerText } from "./drafts/humanReview.ts";
import { InterruptDraft, isOpen, isPending, KnownQuestions, type RunStart } from "./drafts/interruptDraft.ts";
import { type KnownRun, QuestionEnds } from "./questionEnds.ts";
import { sameJson } from "../json/json.ts";
import type { Ledger, Section } from "./drafts/ledger.ts";
import type { InterruptEntry, LaneId } from "../panel/transcript.ts";
import type { Waiting } from "./threadState.ts";

type InterruptState = InterruptEntry["state"];

/** Keeps the questions of all runs of a thread, and what became of them. */
export class Interrupts {
  readonly #ledger: Ledger;
  readonly #known = new KnownQuestions();
  readonly #ends: QuestionEnds;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#ends = new QuestionEnds(ledger, this.#known.all);
  }

  /**
   * Adds a question of a run, unless it is known. An answered question that is asked again is a new one. The server
   * keeps which run asked it first; later runs may only reach it again.
   */
  add(
    section: Section,
    runId: string | undefined,
    lane: LaneId,
    interrupt: Interrupt,
    from: "stream" | "history" = "stream",
  ): InterruptDraft {
    const known =
      this.#known.find(interrupt, (draft) => draft.runId === runId) ??
      this.#known.find(interrupt, (draft) => this.#ends.waitsAt(section, draft)) ??
      this.#known.find(interrupt);
    if (known?.provisional === true && !this.#ends.wasAsked(section, known))
      this.#adopt(known, section, runId, lane);
    else if (
      known === undefined ||
      (known.runId !== runId && (this.#isAskedAgain(section, known) || this.#ends.wasAsked(section, known)))
    )
      return this.#create(section, runId, lane, interrupt);
    else if (known.runId !== runId && from === "history") this.#adopt(known, section, runId, lane);
    else if (known.runId !== runId) {
      // The state that did not list it was older than what goes on now.
      if (known.state === "elsewhere" && !this.#ends.isOver(runId)) this.#set(known, "open");
    } else if (known.lane === "" && lane !== "") {
      known.lane = lane;
      this.#ledger.touch(known);
    }
    return known;
  }

  /**
   * A run was stopped with an answer to a question, which may wait again: that is told by the thread's state, or by a run
   * that answered it once more. Undefined where neither does.
   */
  addAgain(section: Section, runId: string, lane: LaneId, interrupt: Interrupt): InterruptDraft | undefined {
    const known =
      this.#known.find(interrupt, (draft) => draft.isAgain && draft.runId === runId) ??
      this.#known.find(interrupt, (draft) => (draft.isAgain || draft.provisional) && isPending(draft));
    if (known !== undefined) {
      const isElsewhere = known.provisional || known.runId !== runId || (known.lane === "" && lane !== "");
      if (isElsewhere) this.#adopt(known, section, runId, lane, true);
      if (isPending(known) && this.#ends.of(known) !== undefined) this.#close(known);
      return this.#known.all.includes(known) ? known : undefined;
    }
    if (!this.#ends.isAnsweredAfter(section, interrupt)) return undefined;
    const draft = this.#create(section, runId, lane, interrupt);
    draft.isAgain = true;
    return draft;
  }

  /** Whether it was asked before this section and waited on after it: a run only came to it again. */
  waitsOn(section: Section, interrupt: Interrupt): boolean {
    return this.#known.find(interrupt, (draft) => this.#ends.waitsAt(section, draft)) !== undefined;
  }

  /** A run stopped at a breakpoint; which nodes come next is in the thread's state. */
  stopped(section: Section, runId: string, next: readonly string[] = []): InterruptDraft {
    const known = this.#known.all.findLast((draft) => draft.next !== undefined && draft.runId === runId);
    if (known === undefined) return this.#create(section, runId, "", { value: null }, next);
    if (next.length > 0 && !sameJson(known.next, next)) {
      known.next = next;
      this.#ledger.touch(known);
    }
    return known;
  }

  /** A run that seemed to stop at a breakpoint came to its end there, or asked something: nothing was to go on. */
  notStopped(runId: string): void {
    const stop = this.#known.all.find(
      (draft) => draft.next !== undefined && draft.runId === runId && !isPending(draft),
    );
    if (stop !== undefined) this.#remove(stop);
  }

  /** A run was started: what was asked before is answered by it, or is not asked any more. */
  started(section: Section, start: RunStart): void {
    this.#ends.started({ ...start, section });
    for (const draft of [...this.#known.all]) {
      const isUnknown = isPending(draft) || draft.state === "elsewhere";
      if (isUnknown && this.#ends.of(draft) !== undefined) this.#close(draft, isPending(draft));
    }
  }

  /** A run was over before the thread had its input: it left nothing behind. */
  wasVain(runId: string): void {
    this.#ends.vain(runId);
    for (const draft of this.#known.all) {
      if (draft.by?.runId !== runId || draft.state !== "dropped") continue;
      if (this.#ends.of(draft) === undefined) this.#set(draft, "elsewhere");
      else this.#close(draft);
    }
  }

  /**
   * Closes all questions that seem to wait, except these: a run that is replayed asks again what was answered long ago.
   */
  closeBut(ids: ReadonlySet<string>): void {
    for (const draft of [...this.#known.all]) if (isPending(draft) && !ids.has(draft.id)) this.#close(draft);
  }

  /** A run is over: what the state lists from now on waits, even if that run answered it. */
  ended(runId: string, status: RunStatus): void {
    this.#ends.over(runId, status === "success");
  }

  get(id: string): InterruptEntry | undefined {
    return this.#known.byId(id)?.build();
  }

  open(): readonly InterruptEntry[] {
    return this.#known.all.filter(isOpen).map((draft) => draft.build());
  }

  /** What a run asked, whatever became of it. */
  askedBy(runId: string): readonly InterruptDraft[] {
    return this.#known.all.filter((draft) => draft.runId === runId && draft.next === undefined);
  }

  /** The server's id of a question; undefined when it gave none. */
  serverId(id: string): string | undefined {
    return this.#known.byId(id)?.serverId;
  }

  set(id: string, state: InterruptState, answer?: string): void {
    const draft = this.#known.byId(id);
    if (draft !== undefined) this.#set(draft, state, answer);
  }

  /**
   * Closes what does not wait any more, and opens what waits; what is new comes to the end of the section. A question
   * that was answered and surely waits is a new one, once the run of the answer is over: until then the state may be older.
   */
  reconcile(section: Section, runId: string | undefined, waiting: Waiting): void {
    const { interrupts, next, stopped } = waiting;
    const { gone, unsure } = this.#ends.sort(waiting.maybeAnswered);
    const waits = new Set<InterruptDraft>();
    for (const interrupt of interrupts.filter((one) => !gone.has(one))) {
      const known =
        this.#known.find(interrupt, isPending) ??
        this.#known.find(interrupt, ({ by }) => by?.resume !== undefined && !this.#ends.isOver(by.runId)) ??
        this.#known.find(interrupt);
      const isSure = !unsure.has(interrupt);
      if (!isSure && (known === undefined || isPending(known)) && this.#ends.wasAnswered(interrupt)) continue;
      if (known === undefined) waits.add(this.#provisional(section, runId, interrupt));
      else if (isPending(known)) waits.add(known);
      else if (known.state !== "answered") {
        this.#set(known, "open");
        waits.add(known);
      } else if (isSure && this.#ends.isOver(known.by?.runId))
        waits.add(this.#provisional(section, runId, interrupt, true));
      if (known?.provisional === true && isPending(known)) this.#ledger.putLast(section, known);
    }
    const breakpoint = runId === undefined ? undefined : this.#breakpoint(section, runId, stopped, next);
    if (breakpoint !== undefined) waits.add(breakpoint);
    for (const draft of [...this.#known.all]) if (isPending(draft) && !waits.has(draft)) this.#close(draft);
  }

  /** Where the thread stands still now; undefined when it does not, or that was left behind. */
  #breakpoint(
    section: Section,
    runId: string,
    stopped: boolean | undefined,
    next: readonly string[],
  ): InterruptDraft | undefined {
    const known = this.#known.all.findLast((draft) => draft.next !== undefined);
    const isKnown = known !== undefined && isPending(known);
    if (next.length === 0 || stopped === false || (stopped === undefined && !isKnown)) return undefined;
    const draft = isKnown ? known : this.stopped(section, runId, next);
    if (!sameJson(draft.next, next)) {
      draft.next = next;
      this.#ledger.touch(draft);
    }
    return isPending(draft) ? draft : undefined;
  }

  #provisional(
    section: Section,
    runId: string | undefined,
    interrupt: Interrupt,
    isAgain = false,
  ): InterruptDraft {
    const draft = this.#create(section, runId, "", interrupt);
    Object.assign(draft, { provisional: true, isAgain });
    return draft;
  }

  #adopt(
    known: InterruptDraft,
    section: Section,
    runId: string | undefined,
    lane: LaneId,
    isAgain = false,
  ): void {
    Object.assign(known, { provisional: false, runId, lane, isAgain });
    this.#ledger.putLast(section, known);
    this.#ledger.touch(known);
  }

  #create(
    section: Section,
    runId: string | undefined,
    lane: LaneId,
    interrupt: Interrupt,
    next?: readonly string[],
  ): InterruptDraft {
    const draft = new InterruptDraft(this.#known.newId(section, interrupt), runId, lane, interrupt, next);
    this.#known.all.push(draft);
    this.#ledger.add(section, draft);
    // An answer without an id can only be told to be this one's when all that was asked is known.
    const isLeft = next !== undefined && this.#ends.of(draft) !== undefined;
    if (isLeft || this.#ends.isAnswered(draft)) this.#close(draft);
    return draft;
  }

  #set(draft: InterruptDraft, state: InterruptState, answer?: string, by?: KnownRun): void {
    if (draft.state === state && draft.answer === answer && (by === undefined || draft.by === by)) return;
    Object.assign(draft, { state, answer });
    if (by !== undefined || state !== "answered") draft.by = by;
    this.#ledger.touch(draft);
  }

  /**
   * It waits no more: a run brought its answer, a new run left it behind, or nobody knows what became of it. That
   * another window answered is known only where it waited here until then: before a reload it may have been this one.
   */
  #close(draft: InterruptDraft, waitedHere = false): void {
    const end = this.#ends.of(draft);
    const isOfWindow = end?.giver?.kind === "otherWindow" && !waitedHere;
    const run = end !== undefined && isOfWindow ? { ...end, giver: undefined } : end;
    if (draft.isAgain && run?.resume === undefined) this.#remove(draft);
    else if (run === undefined) this.#set(draft, "elsewhere");
    else if (run.resume !== undefined)
      this.#set(draft, "answered", answerText(run.resume, draft.serverId), run);
    else if (run.input === null) this.#set(draft, "answered", undefined, run);
    else this.#set(draft, "dropped", undefined, run);
  }

  #remove(draft: InterruptDraft): void {
    this.#known.remove(draft);
    this.#ledger.remove(draft);
  }

  /** Whether a question of an earlier run was answered by the time this section asks it; it is closed if so. */
  #isAskedAgain(section: Section, known: InterruptDraft): boolean {
    if (isPending(known) && this.#ends.of(known)?.section === section) this.#close(known);
    if (isPending(known)) return false;
    // No run is known to have answered it, and this one comes to it again.
    if (known.state === "elsewhere" && this.#ends.waitsAt(section, known)) return false;
    const end = this.#ends.run(known.by?.runId);
    return end === undefined || !this.#ledger.isBefore(section, end.section);
  }
}
