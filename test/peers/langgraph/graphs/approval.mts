/** Asks a person before it acts, in the human-in-the-loop form of action requests and decisions. */

import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { question, ScriptedModel } from "./scriptedModel.mts";

interface Action {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

interface Decision {
  readonly type: "approve" | "edit" | "reject" | "respond";
  readonly edited_action?: Action;
  readonly editedAction?: Action;
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
    const wanting = messages.at(-1) as AIMessage;
    const calls = wanting.tool_calls ?? [];
    const { decisions } = interrupt<object, { decisions: Decision[] }>({
      action_requests: calls.map(({ name, args }) => ({
        name,
        args,
        description: `The agent wants to use ${name}`,
      })),
      review_configs: calls.map(({ name }) => ({ action_name: name, allowed_decisions })),
    });
    // As the platform's own middleware does: what a person changed is what was wanted.
    const decided = calls.map((call, index) => ({
      ...call,
      ...(decisions[index]?.edited_action ?? decisions[index]?.editedAction),
    }));
    const { content, id, usage_metadata, name } = wanting;
    const results = decided.map((call, index) => {
      const decision = decisions[index] ?? { type: "reject" };
      return new ToolMessage({
        tool_call_id: call.id ?? "",
        name: calls[index]?.name ?? call.name,
        content: decision.message ?? `${call.name} ${decision.type} ${JSON.stringify(call.args)}`,
        status: decision.type === "reject" ? "error" : "success",
      });
    });
    return {
      messages: [new AIMessage({ content, id, usage_metadata, name, tool_calls: decided }), ...results],
    };
  })
  .addNode("close", async ({ messages }) => ({ messages: [await closer.invoke(messages)] }))
  .addEdge(START, "plan")
  .addEdge("plan", "act")
  .addEdge("act", "close")
  .addEdge("close", END)
  .compile();
