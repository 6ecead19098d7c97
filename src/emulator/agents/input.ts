import * as z from "zod";

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const message = z.union([
  z.string(),
  z.looseObject({
    role: z.string().optional(),
    type: z.string().optional(),
    content: content.nullish(),
    id: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal("constructor"),
    id: z.array(z.string()),
    kwargs: z.looseObject({ content: content.nullish() }),
  }),
]);

/** The input that all sample agents take: messages as texts, as objects, or as pairs of a role and a content. */
export const messagesInput = z.looseObject({
  messages: z
    .union([message, z.array(z.union([message, z.tuple([z.string(), content]).rest(z.unknown())]))])
    .optional()
    .describe("What is said to the agent."),
});
