/** Which tools were called after a point of a thread's history: what they did stays done, whatever runs again. */

import type { Json, ThreadState } from "../../api/agentServer/wire.ts";
import { type ChatToolCall, chatMessages } from "../fold/chatMessage.ts";
import { stateMessages } from "../fold/threadState.ts";
import type { Checkpoints } from "../history/checkpoints.ts";

/** A call of a tool; its arguments are JSON text. */
export type ToolCallMade = ChatToolCall;

/** The calls that were answered after a checkpoint, whichever branch they are on, in their order. */
export function callsAfter(
  checkpoints: Checkpoints,
  { state, checkpointId }: { readonly state: ThreadState | undefined; readonly checkpointId: string },
): readonly ToolCallMade[] {
  const known = state === undefined ? [] : stateMessages(state);
  const said = chatMessages(messagesAfter(checkpoints, checkpointId));
  const calls = new Map([...known, ...said].flatMap(({ calls }) => calls.map((call) => [call.id, call])));
  const answered = said.flatMap(({ callId, name }) =>
    callId === undefined ? [] : [calls.get(callId) ?? { id: callId, name: name ?? "tool", args: "{}" }],
  );
  return [...new Map(answered.map((call) => [call.id, call])).values()];
}

/** The calls of a state that no tool has answered. */
export function callsWaiting(state: ThreadState): readonly ToolCallMade[] {
  const messages = stateMessages(state);
  const answered = new Set(messages.map(({ callId }) => callId));
  return (messages.findLast(({ role }) => role === "ai")?.calls ?? []).filter(({ id }) => !answered.has(id));
}

function messagesAfter(checkpoints: Checkpoints, checkpointId: string): readonly Json[] {
  const found: { readonly at: number; readonly messages: readonly Json[] }[] = [];
  const open = [checkpointId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { id: child, at = 0, change } of checkpoints.childrenOf(id)) {
      found.push({ at, messages: change?.messages ?? [] });
      open.push(child);
    }
  }
  return found.sort((one, other) => one.at - other.at).flatMap(({ messages }) => messages);
}
