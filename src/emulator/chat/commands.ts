import { HttpError } from "../kit/httpError.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Platform } from "../platform/platform.ts";
import { createRun, runBody } from "../platform/runOrder.ts";
import { type Checkpoint, pendingInterrupts } from "../runtime/checkpoint.ts";
import type { MultitaskStrategy } from "../runtime/runs.ts";
import type { Ticket } from "../runtime/ticket.ts";
import { type Command, CommandError, params, readParams } from "./command.ts";

/** How a family of servers treats what the protocol leaves open. */
export interface CommandHabits {
  /** What a `run.start` does to a run in progress when it does not say. */
  readonly strategy: MultitaskStrategy;
  /** The assistant of a thread that has none yet when `run.start` names none. */
  readonly assistantId?: string;
}

/** Carries out a command on a thread and answers its envelope. */
export function answerCommand(
  platform: Platform,
  deploymentId: string,
  threadId: string,
  command: Command,
  habits: CommandHabits,
): JsonObject {
  const { id } = command;
  platform.protocolStreams.open(threadId);
  const meta = () => ({
    thread_id: threadId,
    applied_through_seq: platform.protocolStreams.lastSeq(threadId),
  });
  try {
    const result = new ThreadCommands(platform, deploymentId, threadId, habits).execute(command);
    return { type: "success", id, result, meta: meta() };
  } catch (error) {
    const refused = error instanceof HttpError ? refusal(error) : error;
    if (!(refused instanceof CommandError)) throw error;
    return { type: "error", id, error: refused.code, message: refused.message, meta: meta() };
  }
}

class ThreadCommands {
  readonly #platform: Platform;
  readonly #deploymentId: string;
  readonly #threadId: string;
  readonly #habits: CommandHabits;

  constructor(platform: Platform, deploymentId: string, threadId: string, habits: CommandHabits) {
    this.#platform = platform;
    this.#deploymentId = deploymentId;
    this.#threadId = threadId;
    this.#habits = habits;
  }

  execute(command: Command): JsonObject {
    switch (command.method) {
      case "run.start":
        return this.#runStart(command);
      case "input.respond":
        return this.#inputRespond(command);
      case "state.get":
        return this.#stateGet(command);
      case "state.listCheckpoints":
        return this.#listCheckpoints(command);
      case "state.fork":
        return this.#fork(command);
      case "agent.getTree":
        return this.#tree();
      case "input.inject":
      case "subscription.subscribe":
      case "subscription.unsubscribe":
      case "subscription.reconnect":
        throw new CommandError("not_supported", `${command.method} is not supported over HTTP.`);
      default:
        throw new CommandError("unknown_command", `Unknown protocol command: ${command.method}`);
    }
  }

