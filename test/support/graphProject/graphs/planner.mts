/** Plans a task, works on it and reviews it; needs no model. */
import { END, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";
import { countWords } from "./words.mts";

const State = z.object({
  task: z.string(),
  steps: z.array(z.string()),
  total: z.number(),
});

function plan(state: z.infer<typeof State>) {
  const steps = [`read ${state.task}`, `do ${state.task}`];
  return { steps };
}

async function work({ task, steps }: z.infer<typeof State>) {
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
