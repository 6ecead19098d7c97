/** A person's answers: to what a run asks, and about what a run did. */

import type { Json, Run, RunCreate } from "../../api/agentServer/wire.ts";
import { answerText, decisionProblem, sameRequests } from "../fold/drafts/humanReview.ts";
import { answering, type AskedAction, continuing, resumeValue } from "./answerSteps.ts";
import { assistantIn, type ThreadNow, type SentFeedback, type SessionParts, statusOf } from "./server.ts";
import type { Decision, Feedback, InterruptEntry } from "../panel/transcript.ts";

/** Whether a request was taken. */
export type RequestOutcome = { readonly accepted: true } | Refusal;

/** Why a request was not taken; `shown` when the transcript shows it, so that nothing else needs to. */
export interface Refusal {
  readonly accepted: false;
  readonly message: string;
  readonly shown?: true;
}

/** What a request that was taken comes to. */
export const accepted: RequestOutcome = { accepted: true };

/** What answers are checked against, and how they are sent. */
export interface AnswersParts extends Pick<
  SessionParts,
  "server" | "fold" | "signal" | "onChange" | "describe"
> {
  /** Starts the run that goes on with an answer. */
  readonly start: (body: RunCreate) => Promise<RequestOutcome>;
  /** Folds what the thread is now; rejects when it can't be read. */
  readonly readThread: () => Promise<ThreadNow | undefined>;
  /** Whether a run streams, or is about to. */
  readonly isRunning: () => boolean;
  readonly submitFeedback: (url: string, feedback: Feedback, signal: AbortSignal) => Promise<void>;
  readonly sentFeedback?: SentFeedback | undefined;
}

const answeredBefore = "This question was answered already.";
const answeredMeanwhile = "This question was answered meanwhile, or waits no more. Your answer was not sent.";

const leftMeanwhile = "This thread does not stand at that breakpoint any more.";

/** Sends each answer once, to the question or the feedback key that it is meant for. */
export class Answers {
  readonly #parts: AnswersParts;
  /** Who runs the thread, as far as it says so itself. */
  #assistantId: string | undefined;
  /** As they were read last. */
  #runs: readonly Run[] = [];
  /** The answer that was sent last, until the server took it or not. */
  #sent: Promise<unknown> = Promise.resolve();

  constructor(parts: AnswersParts) {
    this.#parts = parts;
  }

  /** Answers an interrupt with one decision per action request. */
  async decide(interruptId: string, decisions: readonly Decision[]): Promise<RequestOutcome> {
    const requests = this.#parts.fold.interrupts.get(interruptId)?.requests ?? [];
    const problem = decisionProblem(requests, decisions);
    return problem === undefined ? this.resume(interruptId, resumeValue(decisions)) : refused(problem);
  }

  /**
   * Answers the only action of a question that was read elsewhere, such as in a list; the thread is read anew, and not
   * waited for what its runs streamed.
   */
  async decideOnly({ interruptId, request }: AskedAction, decision: Decision): Promise<RequestOutcome> {
    const { fold } = this.#parts;
    const refusal = await this.#read();
    if (refusal !== undefined) return refusal;
    const open = fold.interrupts.open();
    const asked = open.find(
      ({ id, requests }) =>
        (interruptId === undefined ? open.length === 1 : fold.interrupts.serverId(id) === interruptId) &&
        sameRequests(requests, [request]),
    );
    if (asked === undefined) return refused(answeredMeanwhile);
    const problem = decisionProblem(asked.requests, [decision]);
    return problem === undefined ? this.#send(asked, resumeValue([decision])) : refused(problem);
  }

  /** Answers an interrupt with any value, after a look whether it still waits. */
  async resume(interruptId: string, value: Json): Promise<RequestOutcome> {
    const { interrupts } = this.#parts.fold;
    const entry = interrupts.get(interruptId);
    if (entry === undefined || (entry.state !== "open" && entry.state !== "failed")) {
      return refused(answeredBefore);
    }
    interrupts.set(interruptId, "sending", wordsOf(entry, value));
    this.#parts.onChange();
    const refusal = await this.#read();
    if (refusal !== undefined) return this.#failed(interruptId, refusal.message);
    if (interrupts.get(interruptId)?.state !== "sending")
      return refused(entry.next === undefined ? answeredMeanwhile : leftMeanwhile);
    return this.#send(entry, value);
  }

  /** Goes on from the breakpoint that the thread stands at, which is read anew. */
  async continueOnly(): Promise<RequestOutcome> {
    const refusal = await this.#read();
    if (refusal !== undefined) return refusal;
    const stop = this.#parts.fold.interrupts.open().find(({ next }) => next !== undefined);
    return stop === undefined ? refused(leftMeanwhile) : this.#send(stop, null);
  }

