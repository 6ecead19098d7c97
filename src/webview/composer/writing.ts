/** What is written in the composer, and how it is sent: after a second word where there is a doubt. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { type JsonReading, problemText, readJson } from "../../run/json/jsonText.ts";
import type { InputMode } from "../../run/panel/agent.ts";
import type { FromWebview, PanelState } from "../../run/panel/messages.ts";
import type { InterruptEntry } from "../../run/panel/transcript.ts";
import type { Check } from "../../run/schema/check.ts";
import { post, useReceived } from "../kit/host.ts";
import { memory, type ComposerDraft } from "../kit/memory.ts";
import { ownValue } from "../kit/ownValue.ts";
import { type Agent, optionsOf } from "./agents.ts";
import { chosenAgent, readSettings } from "./choices.ts";
import { checkText } from "./inputChecks.ts";
import { purposeKey, purposeOf, type Purpose } from "./purpose.tsx";
import { keepSent, recallKey } from "./recall.ts";

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
  const input = ownValue(inputs, agent.assistantId);
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

/**
 * Why something is not sent at once: a question is left without an answer, the schema refuses the input or what the graph
 * is told beside it, or it is not known yet whether the agent takes messages at all.
 */
export type Doubt = "question" | "schema" | "settings" | "messages";

interface SendingParts {
  readonly state: PanelState;
  readonly questions: readonly InterruptEntry[];
  readonly agent: Agent;
  /** What is written now. */
  readonly writing: Writing;
  /** What is wrong with a field of the form whose text is no value yet. */
  readonly broken: string | undefined;
  /** Checks a text against the agent's schema; undefined where there is nothing to check. */
  readonly checked: (text: string) => Promise<Check | undefined>;
}

/** What is being sent, and what stands in its way. */
export interface Sending {
  /** Why the host refused it; gone once the text changes. */
  readonly refusal: string | undefined;
  /** What was sent and is unanswered. */
  readonly waiting: "start" | "resume" | undefined;
  readonly doubt: Doubt | undefined;
  /** Sends what is in the box at that moment, which may be newer than what was last drawn; `despite` these doubts. */
  readonly send: (despite?: readonly Doubt[]) => void;
}

/**
 * So long a message waits for the server to say whether its agent takes messages: one that has its agents ready says so
 * in time. One that has to read its graphs first takes many seconds, and most of those take messages.
 */
const longestHeldMs = 1500;

interface Doubted {
  readonly doubt: Doubt;
  readonly text: string;
  readonly assistantId: string;
  readonly despite: readonly Doubt[];
}

/**
 * The text stays until the host accepts it, and longer if it was changed meanwhile; a refusal stays until the text
 * changes.
 */
export function useSending(parts: SendingParts): Sending {
  const { agent, writing } = parts;
  const [refused, setRefused] = useState<{ readonly message: string; readonly text: string }>();
  const [sent, setSent] = useState<{ readonly type: "start" | "resume"; readonly writing: Writing }>();
  const [doubted, setDoubted] = useState<Doubted>();
  const newest = useRef(parts);
  newest.current = parts;
  useReceived(
    (message) => {
      // A page that was reloaded meanwhile does not know what it sent: what it remembers is that.
      const asked = sent ?? { type: "start", writing };
      if ((message.type !== "accepted" && message.type !== "refused") || message.request !== asked.type)
        return;
      setSent(undefined);
      if (message.type === "accepted") remember(asked.writing, agent);
      // Why an answer was refused stands above the conversation, or at its question.
      else if (asked.type === "start") setRefused({ message: message.message, text: asked.writing.text });
    },
    [sent, writing, agent],
  );
  const refusal = refused?.text === writing.text ? refused.message : undefined;
  const checking = useRef(false);
  const isOf = (doubtful: Doubted | undefined) =>
    doubtful?.text === writing.text && doubtful.assistantId === agent.assistantId;
  const known = isOf(doubted) ? doubted : undefined;
  const send = async (more: readonly Doubt[]): Promise<void> => {
    const despite = [...(known?.despite ?? []), ...more];
    const now = writtenNow(newest.current, despite);
    const { request } = readWriting(now.writing, now, now.purpose, newest.current.state);
    const isSending = sent !== undefined || checking.current || newest.current.broken !== undefined;
    if (isSending || request === undefined || now.purpose.kind === "late") return;
    checking.current = true;
    const doubt = await doubtOf(newest.current, now, despite);
    checking.current = false;
    const { text } = now.writing;
    // It may have been changed while it was checked.
    if (writtenNow(newest.current, despite).writing.text !== text) return;
    setDoubted(doubt && { doubt, text, despite, assistantId: now.assistantId });
    if (doubt === "settings") memory.set("draft", { ...memory.get("draft"), options: true });
    if (doubt !== undefined) return;
    setRefused(undefined);
    setSent({ type: request.type, writing: now.writing });
    if (now.writing.mode === "text" && takesUnknown(newest.current.agent))
      memory.set("draft", { ...memory.get("draft"), unsure: { assistantId: now.assistantId, text } });
    post(request);
  };
  const isAnswered = agent.schemas.kind !== "asking";
  useLayoutEffect(() => {
    if (known?.doubt !== "messages" || !isAnswered) return;
    if (agent.takesMessages === false) setDoubted(undefined);
    else void send(["messages"]);
  }, [known, isAnswered]);
  const isHeld = known?.doubt === "messages" && !isAnswered;
  const sendHeld = useRef(send);
  sendHeld.current = send;
  useEffect(() => {
    if (!isHeld) return undefined;
    const timer = setTimeout(() => void sendHeld.current(["messages"]), longestHeldMs);
    return () => clearTimeout(timer);
  }, [isHeld]);
  // It may have been answered meanwhile, here or elsewhere.
  const isOver = known?.doubt === "question" && parts.questions.length === 0;
  const doubt = isOver ? undefined : known?.doubt;
  return { refusal, waiting: sent?.type, doubt, send: (despite = []) => void send(despite) };
}

