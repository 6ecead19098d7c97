import type { Agent } from "./agent.ts";
import type { FeedbackTokens } from "../access/feedbackTokens.ts";
import { HttpError } from "../kit/httpError.ts";
import { uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Store } from "../store/store.ts";
import { type Checkpoint, interruptsByTask, pendingInterrupts, unfinished } from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { NodeFailure } from "./executor.ts";
import type { RunLogs } from "./runLogs.ts";
import { executeRun } from "./runner.ts";
import type { MultitaskStrategy, Run, RunKwargs, Runs, RunStatus } from "./runs.ts";
import type { Threads, ThreadStatus } from "./threads.ts";
import { type Outcome, type StopReason, type ThreadStreams, Ticket } from "./ticket.ts";
import { notifyCompletion } from "./webhook.ts";

/** The parts of the platform that running agents needs. */
export interface Engine {
  readonly store: Store;
  readonly threads: Threads;
  readonly runs: Runs;
  readonly checkpoints: Checkpoints;
  readonly logs: RunLogs;
  readonly protocolStreams: ThreadStreams;
  readonly feedbackTokens: FeedbackTokens;
  /** The agent that an assistant's id or name means on a deployment, or else on any. */
  readonly findAgent: (assistantId: string, deploymentId?: string) => Agent | undefined;
}

/** A run that a client asked for. */
export interface RunOrder {
  readonly deploymentId: string;
  readonly threadId: string;
  readonly assistantId: string;
  readonly agent: Agent;
  readonly kwargs: RunKwargs;
  readonly metadata: JsonObject;
  readonly strategy: MultitaskStrategy;
  readonly afterSeconds: number;
}

const lostRun = "The Local Platform stopped while this run was in progress.";

/** Decides which run of a thread goes when. One run at a time per thread; threads do not wait for each other. */
export class Scheduler {
  readonly #engine: Engine;
  readonly #tickets = new Map<string, Ticket>();
  /** By thread: the run in progress first, then those that wait. */
  readonly #queues = new Map<string, Ticket[]>();
  /** The work on each run in progress. */
  readonly #started = new Map<Ticket, Promise<void>>();
  #closing = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The run, if it is not over. */
  ticket(runId: string): Ticket | undefined {
    return this.#tickets.get(runId);
  }

  isBusy(threadId: string): boolean {
    return this.#queues.has(threadId);
  }

  /** Takes a run in, after doing to the thread's other runs what its strategy says. */
  create(order: RunOrder): Ticket {
    const others = this.#queues.get(order.threadId) ?? [];
    if (others.length > 0 && order.strategy === "reject") {
      throw new HttpError(
        409,
        "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.",
      );
    }
    const now = Date.now();
    const startsAt = now + order.afterSeconds * 1000;
    const run: Run = {
      run_id: uuid7(),
      thread_id: order.threadId,
      assistant_id: order.assistantId,
      // As agent servers tell it: a run that starts later is created later.
      created_at: new Date(startsAt).toISOString(),
      updated_at: new Date(now).toISOString(),
      status: "pending",
      metadata: order.metadata,
      kwargs: order.kwargs,
      multitask_strategy: order.strategy,
      error: null,
    };
    this.#engine.runs.insert(order.deploymentId, run);
    this.#engine.threads.setStatus(order.threadId, "busy");
    const ticket = this.#enqueue(order.deploymentId, run, order.agent, startsAt);
    if (order.strategy === "interrupt" || order.strategy === "rollback") {
      for (const other of [...others]) if (other !== ticket) this.stop(other, order.strategy);
    }
    this.#pump(order.threadId);
    return ticket;
  }

