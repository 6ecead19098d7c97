/** Two steps side by side, one of which fails as often as it is told to; counts how often each was executed. */

import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  job: Annotation<string>,
  fail_times: Annotation<number | undefined>,
  done: Annotation<readonly string[]>({
    reducer: (before, added) => [...before, ...added],
    default: () => [],
  }),
});

/** Executions by job and step, for as long as the server runs. */
const executed = new Map<string, number>();

const step = (name: string, failing = false) => {
  return async ({ job, fail_times = 0 }: typeof State.State) => {
    // What fails, fails after the step beside it was done.
    if (failing) await new Promise((passed) => setTimeout(passed, 100));
    const times = (executed.get(`${job} ${name}`) ?? 0) + 1;
    executed.set(`${job} ${name}`, times);
    if (failing && times <= fail_times) throw new Error(`${name} failed, time ${times}.`);
    return { done: [`${name} ${times}`] };
  };
};

export const graph = new StateGraph(State)
  .addNode("begin", step("begin"))
  .addNode("left", step("left"))
  .addNode("right", step("right", true))
  .addNode("join", step("join"))
  .addEdge(START, "begin")
  .addEdge("begin", "left")
  .addEdge("begin", "right")
  .addEdge(["left", "right"], "join")
  .addEdge("join", END)
  .compile();
