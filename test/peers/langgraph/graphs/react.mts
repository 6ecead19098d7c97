/** An agent with tools, as the library builds one: looks up two cities at once, one of which fails, then answers. */

import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { z } from "zod";
import { question, ScriptedModel } from "./scriptedModel.mts";

const weather = tool(
  async ({ city }) => {
    if (city === "Atlantis") throw new Error("no station stands in Atlantis");
    return `{"city":${JSON.stringify(city)},"degrees":17,"wind":"west"}`;
  },
  { name: "weather", description: "The weather of a city", schema: z.object({ city: z.string() }) },
);

const note = tool(async ({ text }) => `kept ${text.split("\n").length} lines`, {
  name: "note",
  description: "Keeps a note",
  schema: z.object({ text: z.string() }),
});

/** Its turn is told by how many of its own tool results stand behind the newest question. */
const model = new ScriptedModel((messages) => {
  const asked = messages.findLastIndex((message) => message.getType() === "human");
  const results = messages.slice(asked).filter((message) => message.getType() === "tool").length;
  const id = `call_${messages.length}`;
  if (results === 0) {
    return {
      text: "I look at two stations.",
      toolCalls: ["Oslo", "Atlantis"].map((city, n) => ({
        id: `${id}_${n}`,
        name: "weather",
        args: { city },
      })),
    };
  }
  if (results === 2) {
    return { text: "", toolCalls: [{ id, name: "note", args: { text: "Oslo: 17\nAtlantis: –" } }] };
  }
  return { text: `About **${question(messages)}**: Oslo has 17 degrees, Atlantis none.` };
});

export const graph = createAgent({ model, tools: [weather, note], systemPrompt: "You report the weather." });
