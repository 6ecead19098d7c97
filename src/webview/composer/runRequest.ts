import type { MultitaskStrategy, PanelState, RunRequest, StreamMode } from "../../run/panel/messages.ts";
import { problemText, readJson, readJsonObject } from "../../run/json/jsonText.ts";
import type { ComposerDraft } from "../memory.ts";

/** The composer's choices with the host's defaults filled in. */
export interface Choices {
  readonly assistantId: string;
  readonly streamModes: readonly StreamMode[];
  /** "default" leaves it to the server. */
  readonly strategy: MultitaskStrategy | "default";
  readonly feedbackKeys: string;
  readonly metadata: string;
}

/** A run that can be started, or why not; `quiet` reasons need no complaint. */
export type RequestReading =
  { readonly request: RunRequest } | { readonly missing: string; readonly quiet: boolean };

/** Fills the gaps of a draft from the panel's defaults; an agent that is gone is no choice. */
export function choicesOf(draft: ComposerDraft, state: PanelState): Choices {
  const { composer, assistants } = state;
  const offered = (id: string | undefined) => assistants.find((assistant) => assistant.id === id)?.id;
  return {
    assistantId: offered(draft.assistantId) ?? offered(composer.assistantId) ?? assistants[0]?.id ?? "",
    streamModes: draft.streamModes ?? composer.streamModes,
    strategy: draft.strategy ?? composer.strategy ?? "default",
    feedbackKeys: draft.feedbackKeys ?? composer.feedbackKeys.join(", "),
    metadata: draft.metadata ?? "",
  };
}

/** Turns the composer into a request. */
export function readRequest(draft: ComposerDraft, choices: Choices): RequestReading {
  if (choices.assistantId === "") return { missing: "No agent to run", quiet: true };
  if (draft.text.trim() === "")
    return { missing: draft.mode === "text" ? "Write a message" : "Write the input", quiet: true };
  const metadata = readJsonObject(choices.metadata);
  if ("problem" in metadata) return { missing: `Metadata: ${problemText(metadata.problem)}`, quiet: false };
  if (choices.streamModes.length === 0) return { missing: "Choose at least one stream mode", quiet: false };
  const input = readInput(draft);
  if ("missing" in input) return { missing: input.missing, quiet: false };
  const feedbackKeys = choices.feedbackKeys
    .split(",")
    .flatMap((key) => (key.trim() === "" ? [] : [key.trim()]));
  return {
    request: {
      assistantId: choices.assistantId,
      input: input.input,
      streamModes: choices.streamModes,
      ...(metadata.value === undefined ? {} : { metadata: metadata.value }),
      ...(choices.strategy === "default" ? {} : { strategy: choices.strategy }),
      ...(feedbackKeys.length === 0 ? {} : { feedbackKeys: [...new Set(feedbackKeys)] }),
    },
  };
}

function readInput(
  draft: ComposerDraft,
): { readonly input: RunRequest["input"] } | { readonly missing: string } {
  if (draft.mode === "text") return { input: { text: draft.text } };
  const reading = readJson(draft.text);
  return "problem" in reading
    ? { missing: problemText(reading.problem) }
    : { input: { json: reading.value } };
}
