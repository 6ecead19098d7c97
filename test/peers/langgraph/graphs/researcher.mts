/** Plans, searches with a tool, lets two subagents work side by side, and sums up; emits custom events. */

import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  END,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { question, ScriptedModel } from "./scriptedModel.mts";

const search = tool(({ query }) => `3 results for "${query}": first, second, third`, {
  name: "search",
  description: "Searches",
  schema: z.object({ query: z.string() }),
});

const broken = tool(
  () => {
    throw new Error("the archive is closed");
  },
  { name: "archive", description: "Always fails", schema: z.object({ year: z.number() }) },
);

const planner = new ScriptedModel((messages) => ({
  text: "I will search first.",
  toolCalls: [
    { id: "call_search", name: "search", args: { query: question(messages) } },
    { id: "call_archive", name: "archive", args: { year: 1999 } },
  ],
}));

/** A subagent: its own graph, so its events come in a namespace; only its last message goes up. */
function subagent(name: string, finding: string) {
  const model = new ScriptedModel((messages) =>
    messages.some((message) => message.getType() === "tool")
      ? { text: finding }
      : {
          text: `${name} looks it up.`,
          toolCalls: [{ id: `call_${name}`, name: "search", args: { query: name } }],
        },
  );
  const inner = new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode("tools", new ToolNode([search]))
    .addEdge(START, "model")
    .addConditionalEdges("model", ({ messages }) =>
      (messages.at(-1) as AIMessage).tool_calls?.length ? "tools" : END,
    )
    .addEdge("tools", "model")
    .compile();
  return async ({ messages }: typeof MessagesAnnotation.State, config: LangGraphRunnableConfig) => {
    config.writer?.({ progress: `${name} started` });
    const result = await inner.invoke({ messages: [new HumanMessage(question(messages))] }, config);
    config.writer?.({ progress: `${name} done`, findings: 1 });
    return { messages: [new AIMessage({ name, content: result.messages.at(-1)?.text ?? "" })] };
  };
}

const writer = new ScriptedModel((messages) => ({
  text: `In short, about ${question(messages)}: history and science agree.`,
}));

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("plan", async ({ messages }) => ({ messages: [await planner.invoke(messages)] }))
  .addNode("tools", new ToolNode([search, broken]))
  .addNode("historian", subagent("historian", "It began long ago."))
  .addNode("scientist", subagent("scientist", "It was measured twice."))
  .addNode("write", async ({ messages }) => ({ messages: [await writer.invoke(messages)] }))
  .addEdge(START, "plan")
  .addEdge("plan", "tools")
  .addEdge("tools", "historian")
  .addEdge("tools", "scientist")
  .addEdge(["historian", "scientist"], "write")
  .addEdge("write", END)
  .compile();
