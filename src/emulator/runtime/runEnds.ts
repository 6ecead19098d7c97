import type { FeedbackTokens } from "../access/feedbackTokens.ts";
import type { Store } from "../store/store.ts";
import { type Checkpoint, interruptsByTask, pendingInterrupts } from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type Ending, NodeFailure } from "./executor.ts";
import { post } from "../kit/webhookPost.ts";
import type { Run, Runs, RunStatus } from "./runs.ts";
import type { Threads, ThreadStatus } from "./threads.ts";
import type { Outcome, StopReason, Ticket } from "./ticket.ts";

/** The parts of the platform that know how runs end. */
export interface EndingParts {
  readonly store: Store;
  readonly threads: Threads;
  readonly runs: Runs;
  readonly checkpoints: Checkpoints;
  readonly feedbackTokens: FeedbackTokens;
}

/**
 * Stores how runs end and where that leaves their threads. What belongs to one end is stored as a whole or, when the
 * store fails, not at all, and then it can be stored again.
 */
export class RunEnds {
  readonly #parts: EndingParts;
  readonly #isBusy: (threadId: string, leaving: Ticket | undefined) => boolean;
  /** Of each busy thread the status that it would have if its other runs were not there. */
  readonly #before = new Map<string, ThreadStatus>();

  /** `isBusy`: whether a run other than `leaving`, which ends, keeps the thread busy. */
  constructor(parts: EndingParts, isBusy: (threadId: string, leaving: Ticket | undefined) => boolean) {
    this.#parts = parts;
    this.#isBusy = isBusy;
  }

  /** A thread becomes busy. */
  busy(threadId: string, before: ThreadStatus): void {
    this.#before.set(threadId, before);
  }

  /** A thread is no longer busy. */
  free(threadId: string): void {
    this.#before.delete(threadId);
  }

  /** A run begins: how its thread stands by then is where a rollback brings it back to. */
  begins(ticket: Ticket): void {
    ticket.statusBefore = this.#before.get(ticket.run.thread_id);
  }

  /** A run came to its end, or to where it waits; `ending` is undefined when there was nothing to resume. */
  succeeded(ticket: Ticket, ending: Ending | undefined): Outcome {
    const { run, log } = ticket;
    const { checkpoints, runs, feedbackTokens, store } = this.#parts;
    const head = ending?.checkpoint ?? checkpoints.head(run.thread_id);
    const waits = ending?.stopped === true;
    const keys = run.kwargs.feedback_keys;
    const urls = store.atomically(() => {
      runs.setStatus(run.run_id, "success");
      this.storeThread(run.thread_id, head, waits ? "interrupted" : "idle", ticket);
      return keys.length === 0 ? undefined : feedbackTokens.createAll(run.run_id, keys);
    });
    if (urls !== undefined) log.append("feedback", JSON.stringify(urls));
    return outcomeOf("success", head);
  }

  failed(ticket: Ticket, thrown: unknown): Outcome {
    const { run, log } = ticket;
    const error = thrown instanceof NodeFailure ? thrown.cause : thrown;
    const body = {
      error: error instanceof Error ? error.name : "Error",
      message: error instanceof Error ? error.message : String(error),
    };
    const head = this.#parts.checkpoints.head(run.thread_id);
    this.#parts.store.atomically(() => {
      this.#parts.runs.setStatus(run.run_id, "error", body.message);
      this.storeThread(run.thread_id, head, "error", ticket);
    });
    log.append("error", JSON.stringify(body));
    return { ...outcomeOf("error", head), error: body };
  }

  /** What remains of a run that was stopped from outside. */
  stopped(ticket: Ticket, reason: StopReason): Outcome {
    const { run, log } = ticket;
    const { runs, checkpoints, store } = this.#parts;
    switch (reason) {
      case "interrupt":
        store.atomically(() => {
          runs.setStatus(run.run_id, "interrupted");
          this.restoreThread(run.thread_id, ticket);
        });
        break;
      case "rollback": {
        store.atomically(() => {
          checkpoints.deleteOfRun(run.thread_id, run.run_id);
          if (ticket.goesOnFrom !== undefined) checkpoints.updateTasks(ticket.goesOnFrom);
          runs.delete(run.run_id);
          const before = ticket.statusBefore ?? this.#before.get(run.thread_id);
          this.restoreThread(run.thread_id, ticket, before);
        });
        const message = "The run was rolled back: it and its checkpoints were deleted.";
        log.append("error", JSON.stringify({ error: "RunRolledBack", message }));
        break;
      }
      case "delete":
        break;
      default:
        reason satisfies never;
    }
    return outcomeOf("interrupted", checkpoints.head(run.thread_id));
  }

  /** Where a thread stands by its newest checkpoint, and by the status that it had, where that is known. */
  restoreThread(threadId: string, leaving?: Ticket, before?: ThreadStatus): void {
    const head = this.#parts.checkpoints.head(threadId);
    const waits = head !== undefined && pendingInterrupts(head).length > 0;
    this.storeThread(threadId, head, before ?? (waits ? "interrupted" : "idle"), leaving);
  }

  /** `leaving` is the run after which this is stored: it no longer counts as one that keeps the thread busy. */
  storeThread(threadId: string, head: Checkpoint | undefined, status: ThreadStatus, leaving?: Ticket): void {
    const isBusy = this.#isBusy(threadId, leaving);
    if (isBusy) this.#before.set(threadId, status);
    const interrupts = head === undefined ? {} : interruptsByTask(head);
    this.#parts.threads.setState(threadId, isBusy ? "busy" : status, head?.values ?? null, interrupts);
  }
}

/** What a caller who waited for a run receives; without a checkpoint there is no state. */
export function outcomeOf(status: RunStatus, head: Checkpoint | undefined): Outcome {
  const interrupts = head === undefined ? [] : pendingInterrupts(head);
  return { status, values: head?.values ?? null, interrupts, error: null };
}

/** A webhook may have the same addresses as subscribers of issues. */
const rules = { allowPrivate: false };

/** Posts the outcome of a run to the URL that it named as its `webhook`: once, without a retry or a redirect. */
export async function notifyCompletion(url: string, run: Run, outcome: Outcome): Promise<void> {
  const body = {
    ...run,
    status: outcome.status,
    run_started_at: run.created_at,
    run_ended_at: run.updated_at,
    webhook_sent_at: new Date().toISOString(),
    values: outcome.values,
    error: outcome.error?.message,
  };
  try {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { "content-type": "application/json", "content-length": String(bytes.length) };
    await post(url, { headers, body: bytes, rules, signal: AbortSignal.timeout(5000) });
  } catch (error) {
    console.error(`The webhook of run ${run.run_id} could not be delivered:`, error);
  }
}
