/** What a person wrote in the composer as the input of a run. */

import type { Json } from "../../api/agentServer/wire.ts";
import type { RunRequest } from "../panel/messages.ts";

/** The run's input: text becomes a chat message of the user, JSON stays as it is. */
export function runInput(input: RunRequest["input"]): Json {
  return "text" in input ? { messages: [{ role: "user", content: input.text }] } : input.json;
}