  async #read(): Promise<Refusal | undefined> {
    try {
      const now = await this.#parts.readThread();
      if (now === undefined) return undefined;
      this.#assistantId = assistantIn(now, this.#parts.server);
      this.#runs = now.runs;
      return undefined;
    } catch (error) {
      return refused(this.#parts.describe(error).message);
    }
  }

  /** Sends the answer to its question, or goes on from the breakpoint. */
  async #send(entry: InterruptEntry, value: Json): Promise<RequestOutcome> {
    const { id, runId, next } = entry;
    const { fold, start, isRunning, onChange } = this.#parts;
    const { interrupts } = fold;
    const assistantId = fold.assistantOf(runId) ?? this.#assistantId;
    if (assistantId === undefined)
      return this.#failed(id, "It is not known which assistant asks; start a run to go on.");
    const words = wordsOf(entry, value);
    interrupts.set(id, "sending", words);
    onChange();
    const asking = this.#runs.find(({ run_id }) => run_id === runId) ?? this.#runs.at(-1);
    const body =
      next === undefined
        ? answering(assistantId, interrupts.serverId(id), value, asking)
        : continuing(assistantId, asking);
    // While the run of another answer goes on, this one waits for its end; if it came first, that one would be refused.
    const sent = this.#sent.then(() =>
      start({ ...body, ...(isRunning() && { multitask_strategy: "enqueue" }) }),
    );
    this.#sent = sent;
    const outcome = await sent;
    if (!outcome.accepted) return this.#failed(id, outcome.message);
    interrupts.set(id, "answered", words);
    onChange();
    return outcome;
  }

  #failed(interruptId: string, message: string): RequestOutcome {
    this.#parts.fold.interrupts.set(interruptId, "failed", message);
    this.#parts.onChange();
    return { accepted: false, message, shown: true };
  }

  /** Sends feedback for one key of a run; once that worked it is locked. */
  async feedback(runId: string, key: string, given: Feedback): Promise<RequestOutcome> {
    const { feedback: keys } = this.#parts.fold;
    const asked = keys.get(runId, key);
    if (asked === undefined) return refused("This run does not ask for that feedback.");
    const { url, state } = asked;
    if (state === "sent" || state === "sending") return refused("This feedback was given already.");
    keys.set(runId, { key, state: "sending", given });
    this.#parts.onChange();
    try {
      await this.#parts.submitFeedback(url, given, this.#parts.signal);
      keys.set(runId, { key, state: "sent", given });
      this.#parts.sentFeedback?.set(runId, key, given);
      return accepted;
    } catch (error) {
      const { message } = this.#parts.describe(error);
      keys.set(runId, { key, state: "failed", given, error: message });
      return { accepted: false, message, shown: true };
    } finally {
      this.#parts.onChange();
    }
  }
}

/** What a request that was not taken comes to. */
function refused(message: string): Refusal {
  return { accepted: false, message };
}

/** Where something was refused: its thread, unless there is none yet, and whether a run is known that may still go on. */
interface Asked {
  readonly what: "start" | "stop";
  readonly thread: SessionParts | undefined;
  readonly runs: boolean;
}

/** Why a server did not take a run, or did not stop one: it may be running already, or gone with its thread. */
export async function refusalOf(
  error: unknown,
  { describe }: Pick<SessionParts, "describe">,
  { what, thread, runs }: Asked,
): Promise<Refusal> {
  const status = statusOf(error);
  if (what === "start" && (status === 409 || (status === 422 && runs && mayBeConflict(error)))) {
    return refused(
      "The thread is running already. Wait until it is idle, or choose another strategy than “reject”.",
    );
  }
  // An error that says itself what to do keeps its words.
  const isPlain = status === 404 && !(error instanceof Error && "remedy" in error);
  if (isPlain && thread !== undefined && (await isGone(thread))) {
    return refused(
      "This thread is not on the server any more: it was deleted elsewhere. What is shown stays here; start a new thread to go on.",
    );
  }
  return refused(describe(error).message);
}

/** An error without a kind does not tell that from a request that is wrong. */
function mayBeConflict(error: unknown): boolean {
  return !(error instanceof Error && "kind" in error) || error.kind === "conflict";
}

/** Whether the thread itself is what a server did not find, and not something that was asked of it. */
async function isGone({ server, threadId, signal }: SessionParts): Promise<boolean> {
  try {
    await server.threads.state(threadId, { signal });
    return false;
  } catch (error) {
    return statusOf(error) === 404;
  }
}

/** The answer in words; to go on from a breakpoint needs none. */
function wordsOf({ next }: InterruptEntry, value: Json): string | undefined {
  return next === undefined ? answerText(value, undefined) : undefined;
}
