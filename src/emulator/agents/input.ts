import * as z from "zod";

const message = z.union([
  z.string(),
  z.looseObject({
    role: z.string().optional(),
    type: z.string().optional(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
    id: z.string().nullish(),
  }),
]);

/** The input that all sample agents take: messages as texts or as objects with a role. */
export const messagesInput = z.looseObject({
  messages: z
    .union([message, z.array(message)])
    .optional()
    .describe("What is said to the agent."),
});
