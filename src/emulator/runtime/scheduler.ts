import { setTimeout } from "node:timers/promises";
import type { Agent } from "./agent.ts";
import { HttpError } from "../kit/httpError.ts";
import { uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { RunLogs } from "./runLogs.ts";
import { type EndingParts, notifyCompletion, outcomeOf, RunEnds } from "./runEnds.ts";
import { executeRun } from "./runner.ts";
import type { MultitaskStrategy, Run, RunKwargs } from "./runs.ts";
import { type FollowedRun, type Outcome, type StopReason, type ThreadStreams, Ticket } from "./ticket.ts";

/** The parts of the platform that running agents needs. */
export interface Engine extends EndingParts {
  readonly logs: RunLogs;
  readonly protocolStreams: ThreadStreams;
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
  readonly #ends: RunEnds;
  readonly #tickets = new Map<string, Ticket>();
  /** By thread: the run in progress first, then those that wait. */
  readonly #queues = new Map<string, Ticket[]>();
  /** The work on each run in progress. */
  readonly #started = new Map<Ticket, Promise<void>>();
  /** The threads that are being deleted. */
  readonly #removals = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#ends = new RunEnds(engine, (threadId, leaving) =>
      (this.#queues.get(threadId) ?? []).some((ticket) => ticket !== leaving && ticket.reason === undefined),
    );
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
    if (this.#removals.has(order.threadId)) {
      throw new HttpError(404, `Thread with ID ${order.threadId} not found`);
    }
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
    const status = this.#engine.threads.get(order.deploymentId, order.threadId)?.status;
    if (status !== undefined && status !== "busy") this.#ends.busy(order.threadId, status);
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
   * over, or that no client can stop any more: it was stranded, or everything is going down.
   */
  stop(ticket: Ticket, reason: StopReason): void {
    if (this.#tickets.get(ticket.run.run_id) !== ticket) return;
    const isStranded = ticket.reason === "stranded";
    if ((isStranded || ticket.reason === "shutdown") && reason !== "delete") return;
    ticket.stop(reason);
    if (this.#started.has(ticket) && !isStranded) return;
    this.#ends.stopped(ticket, reason);
    this.#leave(ticket);
  }

  /** Stops the thread's runs and deletes all there is of it. Until that is done, no run begins on it. */
  async removeThread(threadId: string): Promise<void> {
    const removal = this.#removals.get(threadId) ?? this.#removeThread(threadId);
    this.#removals.set(threadId, removal);
    await removal.finally(() => this.#removals.delete(threadId));
  }

  /**
   * Stops everything; the runs in progress stay unfinished in the store, as if the process had been killed, and
   * their readers get no end event.
   */
  async shutdown(): Promise<void> {
    this.#closing.abort();
    for (const ticket of this.#tickets.values()) ticket.stop("shutdown");
    await Promise.all(this.#started.values());
    this.#engine.logs.flush();
  }

  /**
   * Leaves runs in progress, of one thread or of all, as the restart of a development server does: they are listed as
   * running, their threads stay busy and their events are lost, but nobody carries them on. Answers which.
   */
  strand(threadId: string | undefined): Run[] {
    const left = [...this.#started.keys()].filter(
      ({ run, reason }) => reason === undefined && (threadId === undefined || run.thread_id === threadId),
    );
    for (const ticket of left) {
      ticket.stop("stranded");
      this.#engine.logs.lose(ticket.log);
    }
    return left.map(({ run }) => run);
  }

  /** Takes up what an earlier process left: runs in progress have failed, waiting ones go on waiting. */
  recover(): void {
    this.#engine.checkpoints.deleteLeft();
    for (const { deploymentId, run } of this.#engine.runs.unfinished()) {
      const agent = this.#engine.findAgent(run.assistant_id, deploymentId);
      if (run.status === "pending" && agent !== undefined) {
        this.#enqueue(deploymentId, run, agent, Date.parse(run.created_at));
      } else if (run.kwargs.temporary) {
        this.#deleteThread(run.thread_id);
      } else {
        this.#engine.runs.setStatus(run.run_id, "error", lostRun);
        if (run.kwargs.resumable) {
          const error = JSON.stringify({ error: "RunLost", message: lostRun });
          this.#engine.logs.endLost(run.run_id, "error", error);
        }
        this.#engine.protocolStreams.lost(run.thread_id, agent?.name ?? run.assistant_id, lostRun);
        this.#ends.storeThread(run.thread_id, this.#engine.checkpoints.head(run.thread_id), "error");
      }
    }
    for (const threadId of [...this.#queues.keys()]) this.#pump(threadId);
  }

  /** Where a thread stands by its newest checkpoint. */
  restoreThread(threadId: string): void {
    this.#ends.restoreThread(threadId);
  }

  async #removeThread(threadId: string): Promise<void> {
    const tickets = [...(this.#queues.get(threadId) ?? [])];
    for (const ticket of tickets.reverse()) this.stop(ticket, "delete");
    for (const ticket of tickets) await this.#started.get(ticket);
    this.#engine.store.atomically(() => {
      this.#engine.protocolStreams.delete(threadId);
      this.#deleteThread(threadId);
    });
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
    if (this.#closing.signal.aborted || queue.some((ticket) => this.#started.has(ticket))) return;
    const now = Date.now();
    const due = queue.find(({ notBefore }) => notBefore <= now);
    if (due !== undefined) {
      const work = this.#work(due).catch((error: unknown) => {
        console.error(`Run ${due.run.run_id} could not be finished:`, error);
      });
      this.#started.set(due, work);
    } else if (queue.length > 0) {
      const soonest = Math.min(...queue.map(({ notBefore }) => notBefore));
      const pauseMs = Math.min(soonest - now, 2 ** 31 - 1);
      void setTimeout(pauseMs, undefined, { ref: false }).then(() => this.#pump(threadId));
    }
  }

  async #work(ticket: Ticket): Promise<void> {
    const { run, deploymentId } = ticket;
    let followed: FollowedRun | undefined;
    let store: () => Outcome;
    try {
      this.#ends.begins(ticket);
      this.#engine.runs.setStatus(run.run_id, "running");
      followed = this.#engine.protocolStreams.follow(run, ticket.agent.name);
      const ending = await executeRun(this.#engine.checkpoints, ticket, followed);
      store = () => this.#ends.succeeded(ticket, ending);
    } catch (error) {
      const { reason } = ticket;
      if (reason === "shutdown" || reason === "stranded") return;
      store = () =>
        reason === undefined ? this.#ends.failed(ticket, error) : this.#ends.stopped(ticket, reason);
    }
    const outcome = await this.#stored(ticket, store);
    followed?.end(outcome);
    this.#leave(ticket, outcome);
    if (run.kwargs.webhook !== null && (ticket.reason === undefined || ticket.reason === "interrupt")) {
      void notifyCompletion(
        run.kwargs.webhook,
        this.#engine.runs.find(deploymentId, run.run_id) ?? run,
        outcome,
      );
    }
  }

  /** Stores how a run ended. A store that cannot be written is tried again: until then the thread is busy. */
  async #stored(ticket: Ticket, store: () => Outcome): Promise<Outcome> {
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 10_000)) {
      try {
        return store();
      } catch (error) {
        if (this.#closing.signal.aborted) throw error;
        console.error(`The end of run ${ticket.run.run_id} could not be stored:`, error);
        const pause = { ref: false, signal: this.#closing.signal };
        await setTimeout(pauseMs, undefined, pause).catch(() => undefined);
      }
    }
  }

  #leave(ticket: Ticket, outcome: Outcome = outcomeOf("interrupted", undefined)): void {
    const { run, log } = ticket;
    const queue = (this.#queues.get(run.thread_id) ?? []).filter((other) => other !== ticket);
    if (queue.length > 0) this.#queues.set(run.thread_id, queue);
    else {
      this.#queues.delete(run.thread_id);
      this.#ends.free(run.thread_id);
    }
    this.#started.delete(ticket);
    this.#tickets.delete(run.run_id);
    try {
      this.#engine.logs.end(log);
      if (ticket.reason === "rollback" || ticket.reason === "delete") this.#engine.logs.delete(run.run_id);
      if (run.kwargs.temporary) this.#deleteThread(run.thread_id);
    } catch (error) {
      console.error(`What run ${run.run_id} leaves behind could not be cleared away:`, error);
    }
    ticket.finish(outcome);
    this.#pump(run.thread_id);
  }

  #deleteThread(threadId: string): void {
    this.#engine.threads.delete(threadId);
    this.#engine.checkpoints.deleteOfThread(threadId);
    for (const runId of this.#engine.runs.deleteOfThread(threadId)) this.#engine.logs.delete(runId);
  }
}
