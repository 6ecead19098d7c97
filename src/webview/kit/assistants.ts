/** What assistants are called. */

import { createContext } from "preact";

import type { AssistantChoice } from "../../run/panel/messages.ts";

/** The assistants that the server has, for their names. */
export const AssistantsContext = createContext<readonly AssistantChoice[]>([]);

/** What an assistant is called; its id as long as its name is not known. */
export function assistantName(assistants: readonly AssistantChoice[], assistantId: string): string {
  return assistants.find(({ id }) => id === assistantId)?.name ?? assistantId;
}
