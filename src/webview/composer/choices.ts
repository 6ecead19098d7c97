/** What is chosen about the next run, with what nobody chose filled in. */

import type { AgentOptions } from "../../run/panel/agent.ts";
import { problemText, readJsonObject } from "../../run/json/jsonText.ts";
import type {
  JsonObject,
  MultitaskStrategy,
  PanelState,
  RunRequest,
  StreamMode,
} from "../../run/panel/messages.ts";
import type { ComposerDraft } from "../kit/memory.ts";

/** The options of an agent with the host's defaults filled in. */
export interface Choices {
  readonly streamModes: readonly StreamMode[];
  /** "default" leaves it to the server. */
  readonly strategy: MultitaskStrategy | "default";
  readonly feedbackKeys: string;
}

/** Fills the gaps of an agent's options from the panel's defaults. */
export function choicesOf(options: AgentOptions, { composer }: PanelState): Choices {
  return {
    streamModes: options.streamModes ?? composer.streamModes,
    strategy: options.strategy ?? composer.strategy ?? "default",
    feedbackKeys: options.feedbackKeys ?? composer.feedbackKeys.join(", "),
  };
}

/** The agent that runs next; one that is gone is no choice. */
export function chosenAgent(draft: ComposerDraft, { composer, assistants }: PanelState): string {
  const offered = (id: string | undefined) => assistants.find((assistant) => assistant.id === id)?.id;
  return offered(draft.assistantId) ?? offered(composer.assistantId) ?? assistants[0]?.id ?? "";
}

/** The run's settings, or what is wrong with one of them. */
export type SettingsReading =
  | { readonly settings: Omit<RunRequest, "assistantId" | "input"> }
  | { readonly problem: string };

/** Reads what was typed; what is empty is not sent. */
export function readSettings(options: AgentOptions, state: PanelState): SettingsReading {
  const { streamModes, strategy, feedbackKeys } = choicesOf(options, state);
  if (streamModes.length === 0) return { problem: "Choose at least one stream mode" };
  const texts = { metadata: "Metadata", context: "Context", configurable: "Configurable values" } as const;
  const objects: Record<string, JsonObject> = {};
  for (const [name, label] of Object.entries(texts)) {
    const reading = readJsonObject(options[name as keyof typeof texts] ?? "");
    if ("problem" in reading) return { problem: `${label}: ${problemText(reading.problem)}` };
    if (reading.value !== undefined) objects[name] = reading.value;
  }
  const fixed = ["checkpoint_id", "checkpoint_ns", "thread_id"].find(
    (name) => objects["configurable"] !== undefined && name in objects["configurable"],
  );
  if (fixed !== undefined)
    return {
      problem: `Configurable values: “${fixed}” says where a run goes on, which the thread does. Take it out`,
    };
  const limit = options.recursionLimit?.trim() ?? "";
  if (limit !== "" && !/^[1-9]\d{0,8}$/.test(limit))
    return { problem: "Recursion limit: expected a whole number above 0" };
  const keys = namesOf(feedbackKeys);
  const [before, after] = [breakpointsOf(options.interruptBefore), breakpointsOf(options.interruptAfter)];
  return {
    settings: {
      streamModes,
      ...objects,
      ...(strategy !== "default" && { strategy }),
      ...(keys.length > 0 && { feedbackKeys: keys }),
      ...(limit !== "" && { recursionLimit: Number(limit) }),
      ...(before !== undefined && { interruptBefore: before }),
      ...(after !== undefined && { interruptAfter: after }),
    },
  };
}

/** The names in a text that has them separated by commas, each once. */
export function namesOf(text: string): readonly string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}

function breakpointsOf(text = ""): "*" | readonly string[] | undefined {
  const names = namesOf(text);
  return names.includes("*") ? "*" : names.length === 0 ? undefined : names;
}
