import type { Agent } from "./agent.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { JsonObject } from "../kit/json.ts";
import type { GraphEvent } from "./graphEvent.ts";
import type { RunLog } from "./runLog.ts";
import type { Run, RunStatus } from "./runs.ts";
import type { ThreadStatus } from "./threads.ts";

/** Why a client stops a run. */
export type StopReason = "interrupt" | "rollback" | "delete";

/** Why a run that is not over is left by all: the process shuts down, or a test asked for a stranded run. */
type LeftReason = "shutdown" | "stranded";

/** How a run ended: what a caller that waited for it receives. */
export interface Outcome {
  readonly status: RunStatus;
  readonly values: JsonObject | null;
  readonly interrupts: readonly unknown[];
  readonly error: { readonly error: string; readonly message: string } | null;
}

/** A run as the clients of its thread's protocol stream follow it. */
export interface FollowedRun {
  project(event: GraphEvent): void;
  /** Waits while the readers are far behind. */
  room(signal: AbortSignal): Promise<void>;
  end(outcome: Outcome): void;
}

/** The protocol streams of threads, as far as running agents concerns them. */
export interface ThreadStreams {
  /** Undefined when no client uses the protocol on the run's thread. */
  follow(run: Run, graphName: string): FollowedRun | undefined;
  /** A run was lost with the process that it ran in. */
  lost(threadId: string, graphName: string, error: string): void;
  delete(threadId: string): void;
}

/** A run that is not over: waiting in its thread's queue, or running. */
export class Ticket {
  readonly deploymentId: string;
  readonly run: Run;
  readonly agent: Agent;
  readonly log: RunLog;
  /** Epoch milliseconds before which it does not start. */
  readonly notBefore: number;
  /** What its thread's status was when it began. */
  statusBefore: ThreadStatus | undefined;
  /** The earlier run's checkpoint from which it goes on, as that was: how its steps end is stored there. */
  goesOnFrom: Checkpoint | undefined;
  readonly #controller = new AbortController();
  readonly #done = Promise.withResolvers<Outcome>();
  #reason: StopReason | LeftReason | undefined;

  constructor(deploymentId: string, run: Run, agent: Agent, log: RunLog, notBefore: number) {
    this.deploymentId = deploymentId;
    this.run = run;
    this.agent = agent;
    this.log = log;
    this.notBefore = notBefore;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it was stopped from outside, if it was. */
  get reason(): StopReason | LeftReason | undefined {
    return this.#reason;
  }

  /** Resolves when the run is over and stored; never when it was left in the middle. */
  get done(): Promise<Outcome> {
    return this.#done.promise;
  }

  stop(reason: StopReason | LeftReason): void {
    this.#reason ??= reason;
    this.#controller.abort(new Error(`The run was stopped (${reason}).`));
  }

  finish(outcome: Outcome): void {
    this.#done.resolve(outcome);
  }
}
