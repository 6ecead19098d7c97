/**
 * A chat backend as the server of a run session. Its protocol knows threads and their events, but no runs: what became
 * of one is read from its events, and where those are lost from the thread's state.
 */

import { randomUUID } from "node:crypto";
import type {
  Json,
  JsonObject,
  Run,
  RunCreate,
  RunStatus,
  ThreadState,
} from "../../../api/agentServer/wire.ts";
import { saysUnsupported } from "../../../api/capabilities.ts";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import { type CommandResult, ProtocolError } from "../../../api/threadProtocol/wire.ts";
import { isList, isObject, textOf } from "../../../run/json/json.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { EventBatches, RunServer } from "../../../run/session/server.ts";
import { pendingInterrupts } from "../../../run/fold/threadState.ts";
import { type ChatMemory, type ChatRun, unsupportedError } from "./chatMemory.ts";
import { statusIn, withInterrupts } from "./chatStates.ts";
import { ChatStream } from "./chatStream.ts";
import { NotPossibleError } from "../../kit/remedies.ts";

export class ChatRunServer implements RunServer {
  readonly #client: () => Promise<ThreadProtocol>;
  readonly #memory: ChatMemory;

  constructor(client: () => Promise<ThreadProtocol>, memory: ChatMemory) {
    this.#client = client;
    this.#memory = memory;
  }

  /** Somebody must be named for an answer to an interrupt that was asked before the window was reloaded. */
  get soleAssistant(): string {
    return soleAssistant;
  }

