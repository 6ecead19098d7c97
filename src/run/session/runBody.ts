/** What runs are sent with: how each is streamed, what an earlier one was told, and who gave an answer. */

import type {
  Json,
  JsonObject,
  MultitaskStrategy,
  Run,
  RunCreate,
  StreamMode,
} from "../../api/agentServer/wire.ts";
import { isList, isNestedTooDeep, isObject } from "../json/json.ts";
import type { RunRequest } from "../panel/messages.ts";
import type { AnswerGiver } from "../panel/transcript.ts";

/**
 * Pieces of messages as they come, what each node did, and what graphs report. The whole state is left out:
 * it repeats all messages with every step, and is asked for once at the end of a run instead.
 */
export const defaultStreamModes: readonly StreamMode[] = ["messages-tuple", "updates", "custom"];

/** How each run is streamed: it can be left and joined again at any time. */
export const followable = {
  stream_mode: defaultStreamModes,
  stream_subgraphs: true,
  stream_resumable: true,
  on_disconnect: "continue",
} as const satisfies Partial<RunCreate>;

/** A run as the panel asks for it: text becomes one message, and JSON is sent as it is. */
export function runBody(request: RunRequest): RunCreate {
  const { input, metadata, strategy, feedbackKeys = [], context } = request;
  const { configurable, recursionLimit, interruptBefore, interruptAfter } = request;
  const config: JsonObject = {
    ...(configurable !== undefined && { configurable }),
    ...(recursionLimit !== undefined && { recursion_limit: recursionLimit }),
  };
  return {
    assistant_id: request.assistantId,
    input: "json" in input ? input.json : { messages: [{ role: "user", content: input.text }] },
    ...(metadata !== undefined && { metadata }),
    ...(strategy !== undefined && { multitask_strategy: strategy }),
    ...(feedbackKeys.length > 0 && { feedback_keys: feedbackKeys }),
    ...(context !== undefined && { context }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(interruptBefore !== undefined && { interrupt_before: interruptBefore }),
    ...(interruptAfter !== undefined && { interrupt_after: interruptAfter }),
  };
}

/** Runs that bring an answer of a person say so, so that other windows can tell who answered. */
export const answerMark = { answered_with: "agent-operations" };

/**
 * What an earlier run was told beside its input, which is no part of the thread's state: who goes on with its work has
 * to tell it again. Configurable values are: servers keep them with the thread.
 */
export function settingsOf(run: Run | undefined): Pick<RunCreate, "context" | "config"> {
  const { context, config } = run?.kwargs ?? {};
  const limit = isObject(config) ? config["recursion_limit"] : undefined;
  return {
    ...(isObject(context) && Object.keys(context).length > 0 && { context }),
    ...(typeof limit === "number" && { config: { recursion_limit: limit } }),
  };
}

/** The answer that a run was started with, and who gave it, as far as the server says. */
export function answerIn({ kwargs, metadata, assistant_id: assistantId }: Run): {
  readonly resume: Json | undefined;
  readonly giver: AnswerGiver;
} {
  const command = kwargs?.["command"];
  const isOurs = isObject(metadata) && metadata["answered_with"] === answerMark.answered_with;
  return {
    resume: isObject(command) ? (command["resume"] ?? undefined) : undefined,
    giver: isOurs ? { kind: "otherWindow" } : { kind: "run", assistantId },
  };
}

/** The settings of a run and where it is to stop: an answer lets it go on as it was. */
export function settingsAgain(run: Run | undefined): Partial<RunCreate> {
  const { interrupt_before: before, interrupt_after: after } = run?.kwargs ?? {};
  return {
    ...settingsOf(run),
    ...(isBreakpoints(before) && { interrupt_before: before }),
    ...(isBreakpoints(after) && { interrupt_after: after }),
  };
}

/** What starts a run like an earlier one, in the same thread or another; undefined where its server does not tell its input. */
export function bodyAgain(run: Run): RunCreate | undefined {
  const { assistant_id, kwargs = {}, metadata, multitask_strategy: strategy } = run;
  const { input, command, config, feedback_keys: keys, stream_mode: modes, subgraphs } = kwargs;
  const hasInput = (input ?? null) !== null || isObject(command);
  if (!hasInput || isNestedTooDeep(kwargs)) return undefined;
  const ownMetadata = own(isObject(metadata) ? metadata : {});
  const { config: limit, ...settings } = settingsAgain(run);
  const configAgain = { ...(isObject(config) && configOf(config)), ...limit };
  return {
    assistant_id,
    ...(isObject(command) ? { command } : { input: input ?? null }),
    ...(Object.keys(ownMetadata).length > 0 && { metadata: ownMetadata }),
    ...(Object.keys(configAgain).length > 0 && { config: configAgain }),
    ...settings,
    ...(isTexts(modes) && { stream_mode: modes as readonly StreamMode[] }),
    ...(subgraphs === true && { stream_subgraphs: true }),
    ...(isTexts(keys) && { feedback_keys: keys }),
    ...(isStrategy(strategy) && { multitask_strategy: strategy }),
  };
}

/** What servers and answers add to a run's configuration and metadata says which run of which thread it is. */
const added =
  /^(__|langgraph_|x-|checkpoint_|user-agent$|(run|thread|graph|assistant)_id$|created_by$|run_attempt$|answered_with$|repaired_by$)/;

function own(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !added.test(name)));
}

function configOf({ configurable, tags }: JsonObject): JsonObject {
  const ownValues = isObject(configurable) ? own(configurable) : {};
  return {
    ...(Object.keys(ownValues).length > 0 && { configurable: ownValues }),
    ...(isTexts(tags) && { tags }),
  };
}

const strategies: readonly unknown[] = ["reject", "enqueue", "interrupt", "rollback"];

function isStrategy(value: Run["multitask_strategy"]): value is MultitaskStrategy {
  return strategies.includes(value);
}

function isBreakpoints(value: Json | undefined): value is "*" | readonly string[] {
  return value === "*" || isTexts(value);
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return isList(value) && value.length > 0 && value.every((text) => typeof text === "string");
}
