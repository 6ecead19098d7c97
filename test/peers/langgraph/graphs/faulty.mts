/** Streams half an answer and then fails. */

import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ScriptedModel } from "./scriptedModel.mts";

const model = new ScriptedModel(() => ({ text: "So far so good, and then" }));

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode("check", (): { messages: [] } => {
    throw new Error("the disk is full");
  })
  .addEdge(START, "model")
  .addEdge("model", "check")
  .addEdge("check", END)
  .compile();
