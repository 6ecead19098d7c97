import * as z from "zod";
import { record } from "../kit/schemas.ts";
import { HttpError, required } from "../kit/httpError.ts";
import { isObject, type JsonObject } from "../kit/json.ts";
import { assistantId } from "../agents/catalog.ts";
import type { Agent } from "../runtime/agent.ts";
import type { Platform } from "./platform.ts";
import { streamModes } from "../runtime/projector.ts";
import { type Command, multitaskStrategies, type RunKwargs } from "../runtime/runs.ts";
import type { Ticket } from "../runtime/ticket.ts";
import { checkpointReference, requireCheckpoint, requireThread } from "./threadState.ts";

const streamMode = z.enum(streamModes);
const breakpoints = z.union([z.literal("*"), z.array(z.string())]);
const gotoTarget = z.union([z.string(), z.looseObject({ node: z.string() })]);

/** What clients send to create a run, on a thread or without one. */
export const runBody = z.looseObject({
  assistant_id: z.string().min(1),
  input: z.unknown().optional(),
  command: z
    .looseObject({
      resume: z.unknown().optional(),
      update: z.unknown().optional(),
      goto: z.union([gotoTarget, z.array(gotoTarget)]).nullish(),
    })
    .nullish(),
  metadata: record.nullish(),
  config: z.looseObject({ configurable: record.nullish() }).nullish(),
  context: record.nullish(),
  checkpoint: checkpointReference.nullish(),
  checkpoint_id: z.string().nullish(),
  stream_mode: z.union([streamMode, z.array(streamMode)]).nullish(),
  stream_subgraphs: z.boolean().nullish(),
  stream_resumable: z.boolean().nullish(),
  feedback_keys: z.array(z.string().min(1)).nullish(),
  interrupt_before: breakpoints.nullish(),
  interrupt_after: breakpoints.nullish(),
  multitask_strategy: z.enum(multitaskStrategies).nullish(),
  if_not_exists: z.enum(["create", "reject"]).nullish(),
  after_seconds: z.number().min(0).max(31_622_400).nullish(),
  on_disconnect: z.enum(["cancel", "continue"]).nullish(),
  on_completion: z.enum(["delete", "keep"]).nullish(),
  webhook: z.url({ protocol: /^https?$/ }).nullish(),
});

/** A checked order for a run. */
export type RunBody = z.output<typeof runBody>;

/**
 * Creates a run on a thread, which must exist unless the body says that it may be made. The thread keeps the run's
 * configuration with its checkpoint for all runs that follow, as on an agent server, unless the run is to go `once` there.
 */
export function createRun(
  platform: Platform,
  deploymentId: string,
  threadId: string,
  body: RunBody,
  once = false,
): Ticket {
  const { store, threads } = platform;
  const assistant = assistantOf(platform, body.assistant_id);
  return store.atomically(() => {
    if (threads.get(deploymentId, threadId) === undefined) {
      if (body.if_not_exists !== "create") throw new HttpError(404, `Thread with ID ${threadId} not found`);
      threads.insert(deploymentId, threadId, body.metadata ?? {});
    }
    const { config: kept, status } = requireThread(platform, deploymentId, threadId);
    const configurable = { ...(isObject(kept.configurable) && kept.configurable), ...configurableOf(body) };
    if (status !== "busy" && !once) threads.setConfig(threadId, { ...kept, ...body.config, configurable });
    const order = { ...body, config: { ...body.config, configurable } };
    // As on an agent server: a place for a checkpoint is enough, also an empty one.
    const repeats = !once && "checkpoint_id" in configurable;
    return orderRun(platform, deploymentId, threadId, order, assistant, { temporary: false, repeats });
  });
}

