/**
 * Asks in three ways: its subgraph is an agent whose actions the library's human-in-the-loop middleware holds back,
 * then two questions of free form follow, one with options and one that is only text.
 */

import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { z } from "zod";
import { question, ScriptedModel } from "./scriptedModel.mts";

const runSql = tool(async ({ sql, database }) => `${sql.split("\n").length} lines ran on ${database}`, {
  name: "run_sql",
  description: "Runs SQL",
  schema: z.object({ sql: z.string(), database: z.enum(["prod", "staging"]) }),
});

const notify = tool(async ({ who }) => `told ${who}`, {
  name: "notify",
  description: "Tells somebody",
  schema: z.object({ who: z.string() }),
});

const sql = "UPDATE users\n   SET plan = 'pro'\n WHERE id IN (\n   SELECT id FROM trials\n );";

const migrator = new ScriptedModel((messages) => {
  const asked = messages.findLastIndex((message) => message.getType() === "human");
  const results = messages.slice(asked).filter((message) => message.getType() === "tool");
  if (results.length > 0) return { text: `Done: ${results.map(({ text }) => text).join(" / ")}` };
  const id = `call_${messages.length}`;
  return {
    text: "Two actions need a person.",
    toolCalls: [
      { id: `${id}_sql`, name: "run_sql", args: { sql, database: "prod" } },
      { id: `${id}_notify`, name: "notify", args: { who: "ops@example.com" } },
    ],
  };
});

const migrate = createAgent({
  model: migrator,
  tools: [runSql, notify],
  middleware: [
    humanInTheLoopMiddleware({
      interruptOn: {
        run_sql: {
          allowedDecisions: ["approve", "edit", "reject"],
          description: "Runs SQL on **prod**:\n\n- it cannot be undone\n- it takes about a *minute*",
        },
        notify: { allowedDecisions: ["approve", "reject"] },
      },
    }),
  ],
});

const closer = new ScriptedModel((messages) => ({ text: `The review of ${question(messages)} is over.` }));

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("migrate", migrate.graph)
  .addNode("ask", () => {
    const options = ["staging", "prod", "both"];
    const where = interrupt({ question: "Which environments should I notify?", options, default: "staging" });
    return { messages: [new AIMessage(`You chose: ${JSON.stringify(where)}`)] };
  })
  .addNode("confirm", () => {
    const sure = interrupt("Is that **all**? (yes/no)");
    return { messages: [new AIMessage(`You said: ${JSON.stringify(sure)}`)] };
  })
  .addNode("close", async ({ messages }) => ({ messages: [await closer.invoke(messages)] }))
  .addEdge(START, "migrate")
  .addEdge("migrate", "ask")
  .addEdge("ask", "confirm")
  .addEdge("confirm", "close")
  .addEdge("close", END)
  .compile();
