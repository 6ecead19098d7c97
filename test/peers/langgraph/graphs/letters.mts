/** `deepagents` with a subagent that asks a person, within its task, before it sends a letter; the models are scripted. */

import { tool } from "@langchain/core/tools";
import { createDeepAgent } from "deepagents";
import { z } from "zod";
import { question, ScriptedModel } from "./scriptedModel.mts";

const send = tool(async ({ to, text }) => `Sent to ${to}: ${text}`, {
  name: "send_letter",
  description: "Sends a letter",
  schema: z.object({ to: z.string(), text: z.string() }),
});

const lead = new ScriptedModel((messages) => {
  const last = messages.at(-1);
  if (last?.getType() === "tool") return { text: `The writer says: ${last.text}` };
  const args = { subagent_type: "writer", description: question(messages) };
  return { text: "", toolCalls: [{ id: `call_${messages.length}`, name: "task", args }] };
});

const writer = new ScriptedModel((messages) => {
  const last = messages.at(-1);
  if (last?.getType() === "tool") return { text: last.text };
  const args = { to: "team@example.com", text: question(messages) };
  return {
    text: "",
    toolCalls: [{ id: `call_${args.text.replaceAll(" ", "_")}`, name: "send_letter", args }],
  };
});

export const graph = createDeepAgent({
  model: lead,
  tools: [],
  systemPrompt: "You let letters be written.",
  subagents: [
    {
      name: "writer",
      description: "Writes and sends letters",
      systemPrompt: "You write letters.",
      model: writer,
      tools: [send],
      interruptOn: { send_letter: true },
    },
  ],
});
