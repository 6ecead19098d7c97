import type { Agent } from "../runtime/agent.ts";
import { messagesInput } from "./input.ts";

/** What the faulty agent fails with. */
export class ModelOverloadedError extends Error {
  override readonly name = "ModelOverloadedError";
}

/** Begins well and then fails in the middle of its stream. */
export const faulty: Agent = {
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
