/** The sample agents; those that take a few lines are written here. */

import * as z from "zod";
import { uuid5 } from "../kit/ids.ts";
import type { Agent } from "../runtime/agent.ts";
import { lastHumanText } from "../runtime/messages.ts";
import { approval } from "./approval.ts";
import { messagesInput } from "./input.ts";
import { napping } from "./naps.ts";
import { pipeline } from "./pipeline.ts";
import { researcher } from "./researcher.ts";

/** Repeats the last message, in Markdown, token by token. */
const echo: Agent = {
  name: "echo",
  description: "Repeats what you say, token by token, as Markdown.",
  input: messagesInput,
  entry: ["model"],
  nodes: {
    model: {
      targets: [],
      run: async (context) => {
        const said = lastHumanText(context.state);
        return { messages: [await context.say({ text: reply(said) })] };
      },
    },
  },
};

function reply(said: string): string {
  if (said.trim() === "") return "You said nothing, so there is nothing to repeat. Send me a message.";
  const words = said.trim().split(/\s+/);
  const quoted = said.trim().replaceAll(/^/gm, "> ");
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best));
  return [
    "You said:",
    quoted,
    "What I noticed about it:",
    [
      `- **${words.length}** ${words.length === 1 ? "word" : "words"}, **${said.length}** characters`,
      `- the longest word is \`${longest.replaceAll("`", "'")}\``,
      `- it ${said.includes("?") ? "asks" : "does not ask"} a question`,
    ].join("\n"),
    "As data:",
    ["```json", JSON.stringify({ role: "user", content: said }, null, 2), "```"].join("\n"),
  ].join("\n\n");
}

const slowInput = messagesInput.extend({
  seconds: z.number().min(0).max(86_400).default(10).describe("How long to work."),
});

/** Works for `input.seconds`, with a progress event each second. */
const slow: Agent = {
  name: "slow",
  description: "Works for input.seconds, with a sign of life each second, and can be stopped at any moment.",
  input: slowInput,
  entry: ["work"],
  nodes: {
    work: {
      targets: [],
      run: async (context) => {
        const seconds = typeof context.state.seconds === "number" ? context.state.seconds : 10;
        for (let done = 0; done < seconds; done++) {
          context.custom({ type: "progress", elapsed_seconds: done, total_seconds: seconds });
          await context.sleep(Math.min(1, seconds - done) * 1000);
        }
        context.custom({ type: "progress", elapsed_seconds: seconds, total_seconds: seconds });
        return { messages: [await context.say({ text: `I worked for ${seconds} seconds.` })] };
      },
    },
  },
};

const floodInput = messagesInput.extend({
  events: z.int().min(0).max(10_000_000).default(10_000).describe("How many events to send."),
});

const burst = 256;

/** Sends `input.events` custom events, as fast as they are read. */
const flood: Agent = {
  name: "flood",
  description: "Sends input.events custom events as fast as they are read.",
  input: floodInput,
  entry: ["pour"],
  nodes: {
    pour: {
      targets: [],
      run: async (context) => {
        const events = typeof context.state.events === "number" ? context.state.events : 10_000;
        for (let i = 0; i < events; i++) {
          if (i % burst === 0) await context.room();
          context.custom({ i, t: "tick" });
        }
        return { messages: [await context.say({ text: `I sent ${events} events.` })] };
      },
    },
  },
};

/** What the faulty agent fails with. */
class ModelOverloadedError extends Error {
  override readonly name = "ModelOverloadedError";
}

/** Begins well and then fails in the middle of its stream. */
const faulty: Agent = {
  name: "faulty",
  description: "Says something, starts on the next step, and fails there.",
  input: messagesInput,
  entry: ["think"],
  nodes: {
    think: {
      targets: ["fail"],
      run: async (context) => ({ messages: [await context.say({ text: "This goes well so far." })] }),
    },
    fail: {
      targets: [],
      run: async (context) => {
        context.custom({ type: "progress", stage: "about to fail" });
        await context.pause(10);
        throw new ModelOverloadedError("The model is overloaded: this agent always fails here.");
      },
    },
  },
};

/** The sample agents, in the order in which they are listed. */
export const agents: readonly Agent[] = [echo, researcher, approval, slow, flood, faulty, pipeline, napping];

const assistantNamespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";
const byId = new Map(
  agents.flatMap((agent) => [[agent.name, agent] as const, [assistantId(agent.name), agent] as const]),
);

/** The id of an agent's own assistant: always the same for the same name. */
export function assistantId(name: string): string {
  return uuid5(assistantNamespace, name);
}

/** The agent that a name or an assistant id means. */
export function findAgent(id: string): Agent | undefined {
  return byId.get(id) ?? byId.get(id.toLowerCase());
}
