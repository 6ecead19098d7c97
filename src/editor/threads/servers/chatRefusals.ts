/** What a chat backend may not support, in the words that say so once. */

import type { ThreadCapability } from "../../../run/panel/messages.ts";
import { NotPossibleError } from "../../kit/remedies.ts";

const words: Readonly<Record<ThreadCapability, readonly [message: string, remedy: string]>> = {
  stop: [
    "This backend has no way to stop a run.",
    "Start another run: backends of this kind end the one before.",
  ],
  answer: [
    "This backend takes no answers: it does not know the command input.respond.",
    "Start another run to go on.",
  ],
  rename: [
    "Chat backends name a thread by its first message, and have no way to rename it.",
    "Keep the name.",
  ],
  delete: ["This backend has no way to delete a thread.", "Delete it where the backend keeps it."],
  list: ["This backend has no list of threads.", "Those that were made here are shown."],
  history: ["This backend tells nothing of a thread's earlier states.", "Its newest state is there."],
};

/** Why a chat backend can't do something, and what to do instead. */
export function chatRefusal(capability: ThreadCapability): NotPossibleError {
  return new NotPossibleError(...words[capability]);
}

/** Whether this is one of the capabilities that a person can ask for. */
export function isThreadCapability(name: string): name is ThreadCapability {
  return Object.hasOwn(words, name);
}
