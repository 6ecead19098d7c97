/** Plans a task, works on it and reviews it; needs no model. */

import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { countWords } from "./words.mts";

const State = Annotation.Root({
  task: Annotation<string>,
  steps: Annotation<string[]>,
  total: Annotation<number>,
});

function plan(state: typeof State.State) {
  const steps = [`read ${state.task}`, `do ${state.task}`];
  return { steps };
}

async function work({ task, steps }: typeof State.State) {
  await new Promise((done) => setTimeout(done, 10));
  const total = countWords(task) + steps.length;
  return { total };
}

export const graph = new StateGraph(State)
  .addNode("plan", plan)
  .addNode("work", work)
  .addNode("review", (state) => ({ steps: [...state.steps, "reviewed"] }))
  .addEdge(START, "plan")
  .addEdge("plan", "work")
  .addEdge("work", "review")
  .addEdge("review", END)
  .compile();
