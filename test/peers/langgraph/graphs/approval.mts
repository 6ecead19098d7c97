/** Asks a person before it acts, in the human-in-the-loop form of action requests and decisions. */

import { type AIMessage, ToolMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { question, ScriptedModel } from "./scriptedModel.mts";

interface Decision {
  readonly type: "approve" | "edit" | "reject" | "respond";
  readonly edited_action?: { readonly name: string; readonly args: object };
  readonly message?: string;
}

const planner = new ScriptedModel((messages) => ({
  text: "This needs a person.",
  toolCalls: [
    { id: "call_mail", name: "send_mail", args: { to: "team@example.com", subject: question(messages) } },
    { id: "call_delete", name: "delete_file", args: { path: "draft.txt" } },
  ],
}));

const closer = new ScriptedModel((messages) => {
  const outcomes = messages.filter((message) => message.getType() === "tool").map((message) => message.text);
  return { text: `Outcome: ${outcomes.slice(-2).join(" and ")}.` };
});

const allowed_decisions = ["approve", "edit", "reject", "respond"];

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("plan", async ({ messages }) => ({ messages: [await planner.invoke(messages)] }))
  .addNode("act", ({ messages }) => {
    const calls = (messages.at(-1) as AIMessage).tool_calls ?? [];
    const { decisions } = interrupt<object, { decisions: Decision[] }>({
      action_requests: calls.map(({ name, args }) => ({
        name,
        args,
        description: `The agent wants to use ${name}`,
      })),
      review_configs: calls.map(({ name }) => ({ action_name: name, allowed_decisions })),
    });
    return {
      messages: calls.map(({ id, name, args }, index) => {
        const decision = decisions[index] ?? { type: "reject" };
        const action = decision.edited_action ?? { name, args };
        const refused = decision.type === "reject";
        const done = decision.message ?? `${action.name} ${decision.type} ${JSON.stringify(action.args)}`;
        return new ToolMessage({
          tool_call_id: id ?? "",
          name,
          content: done,
          status: refused ? "error" : "success",
        });
      }),
    };
  })
  .addNode("close", async ({ messages }) => ({ messages: [await closer.invoke(messages)] }))
  .addEdge(START, "plan")
  .addEdge("plan", "act")
  .addEdge("act", "close")
  .addEdge("close", END)
  .compile();
