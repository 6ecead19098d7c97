/**
 * Gives each job to a worker of its own, all at once: a subgraph that digs as many rounds as its job says, may ask a
 * person, and ends long before or after the others. The state is structured, and messages are only part of it.
 */

import { setTimeout as delay } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import {
  Annotation,
  END,
  interrupt,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";

interface Job {
  readonly name: string;
  readonly rounds: number;
  /** What it asks before it reports. */
  readonly asks?: string;
}

interface Report {
  readonly job: string;
  readonly finds: readonly string[];
  readonly said: unknown;
}

const shared = {
  ...MessagesAnnotation.spec,
  reports: Annotation<readonly Report[]>({
    reducer: (before, added) => [...before, ...added],
    default: () => [],
  }),
};
const State = Annotation.Root({
  ...shared,
  jobs: Annotation<readonly Job[]>,
  summary: Annotation<Readonly<Record<string, number>>>,
});
const Work = Annotation.Root({
  ...shared,
  job: Annotation<Job>,
  finds: Annotation<readonly string[]>,
  said: Annotation<unknown>,
});

const worker = new StateGraph(Work)
  .addNode("dig", async ({ job, finds = [] }) => {
    await delay(10);
    return { finds: [...finds, `${job.name}: find ${finds.length + 1}\nof ${job.rounds}`] };
  })
  .addNode("ask", ({ job }) => ({ said: interrupt({ question: job.asks, about: { job: job.name } }) }))
  .addNode("report", ({ job, finds = [], said = null }) => ({
    reports: [{ job: job.name, finds, said }],
    messages: [new AIMessage(`**${job.name}** found ${finds.length}.`)],
  }))
  .addEdge(START, "dig")
  .addConditionalEdges("dig", ({ job, finds }) =>
    finds.length < job.rounds ? "dig" : job.asks === undefined ? "report" : "ask",
  )
  .addEdge("ask", "report")
  .addEdge("report", END)
  .compile();

export const graph = new StateGraph(State)
  .addNode("plan", ({ jobs }) => ({ jobs: jobs.toSorted((a, b) => b.rounds - a.rounds) }))
  .addNode("worker", worker)
  .addNode("join", ({ reports }) => ({
    summary: Object.fromEntries(reports.map(({ job, finds }) => [job, finds.length])),
  }))
  .addEdge(START, "plan")
  .addConditionalEdges("plan", ({ jobs }) =>
    jobs.map((job) => new Send("worker", { job, finds: [], messages: [], reports: [] })),
  )
  .addEdge("worker", "join")
  .addEdge("join", END)
  .compile();
