/** What a person thought of runs, remembered so that a transcript that is built anew does not ask for it again. */

import type { Feedback } from "../../run/panel/transcript.ts";
import type { SentFeedback } from "../../run/session/server.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";

const mostSent = 500;

/** What was sent, the newest 500. */
export function sentFeedback(memory: Memory): SentFeedback {
  const keyOf = ([key]: readonly [string, Feedback]): string => key;
  const sent = new KeptList(memory, "feedback.sent", keyOf, mostSent);
  return {
    get: (runId, key) => sent.get(`${runId} ${key}`)?.[1],
    set: (runId, key, feedback) => void sent.keep([`${runId} ${key}`, feedback]),
  };
}