interface Written {
  readonly writing: Writing;
  readonly purpose: Purpose;
  readonly assistantId: string;
}

function writtenNow({ state, questions, agent }: SendingParts, despite: readonly Doubt[]): Written {
  const draft = memory.get("draft");
  const purpose: Purpose = despite.includes("question") ? { kind: "run" } : purposeOf(draft, questions);
  return { purpose, writing: writingOf(draft, agent, purpose), assistantId: chosenAgent(draft, state) };
}

async function doubtOf(
  { questions, agent, checked }: SendingParts,
  { purpose, writing }: Written,
  despite: readonly Doubt[],
): Promise<Doubt | undefined> {
  if (purpose.kind !== "run") return undefined;
  if (questions.length > 0 && !despite.includes("question")) return "question";
  if (writing.mode === "text" && takesUnknown(agent) && !despite.includes("messages")) return "messages";
  const isChecked = writing.mode !== "text" && !despite.includes("schema");
  if (isChecked && refuses(await checked(writing.text))) return "schema";
  return !despite.includes("settings") && (await refusesSettings(agent)) ? "settings" : undefined;
}

/** Whether its server has not said yet if it takes messages. */
function takesUnknown({ schemas, takesMessages }: Agent): boolean {
  return schemas.kind === "asking" && takesMessages === undefined;
}

async function refusesSettings({ assistantId, schemas }: Agent): Promise<boolean> {
  if (schemas.kind !== "known") return false;
  const { context = "", configurable = "" } = optionsOf(assistantId);
  const settings = [
    { schema: schemas.context, text: context },
    { schema: schemas.config, text: configurable },
  ];
  for (const { schema, text } of settings)
    if (schema !== undefined && text.trim() !== "" && refuses(await checkText(schema, text))) return true;
  return false;
}

function refuses(check: Check | undefined): boolean {
  return check !== undefined && "problems" in check && check.problems.length > 0;
}

const run: Purpose = { kind: "run" };

/**
 * Once accepted, a text goes from the box to the list that can be recalled, unless the box was changed meanwhile. The
 * input of an agent that takes no messages stays, to be changed and sent again.
 */
function remember({ mode, text }: Writing, agent: Agent): void {
  const { assistantId, takesMessages } = agent;
  keepSent(recallKey({ mode }, agent), text);
  const draft = memory.get("draft");
  const input = ownValue(draft.inputs, assistantId);
  const cleared = { ...draft, purpose: "" };
  if (takesMessages === false && input === text) memory.set("draft", cleared);
  else if (input === text) memory.set("draft", { ...cleared, text: "", inputs: withoutInput(draft, agent) });
  else if (draft.text === text || writingOf(draft, agent, run).text === text)
    memory.set("draft", { ...cleared, text: "" });
}

/** The inputs that were begun for other agents. */
function withoutInput({ inputs }: ComposerDraft, { assistantId }: Agent): ComposerDraft["inputs"] {
  return Object.fromEntries(Object.entries(inputs).filter(([id]) => id !== assistantId));
}

/** What was typed as a message is a message in JSON, too. */
function startingText({ starting, takesMessages, document }: Agent, typed: string): string {
  if (typed === "" || takesMessages === false) return starting;
  const message = { role: "user", content: typed };
  const value: unknown = document === undefined || starting === "" ? {} : JSON.parse(starting);
  return JSON.stringify({ ...Object(value), messages: [message] }, undefined, 2);
}
