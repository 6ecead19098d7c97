/** Reports its progress by the stream writer, `steps` times, with `pauseMs` between two reports. */

import { setTimeout as delay } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  steps: Annotation<number>,
  pauseMs: Annotation<number>,
  done: Annotation<number>,
});

export const graph = new StateGraph(State)
  .addNode("work", async ({ steps = 3, pauseMs = 100 }, { writer, signal }) => {
    for (let step = 1; step <= steps; step += 1) {
      writer?.({ progress: step / steps, note: `step ${step} of ${steps}` });
      await delay(pauseMs, undefined, { signal });
    }
    return { done: steps };
  })
  .addNode("tell", ({ done }, { writer }) => {
    writer?.("nearly there");
    return { messages: [new AIMessage(`${done} steps are done.`)] };
  })
  .addEdge(START, "work")
  .addEdge("work", "tell")
  .addEdge("tell", END)
  .compile();
