/**
 * Says something in two nodes, in one without a model and so without an id, while the node beside them asks a person; and
 * sums up when that is answered.
 */

import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ScriptedModel } from "./scriptedModel.mts";

const speaker = new ScriptedModel(() => ({ text: "I look around meanwhile." }));

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("ask", () => ({ messages: [new AIMessage(`Asked: ${JSON.stringify(interrupt("Which way?"))}`)] }))
  .addNode("look", async ({ messages }) => ({ messages: [await speaker.invoke(messages)] }))
  .addNode("note", () => ({ messages: [new AIMessage("Noted, without a model.")] }))
  .addNode("go", ({ messages }) => ({ messages: [new AIMessage(`${messages.length} things were said.`)] }))
  .addEdge(START, "ask")
  .addEdge(START, "look")
  .addEdge(START, "note")
  .addEdge(["ask", "look", "note"], "go")
  .addEdge("go", END)
  .compile();
