/** Runs that wait in one of their steps without end, until a restart of their server strands them and a copy goes on. */

import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { ThreadState } from "../../src/api/agentServer/wire.ts";
import { ApiError } from "../../src/api/errors.ts";
import { realClock } from "../../src/api/poll.ts";
import { copyStranded, planRescue } from "../../src/run/repair/continueInCopy.ts";
import { effectsText } from "../../src/run/repair/planText.ts";
import type { RunServer } from "../../src/run/session/server.ts";
import type { CheckedThread, StrandedRun } from "../../src/run/session/strandedRun.ts";
import { partly } from "./partly.ts";
import { until } from "./until.ts";
import { runToEnd } from "./runToEnd.ts";

/** A run that notes its executions under the name of a job. */
export interface NotedRun {
  readonly threadId: string;
  readonly job: string;
}

/** A run that waits in one of its steps. */
export interface Held extends NotedRun {
  readonly at: string;
}

/** A graph whose runs wait at the step that `hold_at` of their input names, at its first execution. */
export interface HoldingGraph {
  readonly assistantId: string;
  readonly steps: readonly string[];
  /** The steps that were executed in a thread and in the copy of it, in this order. */
  executed(run: NotedRun, copyId?: string): Promise<readonly string[]>;
}

/** Where the real server's graph notes its executions; the server finds the name in `EXECUTIONS`. */
export const executionsFile = join(tmpdir(), `agent-operations-executions-${process.pid}.txt`);

/** The real server's graph: its notes outlive the server. */
export const heldGraph: HoldingGraph = {
  assistantId: "held",
  steps: ["first", "second", "third", "last"],
  executed: async ({ job }) => {
    const lines = (await readFile(executionsFile, "utf8").catch(() => "")).split("\n");
    return lines.filter((line) => line.startsWith(`${job} `)).map((line) => line.slice(job.length + 1));
  },
};

const { signal } = new AbortController();

/** What is known of the server that it was stranded on. */
export interface RescueOptions {
  /** When the process began that answers now, as is known of a server that was started here. */
  readonly serverBeganAt?: number | undefined;
  /** Whether it copies threads. */
  readonly canCopy?: boolean;
}

/** A copy in which a run went on. */
export interface RescuedRun {
  readonly copyId: string;
  readonly sign: StrandedRun["sign"];
  readonly effects: string;
  /** The states of the thread before, the newest first. */
  readonly before: readonly ThreadState[];
}

/** The held runs of one server. */
export class HeldRuns {
  readonly #api: AgentServer;
  readonly #graph: HoldingGraph;
  readonly #listenMs: number;
  #jobs = 0;

  constructor(api: AgentServer, graph: HoldingGraph, listenMs: number) {
    this.#api = api;
    this.#graph = graph;
    this.#listenMs = listenMs;
  }

  /** A name under which a run notes its executions. */
  nextJob(): string {
    return `job${(this.#jobs += 1)}`;
  }

  async hold(at: string, resumable = true): Promise<Held> {
    const job = this.nextJob();
    const { thread_id: threadId } = await this.#api.threads.create({ metadata: { title: job } });
    const input = { messages: [{ role: "user", content: "go" }], job, hold_at: at };
    const { assistantId } = this.#graph;
    await this.#api.runs.create(threadId, { assistant_id: assistantId, input, stream_resumable: resumable });
    const held = { threadId, job, at };
    await this.waits(held);
    return held;
  }

  /** Resolves when a run waits at its step. */
  async waits(held: Held): Promise<void> {
    await until(
      `${held.job} waits at ${held.at}`,
      async () => (await this.#graph.executed(held)).at(-1) === held.at,
    );
  }

  threadOf(threadId: string, { serverBeganAt, canCopy = true }: RescueOptions = {}): CheckedThread {
    const { threads, runs, assistants } = this.#api;
    const began = serverBeganAt === undefined ? undefined : { at: serverBeganAt };
    const process = { began: () => began, keepsEvents: () => this.#api.keepsEvents() };
    const known: RunServer = {
      threads: canCopy ? threads : withoutCopy(threads),
      ...{ runs, assistants, process },
    };
    return { server: known, threadId, signal, clock: realClock };
  }

  /** Goes on with it in a copy, to its end. */
  async rescue({ threadId }: Held, options: RescueOptions = {}): Promise<RescuedRun> {
    const before = await this.#api.threads.history(threadId, { limit: 100 });
    const thread = this.threadOf(threadId, options);
    const planned = await planRescue(thread, this.#listenMs);
    if (planned.plan === undefined) throw new Error(planned.why);
    const { threadId: copyId, run, said } = await copyStranded(thread, planned, this.#listenMs);
    if (run === undefined) throw new Error(`nothing was to be run: ${said}`);
    await runToEnd(this.#api, copyId, run);
    return { copyId, sign: planned.stranded.sign, effects: effectsText(planned.plan.effects), before };
  }

  /** What a copy lacks of its thread, or did twice; none where all is well. */
  async losses(held: Held, { copyId, before }: RescuedRun): Promise<readonly string[]> {
    const { job, at } = held;
    const { steps } = this.#graph;
    const place = steps.indexOf(at);
    const [executed, states] = await Promise.all([
      this.#graph.executed(held, copyId),
      this.#api.threads.history(copyId, { limit: 100 }),
    ]);
    const messages = states[0]!.values["messages"] as readonly { readonly content: string }[];
    // What a tool answered is no word of a step.
    const said = messages.map(({ content }) => content).filter((content) => !content.startsWith("Charged"));
    const kept = (all: readonly ThreadState[]) =>
      all
        .filter(({ metadata }) => metadata?.["source"] !== "input")
        .map(({ values, next }) => ({ values, next }))
        .reverse();
    const wanted = [...steps.slice(0, place + 1), ...steps.slice(place)];
    return [
      ...(isDeepStrictEqual(executed, wanted) ? [] : [`${job} executed ${executed.join(" ")}`]),
      ...(isDeepStrictEqual(said, ["go", ...steps.map((step) => `${step}: done`)])
        ? []
        : [`${job} says ${said.join(", ")}`]),
      ...kept(before).flatMap((state, index) =>
        isDeepStrictEqual(kept(states)[index], state) ? [] : [`${job} differs at state ${String(index)}`],
      ),
    ];
  }
}

/** Threads of a server that has no way to copy them. */
function withoutCopy(threads: AgentServer["threads"]): RunServer["threads"] {
  const copy = (threadId: string): Promise<never> =>
    Promise.reject(
      new ApiError("notFound", {
        method: "POST",
        url: `https://agents.test/threads/${threadId}/copy`,
        status: 404,
      }),
    );
  return partly(threads, { copy });
}
