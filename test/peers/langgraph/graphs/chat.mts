/** Answers a message, streaming token by token. */

import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { question, ScriptedModel } from "./scriptedModel.mts";

const model = new ScriptedModel((messages) => ({
  text: `You said **${question(messages)}**. That makes ${messages.length} message${messages.length === 1 ? "" : "s"} — grüße & 你好.`,
}));

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, "model")
  .addEdge("model", END)
  .compile();
