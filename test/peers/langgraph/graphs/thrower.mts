/** Works in one node and throws in the next, an error that is not a plain one; the state holds no messages. */

import { END, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";

const State = z.object({
  path: z.string().default("/srv/data.json"),
  lines: z.array(z.string()).default([]),
});

export const graph = new StateGraph(State)
  .addNode("load", ({ path }) => ({ lines: [`read ${path}`] }))
  .addNode("explode", ({ lines }): { lines: string[] } => {
    throw new RangeError(`line ${lines.length + 41} is\nout of range`);
  })
  .addEdge(START, "load")
  .addEdge("load", "explode")
  .addEdge("explode", END)
  .compile();
