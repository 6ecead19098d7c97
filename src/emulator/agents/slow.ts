import * as z from "zod";
import type { Agent } from "../runtime/agent.ts";
import { messagesInput } from "./input.ts";

const input = messagesInput.extend({
  seconds: z.number().min(0).max(86_400).default(10).describe("How long to work."),
});

/** Works for `input.seconds`, with a progress event each second. */
export const slow: Agent = {
  name: "slow",
  description: "Works for input.seconds, with a sign of life each second, and can be stopped at any moment.",
  input,
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
