/** Seven steps, one of which fails as often as it is told to; counts how often each was executed for a job. */

import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  job: Annotation<string | undefined>,
  fail_at: Annotation<string | undefined>,
  fail_times: Annotation<number | undefined>,
  executions: Annotation<Record<string, number> | undefined>,
});

/** Executions by job and step, for as long as the server runs. */
const executed = new Map<string, number>();

function step(name: string): (state: typeof State.State) => typeof State.Update {
  return ({ messages, job = messages[0]?.id, fail_at, fail_times = 1, executions }) => {
    const times = (executed.get(`${job} ${name}`) ?? 0) + 1;
    executed.set(`${job} ${name}`, times);
    if (name === fail_at && times <= fail_times)
      throw new Error(`${name} failed, time ${times} of ${fail_times}.`);
    return { messages: said(name), executions: { ...executions, [name]: times } };
  };
}

function said(name: string): (AIMessage | ToolMessage)[] {
  if (name !== "charge") return [new AIMessage({ id: crypto.randomUUID(), content: `${name}: done` })];
  const id = `call_${crypto.randomUUID()}`;
  const call = { id, name: "charge_card", args: { amount: 120 } };
  return [
    new AIMessage({ id: crypto.randomUUID(), content: "charge: done", tool_calls: [call] }),
    new ToolMessage({ id: crypto.randomUUID(), tool_call_id: id, name: call.name, content: "Charged 120." }),
  ];
}

export const graph = new StateGraph(State)
  .addNode("collect", step("collect"))
  .addNode("check", step("check"))
  .addNode("reserve", step("reserve"))
  .addNode("charge", step("charge"))
  .addNode("write", step("write"))
  .addNode("send", step("send"))
  .addNode("close", step("close"))
  .addEdge(START, "collect")
  .addEdge("collect", "check")
  .addEdge("check", "reserve")
  .addEdge("reserve", "charge")
  .addEdge("charge", "write")
  .addEdge("write", "send")
  .addEdge("send", "close")
  .addEdge("close", END)
  .compile();
