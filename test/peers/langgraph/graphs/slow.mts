/** Talks for `seconds`, ten words a second, and stops when it is told to. */

import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ScriptedModel } from "./scriptedModel.mts";

const State = Annotation.Root({ ...MessagesAnnotation.spec, seconds: Annotation<number> });

export const graph = new StateGraph(State)
  .addNode("talk", async ({ messages, seconds }, config) => {
    const words = Array.from({ length: (seconds ?? 1) * 10 }, (_, index) => `word${index}`);
    const model = new ScriptedModel(() => ({ text: words.join(" ") }), 100);
    return { messages: [await model.invoke(messages, config)] };
  })
  .addEdge(START, "talk")
  .addEdge("talk", END)
  .compile();
