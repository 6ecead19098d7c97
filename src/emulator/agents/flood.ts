import * as z from "zod";
import type { Agent } from "../runtime/agent.ts";
import { messagesInput } from "./input.ts";

const input = messagesInput.extend({
  events: z.int().min(0).max(10_000_000).default(10_000).describe("How many events to send."),
});

const burst = 256;

/** Sends `input.events` custom events, as fast as they are read. */
export const flood: Agent = {
  name: "flood",
  description: "Sends input.events custom events as fast as they are read.",
  input,
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