  readonly threads: RunServer["threads"] = {
    /** The id is made here; the backend gets it with the first state. */
    create: async (_, options) => {
      const id = randomUUID();
      await begin(await this.#client(), id, options);
      this.#memory.add(id);
      return { thread_id: id };
    },
    /** Runs that are over are not listed: by which one a state was made would lead nowhere. */
    state: async (threadId, options) => {
      const state = await this.#state(threadId, options);
      const about = Object.entries(state.metadata ?? {}).filter(([name]) => name !== "run_id");
      return { ...state, metadata: Object.fromEntries(about) };
    },
  };

  readonly runs: RunServer["runs"] = {
    stream: (threadId, body, options) => this.#start(threadId, body, options),
    rejoin: (threadId, runId, options) => this.#rejoin(threadId, runId, options),
    get: async (threadId, runId, options) => {
      const known = this.#memory.thread(threadId).runs.get(runId);
      if (known !== undefined && known.status !== "running") return asRun(threadId, runId, known.status);
      const status = statusIn(await this.#state(threadId, options));
      if (known !== undefined) known.status = status;
      return asRun(threadId, runId, status);
    },
    /** Only a run that goes on is listed: the transcript has the rest from the thread's state. */
    list: async (threadId, options) => {
      const { runs } = this.#memory.thread(threadId);
      const going = [...runs].filter(([, { status }]) => status === "running").map(([id]) => id);
      if (going.length > 0) return going.map((id) => asRun(threadId, id, "running"));
      const state = await this.#state(threadId, options);
      if (statusIn(state) !== "running") return [];
      // A run that was stopped leaves a state in which something is to come, too.
      if (runs.size > 0 && !(await this.#hasNews(threadId, options))) return [];
      return [asRun(threadId, randomUUID(), "running", inputIn(state))];
    },
    cancel: async (threadId, runId, options) => {
      if (await (await this.#client()).cancel(threadId, runId, options)) return;
      // A run that is over by now is as unknown as a missing endpoint.
      if (statusIn(await this.#state(threadId, options)) !== "running") return;
      this.#memory.capabilities.setUnsupported("stop");
      throw unsupportedError("stop");
    },
  };

  async #state(threadId: string, options?: CallOptions): Promise<ThreadState> {
    const state = await (await this.#client()).state(threadId, options);
    if (state === undefined) throw this.#memory.setLost(threadId);
    const whole = withInterrupts(state);
    const { asked } = this.#memory.thread(threadId);
    for (const { id } of pendingInterrupts(whole)) if (id !== undefined) asked.add(id);
    return whole;
  }

  /** Whether the backend has events that nobody followed here: of a run that was started elsewhere. */
  async #hasNews(threadId: string, { signal }: CallOptions = {}): Promise<boolean> {
    const memory = this.#memory.thread(threadId);
    const stream = await ChatStream.open(await this.#client(), threadId, memory.lastSeq, signal, memory);
    try {
      return await stream.hasEvents();
    } finally {
      stream.close();
    }
  }

  /** Follows the thread from its newest event before the run is started, so that none of the run's is missed. */
  async #start(threadId: string, body: RunCreate, options: CallOptions = {}): Promise<EventBatches> {
    const client = await this.#client();
    const memory = this.#memory.thread(threadId);
    const state = memory.isNew ? undefined : await this.#state(threadId, options);
    const stream = await ChatStream.atEnd(client, threadId, memory, options.signal);
    let result: CommandResult;
    try {
      result = await this.#send(client, threadId, body, state, options);
    } catch (error) {
      stream.close();
      throw error;
    }
    const runId = result.run_id ?? randomUUID();
    const run = memory.begin(runId);
    return followed(runId, run, stream.events(run));
  }

  async #send(
    client: ThreadProtocol,
    threadId: string,
    body: RunCreate,
    state: ThreadState | undefined,
    options: CallOptions,
  ): Promise<CommandResult> {
    const resume = body.command?.resume;
    if (resume !== undefined) return respond(client, threadId, resume, state, this.#memory, options);
    const { input, metadata, config, multitask_strategy: strategy, assistant_id: assistantId } = body;
    const params: JsonObject = {
      input: input ?? null,
      ...(metadata === undefined ? {} : { metadata }),
      ...(config === undefined ? {} : { config }),
      ...(strategy === undefined ? {} : { multitaskStrategy: strategy }),
    };
    if (assistantId !== soleAssistant)
      return client.command(threadId, "run.start", { ...params, assistant_id: assistantId }, options);
    try {
      return await client.command(threadId, "run.start", params, options);
    } catch (error) {
      // Backends with one agent need no name, and some that need one take any.
      if (!(error instanceof ProtocolError) || !/assistant/i.test(error.message)) throw error;
      return client.command(threadId, "run.start", { ...params, assistant_id: soleAssistant }, options);
    }
  }

  async #rejoin(
    threadId: string,
    runId: string,
    options: CallOptions & { readonly lastEventId?: string | undefined } = {},
  ): Promise<EventBatches> {
    const client = await this.#client();
    const memory = this.#memory.thread(threadId);
    // A restarted backend would keep the stream open for ever and say nothing.
    const status = statusIn(await this.#state(threadId, options));
    const known = memory.runs.get(runId);
    const run = known ?? memory.begin(runId);
    const after = known?.order.resumeAfter;
    const stream = await ChatStream.open(client, threadId, after, options.signal, memory);
    if (known === undefined) return { ...followed(runId, run, stream.newestRun(run)), isDistinct: false };
    return followed(runId, run, stream.events(run, status !== "running"));
  }
}

/** Makes a thread by its first state, without which there is nothing to follow, to answer, or to come back to. */
async function begin(client: ThreadProtocol, threadId: string, options?: CallOptions): Promise<void> {
  try {
    await client.bootstrap(threadId, options);
  } catch (error) {
    if (!saysUnsupported(error)) throw error;
    throw new NotPossibleError(
      "This backend keeps no states of threads: it has no endpoint “…/threads/{id}/state”.",
      "Add GET and POST of that endpoint to the backend: threads are begun, reloaded and answered by them.",
    );
  }
}

/** Its order tells new events from old ones, however often and in whichever order they come. */
function followed(runId: string, { order }: ChatRun, events: EventBatches["events"]): EventBatches {
  return { runId, events, isDistinct: true, isIncomplete: () => order.disturbed };
}

/** What a backend with one agent is asked for when it wants a name. */
export const soleAssistant = "agent";

async function respond(
  client: ThreadProtocol,
  threadId: string,
  resume: Json,
  state: ThreadState | undefined,
  memory: ChatMemory,
  options: CallOptions,
): Promise<CommandResult> {
  const waiting = state === undefined ? [] : pendingInterrupts(state).flatMap(({ id }) => id ?? []);
  const { asked, namespaces } = memory.thread(threadId);
  const byId = isObject(resume) ? Object.entries(resume) : [];
  const isById = byId.length > 0 && byId.every(([id]) => asked.has(id) || namespaces.has(id));
  const answers = isById ? byId : waiting.slice(0, 1).map((id) => [id, resume] as const);
  const [only, ...others] = answers.map(([id, response]) => ({
    namespace: [...(namespaces.get(id) ?? [])],
    interrupt_id: id,
    response: response ?? null,
  }));
  if (only === undefined || answers.some(([id]) => !waiting.includes(id)))
    throw new NotPossibleError(
      "The thread does not wait for that answer any more.",
      "Load the thread again.",
    );
  const params: JsonObject = others.length > 0 ? { responses: [only, ...others] } : only;
  try {
    return await client.command(threadId, "input.respond", params, options);
  } catch (error) {
    if (!(error instanceof ProtocolError) || !/^(unknown_command|not_supported)$/.test(error.code))
      throw error;
    memory.capabilities.setUnsupported("answer");
    throw unsupportedError("answer");
  }
}

/** What the newest run was started with, as far as a state tells: the last that a person said. */
function inputIn({ values }: ThreadState): Json | undefined {
  const { messages } = values;
  if (!isList(messages)) return undefined;
  const last = messages.findLastIndex(isHuman);
  const first = messages.slice(0, last).findLastIndex((message) => !isHuman(message)) + 1;
  return last === -1 ? undefined : { messages: messages.slice(first, last + 1) };
}

function isHuman(message: Json): boolean {
  return isObject(message) && ["human", "user"].includes(textOf(message["type"] ?? message["role"]) ?? "");
}

/** The protocol says nowhere when a run began or ended. */
function asRun(thread: string, run: string, status: RunStatus, input?: Json): Run {
  return {
    run_id: run,
    thread_id: thread,
    assistant_id: soleAssistant,
    status,
    created_at: "",
    updated_at: "",
    metadata: {},
    kwargs: { resumable: false, ...(input !== undefined && { input }) },
  };
}
