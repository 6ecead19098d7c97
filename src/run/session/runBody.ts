/** What a run is sent with: as it was asked for in the panel, or as an earlier run was. */

import type { Json, JsonObject, Run, RunCreate } from "../../api/agentServer/wire.ts";
import { isList, isObject } from "../json/json.ts";
import type { RunRequest } from "../panel/messages.ts";

/** A run as the panel asks for it. */
export function runBody(request: RunRequest): RunCreate {
  const {
    assistantId,
    metadata,
    strategy,
    feedbackKeys = [],
    context,
    interruptBefore,
    interruptAfter,
  } = request;
  const { configurable, recursionLimit } = request;
  const config: JsonObject = {
    ...(configurable !== undefined && { configurable }),
    ...(recursionLimit !== undefined && { recursion_limit: recursionLimit }),
  };
  return {
    assistant_id: assistantId,
    input: inputOf(request.input),
    ...(metadata !== undefined && { metadata }),
    ...(strategy !== undefined && { multitask_strategy: strategy }),
    ...(feedbackKeys.length > 0 && { feedback_keys: feedbackKeys }),
    ...(context !== undefined && { context }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(interruptBefore !== undefined && { interrupt_before: interruptBefore }),
    ...(interruptAfter !== undefined && { interrupt_after: interruptAfter }),
  };
}

/**
 * What an earlier run was told beside its input, which is no part of the thread's state: who goes on with its work has
 * to tell it again. Configurable values are: servers keep them with the thread.
 */
export function settingsOf(run: Run | undefined): Partial<RunCreate> {
  const { context, config, interrupt_before: before, interrupt_after: after } = run?.kwargs ?? {};
  const limit = isObject(config) ? config["recursion_limit"] : undefined;
  return {
    ...(isObject(context) && Object.keys(context).length > 0 && { context }),
    ...(typeof limit === "number" && { config: { recursion_limit: limit } }),
    ...(isBreakpoints(before) && { interrupt_before: before }),
    ...(isBreakpoints(after) && { interrupt_after: after }),
  };
}

/** Text becomes one message; JSON is sent as it is. */
function inputOf(input: RunRequest["input"]): Json {
  return "json" in input ? input.json : { messages: [{ role: "user", content: input.text }] };
}

function isBreakpoints(value: Json | undefined): value is "*" | readonly string[] {
  if (value === "*") return true;
  return isList(value) && value.length > 0 && value.every((node) => typeof node === "string");
}