/** Creates a run on a thread of its own. */
export function createStatelessRun(
  platform: Platform,
  deploymentId: string,
  threadId: string,
  body: RunBody,
): Ticket {
  const assistant = assistantOf(platform, body.assistant_id);
  return platform.store.atomically(() => {
    platform.threads.insert(deploymentId, threadId, body.metadata ?? {});
    const temporary = body.on_completion !== "keep";
    return orderRun(platform, deploymentId, threadId, body, assistant, { temporary, repeats: false });
  });
}

/** Creates a run of an agent on a thread that exists. */
export function orderRun(
  platform: Platform,
  deploymentId: string,
  threadId: string,
  body: RunBody,
  assistant: ReturnType<typeof assistantOf>,
  habits: Pick<RunKwargs, "temporary" | "repeats">,
): Ticket {
  const kwargs = { ...kwargsOf(body), ...habits };
  if (kwargs.checkpoint_id !== null) requireCheckpoint(platform, threadId, kwargs.checkpoint_id);
  const before = platform.threads.get(deploymentId, threadId);
  const ids = { graph_id: assistant.agent.name, assistant_id: assistant.assistant_id };
  const ticket = platform.scheduler.create({
    deploymentId,
    threadId,
    assistantId: assistant.assistant_id,
    agent: assistant.agent,
    kwargs,
    metadata: { ...ids, ...body.metadata },
    strategy: body.multitask_strategy ?? "enqueue",
    afterSeconds: body.after_seconds ?? 0,
  });
  // As on an agent server: a thread is that of the graph which ran on it last.
  if (before !== undefined && before.status !== "busy") {
    platform.threads.setMetadata(threadId, { ...before.metadata, ...ids });
  }
  return ticket;
}

/** The agent that an assistant id or a graph name means, or a 404. */
export function assistantOf(
  platform: Platform,
  id: string,
): { readonly assistant_id: string; readonly agent: Agent } {
  const hint = "Make sure the assistant ID is for a valid assistant or a valid graph ID.";
  const agent = required(platform.findAgent(id), `No assistant found for "${id}". ${hint}`);
  return { assistant_id: assistantId(agent.name), agent };
}

function kwargsOf(body: RunBody): Omit<RunKwargs, "temporary" | "repeats"> {
  const configurable = configurableOf(body);
  const { checkpoint_id: checkpointId } = configurable;
  const modes = [body.stream_mode ?? []].flat();
  return {
    input: inputOf(body.input),
    command: body.command === null || body.command === undefined ? null : commandOf(body.command),
    config: { ...body.config, configurable },
    context: body.context ?? {},
    checkpoint_id: typeof checkpointId === "string" ? checkpointId : null,
    stream_mode: modes.length === 0 ? ["values"] : modes,
    subgraphs: body.stream_subgraphs ?? false,
    resumable: body.stream_resumable ?? false,
    feedback_keys: [...new Set(body.feedback_keys ?? [])],
    interrupt_before: body.interrupt_before ?? [],
    interrupt_after: body.interrupt_after ?? [],
    webhook: body.webhook ?? null,
  };
}

/** The checkpoint to start from is one of the things that a run is configured with. */
function configurableOf({ config, checkpoint, checkpoint_id }: RunBody): JsonObject {
  return { ...config?.configurable, ...(checkpoint_id && { checkpoint_id }), ...checkpoint };
}

/** Agents take objects; a bare text or list counts as the messages. */
function inputOf(input: unknown): RunKwargs["input"] {
  if (input === undefined || input === null) return null;
  const parsed = record.safeParse(input);
  return parsed.success ? parsed.data : { messages: input };
}

function commandOf(command: NonNullable<RunBody["command"]>): Command {
  const { goto, resume, update } = command;
  const targets = goto === null || goto === undefined ? undefined : Array.isArray(goto) ? goto : [goto];
  return {
    ...(resume === undefined ? {} : { resume }),
    ...(update === undefined || update === null ? {} : { update }),
    ...(targets === undefined
      ? {}
      : { goto: targets.map((target) => (typeof target === "string" ? target : target.node)) }),
  };
}
