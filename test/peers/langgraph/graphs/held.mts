/** Four steps that note each execution in a file; the one that is named waits without end at its first execution. */

import { appendFile, readFile } from "node:fs/promises";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  job: Annotation<string>,
  hold_at: Annotation<string | undefined>,
});

/** The file outlives the server, whose memory and states do not tell what ran twice. */
const file = process.env["EXECUTIONS"] ?? "executions.txt";

function step(name: string): (state: typeof State.State) => Promise<typeof State.Update> {
  return async ({ job, hold_at }) => {
    await appendFile(file, `${job} ${name}\n`);
    const times = (await readFile(file, "utf8")).split("\n").filter((line) => line === `${job} ${name}`);
    if (hold_at === name && times.length === 1) await new Promise(() => undefined);
    return { messages: [new AIMessage({ id: crypto.randomUUID(), content: `${name}: done` })] };
  };
}

export const graph = new StateGraph(State)
  .addNode("first", step("first"))
  .addNode("second", step("second"))
  .addNode("third", step("third"))
  .addNode("last", step("last"))
  .addEdge(START, "first")
  .addEdge("first", "second")
  .addEdge("second", "third")
  .addEdge("third", "last")
  .addEdge("last", END)
  .compile();
