/** Steps that take a known time, and say how long they took by the server's own clock; then two models side by side. */

import { setTimeout as delay } from "node:timers/promises";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ScriptedModel } from "./scriptedModel.mts";

interface Nap {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  naps: Annotation<Nap[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});

function nap(node: string, ms: number): () => Promise<typeof State.Update> {
  return async () => {
    const from = Date.now();
    await delay(ms);
    return { naps: [{ node, from, to: Date.now() }] };
  };
}

/** A graph of its own, whose message goes up into the thread's: four tokens, the first after a fifth of a second. */
function speaker() {
  const model = new ScriptedModel(() => ({ text: "one two three four" }), 200);
  return new StateGraph(MessagesAnnotation)
    .addNode("say", async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
    .addEdge(START, "say")
    .addEdge("say", END)
    .compile();
}

export const graph = new StateGraph(State)
  .addNode("first", nap("first", 120))
  .addNode("second", nap("second", 40))
  .addNode("third", nap("third", 300))
  .addNode("fourth", nap("fourth", 80))
  .addNode("left", speaker())
  .addNode("right", speaker())
  .addEdge(START, "first")
  .addEdge("first", "second")
  .addEdge("second", "third")
  .addEdge("third", "fourth")
  .addEdge("fourth", "left")
  .addEdge("fourth", "right")
  .addEdge("left", END)
  .addEdge("right", END)
  .compile();
