/** Fills a thread with `count` messages at once (5,000 unless told): questions, answers, tool calls and their results. */

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ ...MessagesAnnotation.spec, count: Annotation<number> });

function message(n: number): BaseMessage {
  const turn = Math.floor(n / 4);
  const id = `long-${n}`;
  if (n % 4 === 0) return new HumanMessage({ id, content: `Question ${turn}: what is ${turn} + ${turn}?` });
  if (n % 4 === 1) {
    const call = { id: `call-${turn}`, name: "add", args: { a: turn, b: turn }, type: "tool_call" } as const;
    return new AIMessage({ id, content: "I add them.", tool_calls: [call] });
  }
  if (n % 4 === 2) {
    return new ToolMessage({ id, tool_call_id: `call-${turn}`, name: "add", content: String(2 * turn) });
  }
  return new AIMessage({ id, content: `It is **${2 * turn}**.\n\n- asked in turn ${turn}\n- added once` });
}

export const graph = new StateGraph(State)
  .addNode("fill", ({ messages, count }) => {
    const missing = Math.max(0, (count ?? 5000) - messages.length);
    return { messages: Array.from({ length: missing }, (_, n) => message(n)) };
  })
  .addEdge(START, "fill")
  .addEdge("fill", END)
  .compile();