  /**
   * Stops a run: one that waits at once, one in progress as soon as its step notices. Nothing happens to one that is
   * over, or that no client can stop any more because everything is going down.
   */
  stop(ticket: Ticket, reason: StopReason): void {
    if (this.#tickets.get(ticket.run.run_id) !== ticket) return;
    if (ticket.reason === "shutdown" && reason !== "delete") return;
    ticket.stop(reason);
    if (this.#started.has(ticket)) return;
    this.#settleStopped(ticket, reason);
    this.#leave(ticket);
  }

  /** Stops every run of a thread and resolves when none is left. */
  async stopAll(threadId: string): Promise<void> {
    const tickets = [...(this.#queues.get(threadId) ?? [])];
    for (const ticket of tickets.reverse()) this.stop(ticket, "delete");
    for (const ticket of tickets) await this.#started.get(ticket);
  }

  /**
   * Stops everything; the runs in progress stay unfinished in the store, as if the process had been killed, and
   * their readers get no end event.
   */
  async shutdown(): Promise<void> {
    this.#closing = true;
    for (const ticket of this.#tickets.values()) ticket.stop("shutdown");
    await Promise.all(this.#started.values());
    this.#engine.logs.flush();
  }

  /** Takes up what an earlier process left: runs in progress have failed, waiting ones go on waiting. */
  recover(): void {
    for (const { deploymentId, run } of this.#engine.runs.unfinished()) {
      const agent = this.#engine.findAgent(run.assistant_id, deploymentId);
      if (run.status === "pending" && agent !== undefined) {
        this.#enqueue(deploymentId, run, agent, Date.parse(run.created_at));
      } else if (run.kwargs.temporary) {
        this.#deleteTemporary(run.thread_id);
      } else {
        this.#engine.runs.setStatus(run.run_id, "error", lostRun);
        if (run.kwargs.resumable) {
          const error = JSON.stringify({ error: "RunLost", message: lostRun });
          this.#engine.logs.endLost(run.run_id, "error", error);
        }
        this.#engine.protocolStreams.lost(run.thread_id, agent?.name ?? run.assistant_id, lostRun);
        this.#storeThread(run.thread_id, this.#engine.checkpoints.head(run.thread_id), "error");
      }
    }
    for (const threadId of [...this.#queues.keys()]) this.#pump(threadId);
  }

  /** Where a thread stands by its newest checkpoint. */
  restoreThread(threadId: string, leaving?: Ticket): void {
    const head = this.#engine.checkpoints.head(threadId);
    const waits = head !== undefined && pendingInterrupts(head).length > 0;
    this.#storeThread(threadId, head, waits ? "interrupted" : "idle", leaving);
  }

  #enqueue(deploymentId: string, run: Run, agent: Agent, notBefore: number): Ticket {
    const log = this.#engine.logs.start(run.run_id, run.kwargs.resumable);
    const ticket = new Ticket(deploymentId, run, agent, log, notBefore);
    this.#tickets.set(run.run_id, ticket);
    const queue = this.#queues.get(run.thread_id);
    if (queue === undefined) this.#queues.set(run.thread_id, [ticket]);
    else queue.push(ticket);
    return ticket;
  }

  #pump(threadId: string): void {
    const queue = this.#queues.get(threadId) ?? [];
    if (this.#closing || queue.some((ticket) => this.#started.has(ticket))) return;
    const now = Date.now();
    const due = queue.find(({ notBefore }) => notBefore <= now);
    if (due !== undefined) {
      const work = this.#work(due).catch((error: unknown) => {
        console.error(`Run ${due.run.run_id} could not be finished:`, error);
      });
      this.#started.set(due, work);
    } else if (queue.length > 0) {
      const soonest = Math.min(...queue.map(({ notBefore }) => notBefore));
      setTimeout(() => this.#pump(threadId), Math.min(soonest - now, 2 ** 31 - 1)).unref();
    }
  }

  async #work(ticket: Ticket): Promise<void> {
    const { run, deploymentId } = ticket;
    this.#engine.runs.setStatus(run.run_id, "running");
    const followed = this.#engine.protocolStreams.follow(run, ticket.agent.name);
    let outcome: Outcome;
    try {
      const last = await executeRun(this.#engine.checkpoints, ticket, followed);
      const head = last ?? this.#engine.checkpoints.head(run.thread_id);
      outcome = this.#succeed(ticket, head);
    } catch (error) {
      const { reason } = ticket;
      if (reason === "shutdown") return;
      outcome = reason === undefined ? this.#fail(ticket, error) : this.#settleStopped(ticket, reason);
    }
    followed?.end(outcome);
    this.#leave(ticket, outcome);
    if (run.kwargs.webhook !== null && ticket.reason === undefined) {
      void notifyCompletion(
        run.kwargs.webhook,
        this.#engine.runs.find(deploymentId, run.run_id) ?? run,
        outcome,
      );
    }
  }

  #succeed(ticket: Ticket, head: Checkpoint | undefined): Outcome {
    const { run, log } = ticket;
    this.#engine.runs.setStatus(run.run_id, "success");
    const waits = head !== undefined && unfinished(head).length > 0;
    this.#storeThread(run.thread_id, head, waits ? "interrupted" : "idle", ticket);
    if (run.kwargs.feedback_keys.length > 0) {
      const urls = this.#engine.feedbackTokens.createAll(run.run_id, run.kwargs.feedback_keys);
      log.append("feedback", JSON.stringify(urls));
    }
    return outcomeOf("success", head);
  }

  #fail(ticket: Ticket, thrown: unknown): Outcome {
    const { run, log } = ticket;
    const error = thrown instanceof NodeFailure ? thrown.cause : thrown;
    const body = {
      error: error instanceof Error ? error.name : "Error",
      message: error instanceof Error ? error.message : String(error),
    };
    const head = this.#engine.checkpoints.head(run.thread_id);
    this.#engine.runs.setStatus(run.run_id, "error", body.message);
    this.#storeThread(run.thread_id, head, "error", ticket);
    log.append("error", JSON.stringify(body));
    return { ...outcomeOf("error", head), error: body };
  }

  /** What remains of a run that was stopped from outside. */
  #settleStopped(ticket: Ticket, reason: StopReason): Outcome {
    const { run, log } = ticket;
    const { runs, checkpoints } = this.#engine;
    switch (reason) {
      case "interrupt":
        runs.setStatus(run.run_id, "interrupted");
        this.restoreThread(run.thread_id, ticket);
        break;
      case "rollback": {
        const message = "The run was rolled back: it and its checkpoints were deleted.";
        log.append("error", JSON.stringify({ error: "RunRolledBack", message }));
        checkpoints.deleteOfRun(run.thread_id, run.run_id);
        runs.delete(run.run_id);
        this.restoreThread(run.thread_id, ticket);
        break;
      }
      case "delete":
        break;
      default:
        reason satisfies never;
    }
    return outcomeOf("interrupted", checkpoints.head(run.thread_id));
  }

  #leave(ticket: Ticket, outcome: Outcome = outcomeOf("interrupted", undefined)): void {
    const { run, log } = ticket;
    const queue = (this.#queues.get(run.thread_id) ?? []).filter((other) => other !== ticket);
    if (queue.length > 0) this.#queues.set(run.thread_id, queue);
    else this.#queues.delete(run.thread_id);
    this.#started.delete(ticket);
    this.#tickets.delete(run.run_id);
    this.#engine.logs.end(log);
    if (ticket.reason === "rollback" || ticket.reason === "delete") this.#engine.logs.delete(run.run_id);
    if (run.kwargs.temporary) this.#deleteTemporary(run.thread_id);
    ticket.finish(outcome);
    this.#pump(run.thread_id);
  }

  #deleteTemporary(threadId: string): void {
    this.#engine.threads.delete(threadId);
    this.#engine.checkpoints.deleteOfThread(threadId);
    for (const runId of this.#engine.runs.deleteOfThread(threadId)) this.#engine.logs.delete(runId);
  }

  /** `leaving` is the run after which this is stored: it no longer counts as one that keeps the thread busy. */
  #storeThread(threadId: string, head: Checkpoint | undefined, status: ThreadStatus, leaving?: Ticket): void {
    const queue = this.#queues.get(threadId) ?? [];
    const busy = queue.some((ticket) => ticket !== leaving && ticket.reason === undefined);
    const interrupts = head === undefined ? {} : interruptsByTask(head);
    this.#engine.threads.setState(threadId, busy ? "busy" : status, head?.values ?? null, interrupts);
  }
}

function outcomeOf(status: RunStatus, head: Checkpoint | undefined): Outcome {
  const interrupts = head === undefined ? [] : pendingInterrupts(head);
  return { status, values: head?.values ?? null, interrupts, error: null };
}
