import type { InterfaceRows } from "./row.ts";

/** The rows of feedback submission. */
export const feedbackRows: InterfaceRows = {
  base: "",
  endpoints: ["POST /api/v1/feedback/tokens/{token_id}", "GET /api/v1/feedback/tokens/{token_id}"],
  rules: {
    "authentication: the token in the URL": [
      "feedback: is given by POST without a key, with every field",
      "feedback: is refused under an unknown, an expired or a malformed token",
    ],
    "fields: score, value, comment, correction, metadata": [
      "feedback: may leave fields out or null, and be given again",
      "feedback: is refused with ${name}, and nothing is stored",
      "feedback: is refused by GET with a correction that is not JSON",
    ],
    "object: keys are those asked for, values are URLs": [
      "feedback: is invited by the last event of a stream: one address per key",
    ],
  },
};
