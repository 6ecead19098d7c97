/** What became of the questions of a thread: which run answered one, or left it behind. */

import type { Interrupt } from "../../api/agentServer/wire.ts";
import { answerLevel } from "../history/keptQuestions.ts";
import {
  type InterruptDraft,
  isAnswerTo,
  isById,
  isPending,
  type RunStart,
} from "./drafts/interruptDraft.ts";
import type { Ledger, Section } from "./drafts/ledger.ts";
import type { MaybeAnswered } from "./threadState.ts";

/** A run that was started, and where its rows stand. */
export interface KnownRun extends RunStart {
  readonly section: Section;
}

/** Of the questions that may wait, those that do not, and those of which nobody can tell. */
interface Sorted {
  readonly gone: ReadonlySet<Interrupt>;
  readonly unsure: ReadonlySet<Interrupt>;
}

/** Compares what was asked with the runs that were started since. */
export class QuestionEnds {
  readonly #ledger: Ledger;
  readonly #known: readonly InterruptDraft[];
  readonly #runs: KnownRun[] = [];
  /** Runs that are over, and whether they ended well. */
  readonly #ended = new Map<string, boolean>();
  readonly #vain = new Set<string>();

  /** `known` are the questions of the thread, which grow. */
  constructor(ledger: Ledger, known: readonly InterruptDraft[]) {
    this.#ledger = ledger;
    this.#known = known;
  }

  started(run: KnownRun): void {
    this.#runs.push(run);
  }

  /** A run that never had its input. */
  vain(runId: string): void {
    this.#vain.add(runId);
  }

  over(runId: string, isSuccess: boolean): void {
    this.#ended.set(runId, isSuccess);
  }

  run(runId: string | undefined): KnownRun | undefined {
    return this.#runs.find((run) => run.runId === runId);
  }

  /** Whether a run brought an answer by its id. */
  isAnswered(draft: InterruptDraft): boolean {
    return this.#runs.some((run) => this.#names(run, draft));
  }

  /**
   * The first later run that answers it or leaves it behind. A run that was stopped before its input was kept does
   * neither.
   */
  of(draft: InterruptDraft): KnownRun | undefined {
    const run = this.#runs.find(
      (one) =>
        this.#isAfter(one, draft) &&
        (this.#names(one, draft) ||
          this.#leavesBehind(one, draft) ||
          (one.resume !== undefined && !isById(one, this.#known) && this.#isSole(draft))),
    );
    if (run === undefined || !this.#leavesBehind(run, draft)) return run;
    return this.#runs.find((one) => this.#names(one, draft)) ?? run;
  }

  /** A question that is answered by its id after such a run had not been left behind. */
  #leavesBehind({ input, runId }: KnownRun, draft: InterruptDraft): boolean {
    return input !== undefined && (input === null ? draft.next !== undefined : !this.#vain.has(runId));
  }

  #names(run: KnownRun, draft: InterruptDraft): boolean {
    return isAnswerTo(run, draft.serverId) && this.#isAfter(run, draft);
  }

  #isAfter({ section }: Pick<KnownRun, "section">, draft: InterruptDraft): boolean {
    const asked = this.#ledger.sectionOf(draft);
    return asked !== undefined && this.#ledger.isBefore(asked, section);
  }

  /** Whether it was asked before this section and waited on after it. */
  waitsAt(section: Section, draft: InterruptDraft): boolean {
    const asked = this.#ledger.sectionOf(draft);
    if (asked === undefined || !this.#ledger.isBefore(asked, section)) return false;
    const end = this.#runs.find(({ runId }) => runId === draft.by?.runId) ?? this.of(draft);
    return end === undefined || this.#ledger.isBefore(section, end.section);
  }

  /** Whether it is the only question of its run without an answer. */
  #isSole(draft: InterruptDraft): boolean {
    const section = this.#ledger.sectionOf(draft);
    return !this.#known.some(
      (other) => other !== draft && isPending(other) && this.#ledger.sectionOf(other) === section,
    );
  }

  /** Whether an earlier section asked it, too: a run in between answered it by its id, and it was asked again. */
  wasAsked(section: Section, known: InterruptDraft): boolean {
    const asked = this.#ledger.sectionOf(known);
    if (asked === undefined || !this.#ledger.isBefore(section, asked)) return false;
    return this.#runs.some(
      (run) =>
        isAnswerTo(run, known.serverId) &&
        (!known.provisional || this.#ended.has(run.runId)) &&
        this.#ledger.isBefore(section, run.section) &&
        !this.#ledger.isBefore(asked, run.section),
    );
  }

  /** Whether a run brought an answer to it by its id, and is over. */
  wasAnswered({ id }: Interrupt): boolean {
    return this.#runs.some((run) => isAnswerTo(run, id) && this.#ended.has(run.runId));
  }

  /** Whether a run after this section brought an answer to it by its id. */
  isAnsweredAfter(section: Section, { id }: Interrupt): boolean {
    return this.#runs.some((run) => isAnswerTo(run, id) && this.#ledger.isBefore(section, run.section));
  }

  /**
   * Of what may wait: what surely does not, and what is not certain. What nobody answered waits first, then what was
   * answered by a run that was stopped or failed.
   */
  sort(maybeAnswered: readonly MaybeAnswered[]): Sorted {
    const sorted = { gone: new Set<Interrupt>(), unsure: new Set<Interrupt>() };
    for (const { asks, waiting } of maybeAnswered) {
      const levels = asks.map((own) => Math.min(...own.map((one) => this.#answerLevel(one))));
      const last = waiting === undefined ? undefined : levels.toSorted()[waiting - 1];
      const isClear = last !== undefined && levels.filter((level) => level <= last).length === waiting;
      for (const [at, own] of asks.entries()) {
        const isGone = isClear && (levels[at] ?? 0) > last;
        if (isGone) own.forEach((one) => sorted.gone.add(one));
        else if (!isClear || own.length > 1) own.forEach((one) => sorted.unsure.add(one));
      }
    }
    return sorted;
  }

  #answerLevel({ id }: Interrupt): 0 | 1 | 2 {
    return answerLevel(
      this.#runs.flatMap((run) => (isAnswerTo(run, id) ? (this.#ended.get(run.runId) ?? []) : [])),
    );
  }

  /** Whether a run is known to be over. */
  isOver(runId: string | undefined): boolean {
    return runId !== undefined && this.#ended.has(runId);
  }
}
