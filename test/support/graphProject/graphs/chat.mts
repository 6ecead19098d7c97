/** Answers with the greeting of the env file. */

import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", () => ({ messages: [new AIMessage(process.env["GREETING"] ?? "no greeting")] }))
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
