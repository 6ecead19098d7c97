/** An agent's input as a file of the workspace: whose it is, what it is given, and how it is run. */

import type { Json, JsonObject, MultitaskStrategy, StreamMode } from "../../../api/agentServer/wire.ts";
import { isObject, parseJson, sameJson } from "../../../run/json/json.ts";
import { problemText, readJson } from "../../../run/json/jsonText.ts";
import { redact } from "../../../run/json/redact.ts";
import type { AgentOptions, InputMode, SentInput } from "../../../run/panel/agent.ts";
import type { AssistantChoice, ComposerDefaults, RunRequest } from "../../../run/panel/messages.ts";
import { SchemaCheck } from "../../../run/schema/check.ts";
import { rangesIn } from "../../../run/schema/textRanges.ts";
import { problemLine } from "../../../run/schema/problems.ts";

/** The file's content, by the names of the run's request; its schema is `media/agentInput.schema.json`. */
export interface SavedInput {
  readonly graph_id?: string;
  /** Where the graph has several, or its server names no graphs. */
  readonly assistant_id?: string;
  /** A text that is sent as a message; else there is an `input`. */
  readonly message?: string;
  readonly input?: Json;
  /** How the input is shown. */
  readonly mode?: Exclude<InputMode, "text">;
  readonly context?: JsonObject;
  readonly config?: { readonly configurable?: JsonObject; readonly recursion_limit?: number };
  readonly interrupt_before?: "*" | readonly string[];
  readonly interrupt_after?: "*" | readonly string[];
  readonly stream_mode?: readonly StreamMode[];
  readonly multitask_strategy?: MultitaskStrategy;
  readonly feedback_keys?: readonly string[];
  readonly metadata?: JsonObject;
}

/** What stands for a credential that was taken out. */
export const maskedCredential = "•••";

/** What is in the composer, to be saved for its agent; what is as usual is left out. */
export function savedInputOf(
  request: RunRequest,
  mode: InputMode,
  { assistants, composer }: { assistants: readonly AssistantChoice[]; composer: ComposerDefaults },
): SavedInput {
  const { input, context, configurable, recursionLimit, interruptBefore, interruptAfter } = request;
  const { streamModes, feedbackKeys = [], strategy, metadata } = request;
  const config = {
    ...(configurable !== undefined && { configurable }),
    ...(recursionLimit !== undefined && { recursion_limit: recursionLimit }),
  };
  return {
    ...ownerOf(request.assistantId, assistants),
    ...("text" in input ? { message: input.text } : { input: input.json, ...(mode !== "text" && { mode }) }),
    ...(context !== undefined && { context }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(interruptBefore !== undefined && { interrupt_before: interruptBefore }),
    ...(interruptAfter !== undefined && { interrupt_after: interruptAfter }),
    ...(!sameJson(streamModes, composer.streamModes) && { stream_mode: streamModes }),
    ...(strategy !== undefined && { multitask_strategy: strategy }),
    ...(!sameJson(feedbackKeys, composer.feedbackKeys) && { feedback_keys: feedbackKeys }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** The ids of assistants differ between servers: a graph that has only one is enough to find it. */
function ownerOf(
  assistantId: string,
  assistants: readonly AssistantChoice[],
): Pick<SavedInput, "graph_id" | "assistant_id"> {
  const graph = assistants.find(({ id }) => id === assistantId)?.graph;
  if (graph === undefined) return { assistant_id: assistantId };
  const isOnly = assistants.filter((other) => other.graph === graph).length === 1;
  return { graph_id: graph, ...(!isOnly && { assistant_id: assistantId }) };
}

/** The file's text without credentials; undefined where they can't be told from the rest. */
export function savedText(
  saved: SavedInput,
): { readonly text: string; readonly isMasked: boolean } | undefined {
  const whole = JSON.stringify(saved, undefined, 2);
  const text = redact(whole);
  return parseJson(text) === undefined ? undefined : { text: `${text}\n`, isMasked: text !== whole };
}

/** Reads such a file by its schema, or says at which line it is none. */
export function readSavedInput(
  text: string,
  schema: Json,
): { readonly saved: SavedInput } | { readonly problem: string } {
  const reading = readJson(text);
  if ("problem" in reading) return { problem: problemText(reading.problem) };
  const { value } = reading;
  if (!isObject(value)) return { problem: "Line 1: expected an object with the input of an agent" };
  if (value["graph_id"] === undefined && value["assistant_id"] === undefined)
    return { problem: "It does not say whose input it is: “graph_id” is missing" };
  if ((value["message"] === undefined) === (value["input"] === undefined))
    return { problem: "It has to have either a “message” or an “input”" };
  const check = new SchemaCheck(schema).check(value);
  const [problem] = "problems" in check ? check.problems : [];
  if (problem === undefined) return { saved: value };
  const [range] = rangesIn(text, [problem.path]);
  return { problem: `Line ${String(range?.line ?? 1)}: ${problemLine(problem, "the saved input")}` };
}

/** The assistant that it was saved for; undefined where a server has none such. */
export function ownerIn(
  { graph_id: graph, assistant_id: id }: SavedInput,
  assistants: readonly AssistantChoice[],
): AssistantChoice | undefined {
  if (id !== undefined) return assistants.find((assistant) => assistant.id === id);
  const ofGraph = assistants.filter((assistant) => assistant.graph === graph);
  return ofGraph.find(({ name }) => name === graph) ?? ofGraph[0];
}

/** Whose input it is, in words. */
export function ownerName({ graph_id: graph, assistant_id: id }: SavedInput): string {
  return graph ?? id ?? "";
}

/** What comes into the composer's box. */
export function writtenIn({ message, input }: SavedInput): SentInput {
  return message === undefined
    ? { mode: "json", text: JSON.stringify(input, undefined, 2) }
    : { mode: "text", text: message };
}

/** How the agent is run with it: all that the composer's options can say, so that nothing of before is left. */
export function optionsIn(saved: SavedInput): AgentOptions {
  const { context, config, metadata } = saved;
  return {
    mode: saved.message === undefined ? (saved.mode ?? "json") : "text",
    ...(saved.stream_mode !== undefined && { streamModes: saved.stream_mode }),
    ...(saved.multitask_strategy !== undefined && { strategy: saved.multitask_strategy }),
    ...(saved.feedback_keys !== undefined && { feedbackKeys: saved.feedback_keys.join(", ") }),
    ...(metadata !== undefined && { metadata: pretty(metadata) }),
    ...(context !== undefined && { context: pretty(context) }),
    ...(config?.configurable !== undefined && { configurable: pretty(config.configurable) }),
    ...(config?.recursion_limit !== undefined && { recursionLimit: String(config.recursion_limit) }),
    ...(saved.interrupt_before !== undefined && { interruptBefore: namesText(saved.interrupt_before) }),
    ...(saved.interrupt_after !== undefined && { interruptAfter: namesText(saved.interrupt_after) }),
  };
}

function pretty(value: JsonObject): string {
  return JSON.stringify(value, undefined, 2);
}

function namesText(names: "*" | readonly string[]): string {
  return names === "*" ? names : names.join(", ");
}
