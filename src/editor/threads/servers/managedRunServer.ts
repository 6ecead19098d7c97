/**
 * A managed agent as the server of a run session. Its API streams a run only to the client that started it and has
 * no other endpoint for runs, so what became of one is read from its thread.
 */

import type { SseEvent } from "../../../api/exchange.ts";
import type { Run, RunCreate } from "../../../api/agentServer/wire.ts";
import { ApiError, isGone } from "../../../api/errors.ts";
import type { ManagedAgents } from "../../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../../api/managedAgents/wire.ts";
import { poll } from "../../../api/poll.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { StateNow } from "../../../run/fold/threadState.ts";
import type { EventBatches, RunServer } from "../../../run/session/server.ts";
import { NotPossibleError } from "../../kit/remedies.ts";

/** Whose runs they are, and how its platform is asked. */
export interface ManagedRunServerParts {
  /** Asked for with each call: address, key and proxy may have changed since the last one. */
  readonly client: () => Promise<ManagedAgents>;
  readonly agentId: string;
  /** Whether threads are made for a test run, which needs nobody's attention. */
  readonly testRun?: boolean | undefined;
}

/** Why a managed agent's run is not stopped. */
export const noStop = new NotPossibleError(
  "Managed agents offer no way to stop a run.",
  "It goes on at the platform. Detach to leave it, or send a new input with the strategy “interrupt”, which ends it.",
);

const unknownRun = "unknown";

/** The runs of one managed agent, as a session wants them. */
export function managedRunServer({ client, agentId, testRun }: ManagedRunServerParts): RunServer {
  /** The newest run that was started here, by thread. */
  const newest = new Map<string, string>();
  const interrupted = new Set<string>();

  const runOf = async (threadId: string, runId: string, options?: CallOptions): Promise<Run> => {
    const thread = await (await client()).threads.get(threadId, options);
    const latest = newest.get(threadId) ?? runId;
    const superseded = interrupted.has(runId) ? "interrupted" : "success";
    return asRun(thread, agentId, runId, latest === runId ? statusOf(thread) : superseded);
  };

  const stream = async (threadId: string, body: RunCreate, options?: CallOptions): Promise<EventBatches> => {
    const api = await client();
    const started = await explained(api, agentId, () => start(api, agentId, threadId, body, options));
    const earlier = newest.get(threadId);
    if (earlier !== undefined && body.multitask_strategy === "interrupt") interrupted.add(earlier);
    if (started.runId !== undefined) newest.set(threadId, started.runId);
    return started;
  };

  return {
    soleAssistant: agentId,
    threads: {
      create: async (_, options) => {
        const thread = testRun === true ? { options: { test_run: true } } : {};
        return (await client()).threads.create({ agent_id: agentId, ...thread }, options);
      },
      state: async (threadId, options) => stateOf(await threadWithState(await client(), threadId, options)),
    },
    runs: {
      stream,
      rejoin: (threadId, runId, options) =>
        Promise.resolve({ runId, events: silentUntilIdle(client, threadId, options) }),
      get: runOf,
      list: async (threadId, options) => {
        const thread = await (await client()).threads.get(threadId, options);
        const runId = newest.get(threadId) ?? unknownRun;
        return thread.status === "busy" ? [asRun(thread, agentId, runId, "running")] : [];
      },
      cancel: () => Promise.reject(noStop),
    },
  };
}

/** The thread with its values; those that a server leaves out of one thread, a search has. */
export async function threadWithState(
  api: ManagedAgents,
  threadId: string,
  options?: CallOptions,
): Promise<ManagedThread> {
  const thread = await api.threads.get(threadId, options);
  if (thread.values !== undefined) return thread;
  const [found] = await api.threads.search({ ids: [threadId], limit: 1 }, options);
  return { ...found, ...thread };
}

/** A thread as the state that an agent server would answer. */
function stateOf(thread: ManagedThread): StateNow {
  const { status, interrupts } = thread;
  const tasks = Object.entries(interrupts ?? {}).map(([id, asked]) => ({ id, name: "", interrupts: asked }));
  return {
    values: thread.values ?? {},
    next: [],
    tasks,
    created_at: thread.state_updated_at ?? thread.updated_at ?? null,
    checkpoint: null,
    parent_checkpoint: null,
    ...(status !== undefined && { row: { status, ...(interrupts !== undefined && { interrupts }) } }),
  };
}

function start(
  api: ManagedAgents,
  agentId: string,
  threadId: string,
  body: RunCreate,
  options: CallOptions | undefined,
): Promise<EventBatches> {
  const { input, command, metadata, stream_mode, stream_subgraphs, multitask_strategy, feedback_keys } = body;
  const fields = {
    agent_id: agentId,
    user_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(metadata !== undefined && { metadata }),
    ...(stream_mode !== undefined && { stream_mode }),
    ...(stream_subgraphs !== undefined && { stream_subgraphs }),
    ...(multitask_strategy !== undefined && { multitask_strategy }),
    ...(feedback_keys !== undefined && { feedback_keys }),
  };
  if (command?.resume !== undefined)
    return api.runs.resume(threadId, { ...fields, resume: command.resume }, options);
  return api.runs.stream(threadId, { ...fields, ...(input !== undefined && { input }) }, options);
}

/** The platform says only "upstream failed" of an agent that was deleted: ask before passing that on. */
export async function explained<T>(api: ManagedAgents, agentId: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 502) throw error;
    await api.agents.get(agentId).catch((missing: unknown) => {
      if (isGone(missing))
        throw new NotPossibleError(
          "The managed agent of this thread was deleted.",
          "What was said stays here; the thread can't run any more. Start a new one with another agent.",
        );
    });
    throw error;
  }
}

/** What a run that is not streamed here sends: nothing, and that only when its thread is at rest. */
async function* silentUntilIdle(
  client: () => Promise<ManagedAgents>,
  threadId: string,
  { signal }: CallOptions = {},
): AsyncIterable<readonly SseEvent[]> {
  const { threads } = await client();
  const until = ({ status }: ManagedThread) => status !== "busy";
  await poll((ends) => threads.get(threadId, { signal: ends }), {
    until,
    signal,
    minMs: 1000,
    maxMs: 10_000,
  });
  yield [];
}

function statusOf({ status }: ManagedThread): string {
  return status === "busy" ? "running" : status === "error" ? "error" : "success";
}

/** When it began and ended is not known; a thread's own times would be wrong. */
function asRun(thread: ManagedThread, agentId: string, runId: string, status: string): Run {
  return {
    run_id: runId,
    thread_id: thread.thread_id,
    assistant_id: agentId,
    status,
    created_at: "",
    updated_at: "",
    metadata: {},
  };
}