  /** Starts a run; where the thread waits for a person, the input is the answer. */
  #runStart(command: Command): JsonObject {
    const { assistant_id, input, config, metadata, multitask_strategy } = readParams(
      command,
      params.runStart,
    );
    const assistant = this.#assistant(assistant_id);
    const answers = input !== undefined && input !== null && this.#waits();
    const ticket = this.#order({
      assistant_id: assistant,
      ...(answers ? { command: { resume: input } } : { input }),
      config,
      metadata,
      multitask_strategy: multitask_strategy ?? this.#habits.strategy,
    });
    return { run_id: ticket.run.run_id };
  }

  #inputRespond(command: Command): JsonObject {
    const { responses } = readParams(command, params.inputRespond);
    const { config, metadata, update, goto } = readParams(command, params.respondOptions);
    const { runs } = this.#platform;
    const head = this.#head();
    if (head === undefined || runs.list(this.#threadId, undefined, 1, 0).length === 0) {
      throw new CommandError("no_such_run", "No run of this thread waits for an answer.");
    }
    const waiting = new Set(pendingInterrupts(head).map(({ id }) => id));
    if (waiting.size === 0 || this.#platform.scheduler.isBusy(this.#threadId)) {
      const message = "input.respond can only be used while the thread waits for an answer.";
      throw new CommandError("invalid_argument", message);
    }
    const unknown = responses.find(({ interrupt_id }) => !waiting.has(interrupt_id));
    if (unknown !== undefined) {
      throw new CommandError("no_such_interrupt", `Nothing asks as ${unknown.interrupt_id}.`);
    }
    const resume = Object.fromEntries(responses.map((one) => [one.interrupt_id, one.response ?? null]));
    this.#order({
      assistant_id: this.#assistant(undefined),
      command: {
        resume,
        ...(update === undefined ? {} : { update }),
        ...(goto === undefined ? {} : { goto }),
      },
      config,
      metadata,
    });
    return {};
  }

  #stateGet(command: Command): JsonObject {
    const { namespace, keys } = readParams(command, params.stateGet);
    const head = this.#head(namespace.join("|"));
    if (head === undefined) throw this.#nowhere(namespace);
    const values = Object.entries(head.values).filter(([key]) => keys?.includes(key) ?? true);
    return { values: Object.fromEntries(values), checkpoint: { id: head.id, ns: head.ns } };
  }

  #listCheckpoints(command: Command): JsonObject {
    const { namespace, limit, before } = readParams(command, params.listCheckpoints);
    const ns = namespace.join("|");
    if (this.#head(ns) === undefined) throw this.#nowhere(namespace);
    const listed = this.#platform.checkpoints.history(this.#threadId, { ns, limit, before });
    return {
      checkpoints: listed.map(({ id, created_at, metadata, node }) => ({
        id,
        timestamp: Date.parse(created_at),
        step: metadata.step,
        ...(node === null ? {} : { node_name: node }),
        metadata,
      })),
    };
  }

  /** Runs on from an earlier checkpoint of the same thread. */
  #fork(command: Command): JsonObject {
    const { checkpoint_id, input, config } = readParams(command, params.fork);
    const order = { assistant_id: this.#assistant(undefined), input, config, checkpoint_id };
    const ticket = this.#order(order, true);
    return { run_id: ticket.run.run_id, thread_id: this.#threadId };
  }

  #tree(): JsonObject {
    const tree = this.#platform.protocolStreams.tree(this.#threadId);
    if (tree === undefined) throw new CommandError("no_such_run", "No run is bound to this thread.");
    return { tree };
  }

  #order(body: JsonObject, once = false): Ticket {
    const { store } = this.#platform;
    const owner = store.get("SELECT deployment_id FROM threads WHERE thread_id = ?", this.#threadId);
    if (owner !== undefined && owner.deployment_id !== this.#deploymentId) {
      throw new CommandError("invalid_argument", "The thread belongs to another deployment.");
    }
    const order = runBody.parse({
      ...body,
      if_not_exists: "create",
      stream_mode: ["values", "updates", "messages-tuple", "custom"],
      stream_subgraphs: true,
      stream_resumable: true,
    });
    return createRun(this.#platform, this.#deploymentId, this.#threadId, order, once);
  }

  /** The assistant to run: a thread stays with the agent that it began with. */
  #assistant(named: string | undefined): string {
    const { threads, findAgent } = this.#platform;
    const metadata = threads.get(this.#deploymentId, this.#threadId)?.metadata;
    const bound = typeof metadata?.graph_id === "string" ? metadata.graph_id : undefined;
    const assistant = named ?? bound ?? this.#habits.assistantId;
    if (assistant === undefined) {
      throw new CommandError("invalid_argument", "run.start requires an assistant_id.");
    }
    const agent = findAgent(assistant, this.#deploymentId);
    if (agent === undefined) {
      throw new CommandError("invalid_argument", `No assistant found for "${assistant}".`);
    }
    if (bound !== undefined && agent.name !== bound) {
      const message = `The thread is bound to assistant ${bound}; it cannot run ${assistant}.`;
      throw new CommandError("invalid_argument", message);
    }
    return assistant;
  }

  #waits(): boolean {
    const head = this.#head();
    return (
      head !== undefined &&
      pendingInterrupts(head).length > 0 &&
      !this.#platform.scheduler.isBusy(this.#threadId)
    );
  }

  #head(ns = ""): Checkpoint | undefined {
    const thread = this.#platform.threads.get(this.#deploymentId, this.#threadId);
    return thread === undefined ? undefined : this.#platform.checkpoints.head(this.#threadId, ns);
  }

  #nowhere(namespace: readonly string[]): CommandError {
    return namespace.length === 0
      ? new CommandError("no_such_run", "The thread has no state yet.")
      : new CommandError("no_such_namespace", `Nothing has run in ${namespace.join("|")}.`);
  }
}

function refusal(error: HttpError): CommandError {
  const checkpoint = error.status === 404 && error.message.startsWith("Checkpoint");
  return new CommandError(checkpoint ? "no_such_checkpoint" : "invalid_argument", error.message);
}
