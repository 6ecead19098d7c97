/** A person's answers: to what a run asks, and about what a run did. */

import type { Json, RunCreate } from "../../api/agentServer/wire.ts";
import { answerText, decisionProblem, resumeValue } from "../fold/humanReview.ts";
import type { SentFeedback, SessionParts } from "./server.ts";
import type { Decision, Feedback } from "../panel/transcript.ts";

/** Whether a request was taken; `shown` when the transcript shows the refusal, so that nothing else needs to. */
export type Outcome =
  { readonly accepted: true } | { readonly accepted: false; readonly message: string; readonly shown?: true };

/** What a request that was taken comes to. */
export const accepted: Outcome = { accepted: true };

/** What answers are checked against, and how they are sent. */
export interface AnswersParts extends Pick<
  SessionParts,
  "server" | "fold" | "signal" | "onChange" | "describe"
> {
  /** Starts the run that goes on with an answer. */
  readonly start: (body: RunCreate) => Promise<Outcome>;
  /** Folds what the thread is now; rejects when it can't be read. */
  readonly readThread: () => Promise<unknown>;
  readonly submitFeedback: (url: string, feedback: Feedback, signal: AbortSignal) => Promise<void>;
  readonly sentFeedback?: SentFeedback | undefined;
}

const answeredMeanwhile = "This thread does not wait for that answer any more.";

/** Sends each answer once, to the question or the feedback key that it is meant for. */
export class Answers {
  readonly #parts: AnswersParts;

  constructor(parts: AnswersParts) {
    this.#parts = parts;
  }

  /** Answers an interrupt with one decision per action request. */
  async decide(interruptId: string, decisions: readonly Decision[]): Promise<Outcome> {
    const requests = this.#parts.fold.interrupts.get(interruptId)?.requests ?? [];
    const problem = decisionProblem(requests, decisions);
    return problem === undefined ? this.resume(interruptId, resumeValue(decisions)) : refused(problem);
  }

  /**
   * Answers the only question of the thread, read anew and without waiting for what its runs streamed; `serverId` is
   * the server's id of the interrupt, if it gave one.
   */
  async decideOnly(serverId: string | undefined, decision: Decision): Promise<Outcome> {
    try {
      await this.#parts.readThread();
    } catch (error) {
      return refused(this.#parts.describe(error).message);
    }
    const [only, ...others] = this.#parts.fold.interrupts.open();
    const same = serverId === undefined || only?.id === `interrupt:${serverId}`;
    if (only === undefined || others.length > 0 || !same) return refused(answeredMeanwhile);
    return this.decide(only.id, [decision]);
  }

  /** Answers an interrupt with any value. */
  async resume(interruptId: string, value: Json): Promise<Outcome> {
    const { interrupts } = this.#parts.fold;
    const entry = interrupts.get(interruptId);
    if (entry === undefined || (entry.state !== "open" && entry.state !== "failed")) {
      return refused("This question was answered already.");
    }
    const assistantId = this.#parts.fold.assistantOf(entry.runId) ?? this.#parts.server.soleAssistant;
    if (assistantId === undefined)
      return refused("It is not known which assistant asks; start a run to go on.");
    const serverId = interrupts.serverId(interruptId);
    const several = interrupts.open().length > 1 && serverId !== undefined;
    interrupts.set(interruptId, "sending", answerText(value, undefined));
    this.#parts.onChange();
    const resume = several ? { [serverId]: value } : value;
    const outcome = await this.#parts.start({ assistant_id: assistantId, command: { resume } });
    if (outcome.accepted) interrupts.set(interruptId, "answered", answerText(value, undefined));
    else interrupts.set(interruptId, "failed", outcome.message);
    this.#parts.onChange();
    return outcome.accepted ? outcome : { ...outcome, shown: true };
  }

  /** Sends feedback for one key of a run; once that worked it is locked. */
  async feedback(runId: string, key: string, given: Feedback): Promise<Outcome> {
    const { feedback: keys } = this.#parts.fold;
    const [url, state] = [keys.url(runId, key), keys.state(runId, key)];
    if (url === undefined || state === undefined) return refused("This run does not ask for that feedback.");
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
export function refused(message: string): Outcome {
  return { accepted: false, message };
}
