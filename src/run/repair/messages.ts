/** Turns that are taken again: from an edited message of a person, or from the same one. */

import type { Json, JsonObject, ThreadState } from "../../api/agentServer/wire.ts";
import { chatMessage } from "../fold/chatMessage.ts";
import { contentText } from "../fold/drafts/messageDraft.ts";
import type { KeptCheckpoint } from "../history/checkpoints.ts";
import { checkpointIn } from "../history/pages.ts";
import { isList, isObject } from "../json/json.ts";
import { forkPlan, type Plan } from "./plan.ts";
import { CourseRefusal, type CourseThread, readPosition, type ThreadPosition } from "./threadPosition.ts";

/** Which message: by its id, or by the run that it was sent with and its place among the messages sent. */
export type MessageRef = { readonly id: string } | { readonly runId: string; readonly index: number };

/** A message in a thread's history. */
export interface FoundMessage {
  readonly position: ThreadPosition;
  readonly text: string;
  readonly message: JsonObject;
  /** The first state that holds it, and the one before that. */
  readonly holder: ThreadState;
  readonly before: ThreadState;
  /** Which of the messages that came together it is. */
  readonly index: number;
}

/** Looks for a message from the newest state back to the one before it. */
export async function findMessage(thread: CourseThread, ref: MessageRef): Promise<FoundMessage> {
  const states = new Map<string, ThreadState>();
  let found: Omit<FoundMessage, "position"> | undefined;
  const position = await readPosition(thread, (state, read) => {
    const id = checkpointIn(state);
    if (id !== undefined) states.set(id, state);
    found ??= id === undefined ? undefined : addedAfter(ref, state, read.childrenOf(id), states);
    return found !== undefined;
  });
  if (found !== undefined) return { position, ...found };
  throw new CourseRefusal(
    "The state before this message is not available: the server keeps the thread's history only so far back.",
    "Send the message again as a new one.",
  );
}

/** Takes a person's message back, and all that followed, and goes on from another one. */
export function resendPlan({ position, message, holder, before, index }: FoundMessage, text: string): Plan {
  const input = before.tasks.find(({ name }) => name === "__start__")?.result;
  const content = withText(message["content"], text);
  if (before.metadata?.["source"] === "input") {
    const given = isObject(input) ? input : {};
    const sent = given["messages"];
    // It gets an id of its own: the message that it replaces stays in the history.
    const fresh = { ...message, id: undefined, content };
    const messages = isList(sent) ? sent.map((one, at) => (at === index ? fresh : one)) : [fresh];
    return startAgain(position, before, { ...given, messages });
  }
  // It came into the thread by a written state: there is no input to be given again.
  return startAgain(position, holder, { messages: [{ ...message, content }] });
}

/** Has the step run again that said a message. */
export function regeneratePlan({ position, before }: FoundMessage): Plan {
  return forkPlan(position, before, { checkpointId: checkpointIn(before) ?? "", values: null });
}

function startAgain(position: ThreadPosition, from: ThreadState, values: Json): Plan {
  return forkPlan(position, from, { checkpointId: checkpointIn(from) ?? "", values, asNode: "__start__" });
}

/** The message, if it came right after this state. */
function addedAfter(
  ref: MessageRef,
  before: ThreadState,
  later: readonly KeptCheckpoint[],
  states: ReadonlyMap<string, ThreadState>,
): Omit<FoundMessage, "position"> | undefined {
  const isInput = before.metadata?.["source"] === "input";
  for (const { id, runId, change } of later) {
    const holder = states.get(id);
    const fresh = (change?.messages ?? []).filter(isObject);
    const asked = "id" in ref ? undefined : isInput && runId === ref.runId ? ref.index : -1;
    const index = asked ?? fresh.findIndex((message) => "id" in ref && message["id"] === ref.id);
    const message = fresh[index];
    if (holder !== undefined && message !== undefined)
      return { message, holder, before, index, text: contentText(chatMessage(message)?.content) };
  }
  return undefined;
}

/** What is no text, such as a picture, stays. */
function withText(content: Json | undefined, text: string): Json {
  if (!isList(content)) return text;
  const others = content.filter((part) => isObject(part) && part["type"] !== "text");
  return [{ type: "text", text }, ...others];
}
