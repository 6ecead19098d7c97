/** Structured state without messages, a strict input and a context: drafts until one is good enough. */

import { setTimeout as delay } from "node:timers/promises";
import { END, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";

const Input = z.strictObject({
  topic: z.string().min(3).max(80).describe("What the text is about"),
  audience: z.enum(["children", "engineers", "everyone"]).default("everyone").describe("Who reads it"),
  rounds: z.int().min(1).max(5).default(2).describe("How many drafts at most"),
  tone: z
    .object({ formal: z.boolean().default(false), mood: z.number().min(0).max(1).default(0.5) })
    .optional(),
  tags: z.array(z.string()).max(4).default([]),
});

const State = z.object({
  ...Input.shape,
  drafts: z.array(z.string()).optional(),
  score: z.number().optional(),
  report: z.object({ title: z.string(), words: z.number(), by: z.string() }).optional(),
});

const Context = z.object({
  model: z.enum(["small", "large"]).default("small").describe("Which model writes"),
  temperature: z.number().min(0).max(2).default(0.2),
  signature: z.string().optional().describe("Who signs the text"),
});

export const graph = new StateGraph(State, { input: Input, context: Context })
  .addNode("draft", async ({ topic, audience, drafts = [] }, { context }) => {
    await delay(20);
    const text = `Draft ${drafts.length + 1} on ${topic.trim()} for ${audience} (${context?.model ?? "small"})`;
    return { drafts: [...drafts, text] };
  })
  .addNode("grade", ({ drafts = [], rounds }) => ({ score: drafts.length / rounds }))
  .addNode("publish", ({ topic, drafts = [] }, { context }) => ({
    report: {
      title: topic,
      words: (drafts.at(-1) ?? "").split(" ").length,
      by: `${context?.signature ?? "nobody"}@${context?.temperature ?? 0.2}`,
    },
  }))
  .addEdge(START, "draft")
  .addEdge("draft", "grade")
  .addConditionalEdges("grade", ({ score = 0 }) => (score >= 1 ? "publish" : "draft"))
  .addEdge("publish", END)
  .compile();
