/** Keeps a state of `megabytes` (5 unless told), which each of its checkpoints holds again. */

import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  megabytes: Annotation<number>,
  documents: Annotation<readonly { readonly id: string; readonly text: string }[]>,
  index: Annotation<Readonly<Record<string, number>>>,
});

const documentLength = 10_000;

export const graph = new StateGraph(State)
  .addNode("load", ({ megabytes = 5 }) => ({
    documents: Array.from({ length: Math.ceil((megabytes * 1e6) / documentLength) }, (_, n) => ({
      id: `doc-${n}`,
      text: `document ${n} `.padEnd(documentLength - 30, `lorem ipsum ${n} `),
    })),
  }))
  .addNode("catalog", ({ documents }) => ({
    index: Object.fromEntries(documents.map(({ id, text }) => [id, text.length])),
  }))
  .addNode("tell", ({ documents }) => ({
    messages: [new AIMessage(`${documents.length} documents are loaded.`)],
  }))
  .addEdge(START, "load")
  .addEdge("load", "catalog")
  .addEdge("catalog", "tell")
  .addEdge("tell", END)
  .compile();
