/** What is written in the composer, and the request that it comes to. */

import type { JsonReading } from "../../run/json/jsonText.ts";
import { problemText, readJson } from "../../run/json/jsonText.ts";
import type { InputMode } from "../../run/panel/agent.ts";
import type { FromWebview, PanelState } from "../../run/panel/messages.ts";
import { memory, type ComposerDraft } from "../kit/memory.ts";
import { type Agent, optionsOf } from "./agents.ts";
import { readSettings } from "./choices.ts";
import { purposeKey, type Purpose } from "./purpose.tsx";

const mostSent = 50;

/** The text in the box, which may be one that nobody typed. */
export interface Writing {
  readonly mode: InputMode;
  readonly text: string;
  readonly touched: boolean;
}

/** What the composer holds for a purpose: an agent that takes no messages has an input of its own, and no text. */
export function writingOf(draft: ComposerDraft, agent: Agent, purpose: Purpose): Writing {
  const { text, inputs } = draft;
  if (purpose.kind === "answer") return { mode: draft.answerMode, text, touched: text !== "" };
  const [usual, ...others] = modesOf(agent, purpose);
  const mode = others.find((other) => other === optionsOf(agent.assistantId).mode) ?? usual;
  if (mode === "text") return { mode, text, touched: text !== "" };
  const input = inputs[agent.assistantId];
  return { mode, text: input ?? startingText(agent, text), touched: input !== undefined };
}

/** The ways to write that there are, the usual one first. */
export function modesOf(
  { takesMessages, hasForm }: Agent,
  { kind }: Purpose,
): readonly [usual: InputMode, ...others: InputMode[]] {
  if (kind === "answer") return ["text", "json"];
  const form = hasForm ? (["form"] as const) : [];
  if (takesMessages !== false) return ["text", ...form, "json"];
  return hasForm ? ["form", "json"] : ["json"];
}

/** The draft with another text in the box, which keeps the purpose that it was begun with. */
export function withText(draft: ComposerDraft, agent: Agent, purpose: Purpose, text: string): ComposerDraft {
  const isInput = purpose.kind !== "answer" && writingOf(draft, agent, purpose).mode !== "text";
  const key = text === "" ? "" : purposeKey(purpose);
  // Nobody has written in a box that is as it was.
  if (isInput && text === agent.starting)
    return { ...draft, inputs: withoutInput(draft, agent), purpose: draft.text === "" ? "" : key };
  if (!isInput) return { ...draft, text, purpose: key };
  return { ...draft, inputs: { ...draft.inputs, [agent.assistantId]: text }, purpose: key };
}

/** What can be recalled, the newest last: what was sent from elsewhere, and then what was sent from here. */
export function sentBefore(writing: Pick<Writing, "mode">, agent: Agent): readonly string[] {
  const mode = writing.mode === "text" ? "text" : "json";
  const here = memory.get("sent")[recallKey(writing, agent)] ?? [];
  const known = new Set(here);
  const elsewhere = agent.sent.filter((input) => input.mode === mode && !known.has(input.text));
  return [...elsewhere.map(({ text }) => text), ...here];
}

/** What was sent is recalled by how it was written, and for whom. */
export function recallKey(
  { mode }: Pick<Writing, "mode">,
  { assistantId }: Pick<Agent, "assistantId">,
): string {
  return `${mode === "text" ? "text" : "json"} ${assistantId}`;
}

/** Keeps a text to be recalled, as the newest. */
export function keepSent(key: string, text: string): void {
  const sent = memory.get("sent");
  const others = (sent[key] ?? []).filter((earlier) => earlier !== text);
  memory.set("sent", { ...sent, [key]: [...others, text].slice(-mostSent) });
}

/** The inputs that were begun for other agents. */
export function withoutInput({ inputs }: ComposerDraft, { assistantId }: Agent): ComposerDraft["inputs"] {
  return Object.fromEntries(Object.entries(inputs).filter(([id]) => id !== assistantId));
}

/** What was typed as a message is a message in JSON, too. */
function startingText({ starting, takesMessages, document }: Agent, typed: string): string {
  if (typed === "" || takesMessages === false) return starting;
  const message = { role: "user", content: typed };
  const value: unknown = document === undefined || starting === "" ? {} : JSON.parse(starting);
  return JSON.stringify({ ...Object(value), messages: [message] }, undefined, 2);
}

/** What can be sent; or else the problem, unless it is only that nothing is written yet. */
export interface Reading {
  readonly request?: Extract<FromWebview, { type: "start" | "resume" }>;
  readonly problem?: string;
}

/** Turns the composer into a request. */
export function readWriting(
  { mode, text }: Writing,
  agent: Pick<Agent, "assistantId">,
  purpose: Purpose,
  state: PanelState,
): Reading {
  if (text.trim() === "") return {};
  const json: JsonReading | undefined = mode === "text" ? undefined : readJson(text);
  if (json !== undefined && "problem" in json) return { problem: problemText(json.problem) };
  if (purpose.kind === "answer")
    return {
      request: {
        type: "resume",
        interruptId: purpose.question.id,
        value: json === undefined ? text : json.value,
      },
    };
  const { assistantId } = agent;
  if (assistantId === "") return {};
  const reading = readSettings(optionsOf(assistantId), state);
  if ("problem" in reading) return reading;
  const input = json === undefined ? { text } : { json: json.value };
  return { request: { type: "start", request: { assistantId, input, ...reading.settings } } };
}
