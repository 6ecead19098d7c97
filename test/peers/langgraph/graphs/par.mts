/** Asks two questions at once, each in a node of its own, and goes on when both are answered. */

import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  answers: Annotation<readonly string[]>({
    reducer: (before, added) => [...before, ...added],
    default: () => [],
  }),
});

const ask = (who: string, wanted: string) => () => {
  const answer = interrupt({ question: `${who} asks: ${wanted}?` });
  return { answers: [`${who}: ${JSON.stringify(answer)}`] };
};

export const graph = new StateGraph(State)
  .addNode("finance", ask("Finance", "how much"))
  .addNode("legal", ask("Legal", "may we"))
  .addNode("join", ({ answers }) => ({ messages: [new AIMessage(answers.toSorted().join("; "))] }))
  .addEdge(START, "finance")
  .addEdge(START, "legal")
  .addEdge(["finance", "legal"], "join")
  .addEdge("join", END)
  .compile();
