/** Saved inputs: one of them comes into the composer, and what is written there goes to be saved. */

import { useLayoutEffect } from "preact/hooks";

import type { FromWebview, PanelState, ToWebview } from "../../run/panel/messages.ts";
import { post, receive, useReceived } from "../kit/host.ts";
import { memory } from "../kit/memory.ts";
import { ownValue } from "../kit/ownValue.ts";
import { type Agent, replaceOptions } from "./agents.ts";
import type { Purpose } from "./purpose.tsx";
import { keepSent, recallKey } from "./recall.ts";
import { readWriting, type Writing } from "./writing.ts";

/** The host asked for what is written, and has no answer yet. */
let isAsked = false;

// Not in a component: both may come before the composer is drawn.
receive((message) => {
  if (message.type === "fill") fill(message);
  if (message.type === "askInput") isAsked = true;
});

/** What it replaces can be recalled as if it had been sent. */
function fill({ assistantId, input, options }: Extract<ToWebview, { type: "fill" }>): void {
  replaceOptions(assistantId, options);
  const draft = memory.get("draft");
  const { mode, text } = input;
  const replaced = mode === "text" ? draft.text : ownValue(draft.inputs, assistantId);
  if (replaced !== undefined && replaced !== "" && replaced !== text)
    keepSent(recallKey({ mode }, { assistantId }), replaced);
  const written = mode === "text" ? { text } : { inputs: { ...draft.inputs, [assistantId]: text } };
  memory.set("draft", { ...draft, ...written, assistantId, purpose: "run" });
}

interface Written {
  readonly agent: Agent;
  readonly writing: Writing;
  readonly purpose: Purpose;
  readonly state: PanelState;
  /** What is wrong with a field whose text is no value yet. */
  readonly broken: string | undefined;
}

/** Answers the host when it asks for what is written, as soon as it is known for which agent. */
export function useSaving(written: Written): void {
  const { assistantId } = written.agent;
  const answer = (): void => {
    if (!isAsked || assistantId === "") return;
    isAsked = false;
    post({ type: "saveInput", input: inputOf(written) });
  };
  useReceived(answer, Object.values(written));
  useLayoutEffect(answer, [assistantId]);
}

function inputOf({ agent, writing, purpose, state, broken }: Written) {
  type Saved = Extract<FromWebview, { type: "saveInput" }>["input"];
  const problem = (text: string): Saved => ({ problem: text });
  if (purpose.kind === "answer") return problem("it is the answer to a question, and no input of a run");
  const { request, problem: broke } = readWriting(writing, agent, purpose, state);
  const wrong = broken ?? broke;
  if (wrong !== undefined) return problem(wrong);
  if (request?.type !== "start") return problem("nothing is written yet");
  return { mode: writing.mode, request: request.request };
}
