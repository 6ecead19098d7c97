/** Emits `events` custom events as fast as it can, letting the server breathe now and then. */

import { setImmediate as breathe } from "node:timers/promises";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ ...MessagesAnnotation.spec, events: Annotation<number> });

export const graph = new StateGraph(State)
  .addNode("pour", async ({ events }, config) => {
    for (let i = 0; i < (events ?? 1000); i++) {
      config.writer?.({ i, t: "tick" });
      if (i % 100 === 99) await breathe();
    }
    return {};
  })
  .addEdge(START, "pour")
  .addEdge("pour", END)
  .compile();
