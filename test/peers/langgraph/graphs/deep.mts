/** `deepagents` with two subagents at once, which look something up each; every model is scripted. */

import { tool } from "@langchain/core/tools";
import { createDeepAgent } from "deepagents";
import { z } from "zod";
import { question, ScriptedModel } from "./scriptedModel.mts";

const search = tool(async ({ query }) => `2 results for "${query}"`, {
  name: "search",
  description: "Searches",
  schema: z.object({ query: z.string() }),
});

const lead = new ScriptedModel((messages) => {
  const asked = messages.findLastIndex((message) => message.getType() === "human");
  const findings = messages.slice(asked).filter((message) => message.getType() === "tool");
  const topic = question(messages);
  if (findings.length > 0) {
    return { text: `All about ${topic}: ${findings.map(({ text }) => text).join(" ")}` };
  }
  const id = `call_${messages.length}`;
  const task = (subagent_type: string, description: string) => ({
    id: `${id}_${subagent_type}`,
    name: "task",
    args: { description, subagent_type },
  });
  return {
    text: "I ask two specialists.",
    toolCalls: [
      task("historian", `Find out when ${topic} began`),
      task("scientist", `Find out how ${topic} is measured`),
    ],
  };
});

function specialist(name: string, description: string, finding: string) {
  const model = new ScriptedModel((messages) =>
    messages.some((message) => message.getType() === "tool")
      ? { text: finding }
      : {
          text: `The ${name} searches.`,
          toolCalls: [{ id: `call_${name}`, name: "search", args: { query: question(messages) } }],
        },
  );
  return { name, description, systemPrompt: `You are a ${name}.`, model, tools: [search] };
}

export const graph = createDeepAgent({
  model: lead,
  tools: [search],
  systemPrompt: "You lead two specialists.",
  subagents: [
    specialist("historian", "Knows when things began", "It began long ago."),
    specialist("scientist", "Knows how things are measured", "It was measured twice."),
  ],
});
