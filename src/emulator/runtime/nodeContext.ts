import type { Graph, NodeContext, Speech } from "./agent.ts";
import { uuid5, uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Interrupt, Task } from "./checkpoint.ts";
import type { GraphEvent } from "./graphEvent.ts";
import type { Message, State, ToolCall } from "./messages.ts";
import { streamMessage } from "./speech.ts";
import { Turns } from "./turns.ts";

/** A step asked a person something; the graph stops there. */
export class GraphInterrupt extends Error {
  override readonly name = "GraphInterrupt";
  readonly interrupt: Interrupt;

  constructor(interrupt: Interrupt) {
    super("The graph waits for a person.");
    this.interrupt = interrupt;
  }
}

/** What all steps of one run share. */
export interface RunScope {
  readonly threadId: string;
  readonly runId: string;
  readonly assistantId: string;
  readonly graphId: string;
  readonly configurable: JsonObject;
  readonly signal: AbortSignal;
  /** Whether what its steps had said is kept when it is stopped. */
  readonly keepsPartial: () => boolean;
  readonly emit: (event: GraphEvent) => void;
  /** Waits while the stream's readers are far behind. */
  readonly room: (signal: AbortSignal) => Promise<void>;
}

/** A step, and the run that it is part of. */
export interface StepInRun {
  readonly scope: RunScope;
  readonly ns: readonly string[];
  readonly task: Task;
  readonly step: number;
  readonly state: State;
  /** The root graph's step around this one: it keeps the answers, since it is what runs again on resume. */
  readonly outer: StepContext | undefined;
  /** Runs a graph in a namespace: the executor's own entry. */
  readonly runSubgraph: (graph: Graph, ns: readonly string[], input: JsonObject) => Promise<State>;
}

const defaultTokenDelayMs = 25;
/** Shared by all runs of the process. */
const turns = new Turns();

/** One step's view of the run it belongs to. */
export class StepContext implements NodeContext {
  readonly state: State;
  readonly configurable: JsonObject;
  readonly #at: StepInRun;
  readonly #spoken = new Map<string, () => Message>();
  /** Ids of the messages that graphs inside of it streamed. */
  readonly #inside = new Set<string>();
  #asked = 0;
  #metadata: JsonObject | undefined;

  constructor(at: StepInRun) {
    this.#at = at;
    this.state = at.state;
    this.configurable = at.scope.configurable;
  }

  async say(speech: Speech): Promise<Message> {
    const id = uuid7();
    return await streamMessage(id, speech, {
      pause: (tokens) => this.pause(tokens),
      piece: (chunk, whole, first, last) => {
        if (first) this.#spoken.set(id, whole);
        this.#emitMessage(chunk, whole, first, last);
      },
    });
  }

  custom(data: unknown): void {
    this.#at.scope.emit({ type: "custom", ns: this.#at.ns, node: this.#at.task.name, data });
  }

  async tool(call: ToolCall, work: () => Promise<string>): Promise<Message> {
    const { id, name } = call;
    const tool = { ns: this.#at.ns, segment: this.#segment(), id, name };
    this.#at.scope.emit({ ...tool, type: "tool-start", input: call.args });
    const content = await work();
    const output = { type: "tool", id: uuid7(), content, name, tool_call_id: id, status: "success" };
    this.#at.scope.emit({ ...tool, type: "tool-end", output });
    return output;
  }

  async subgraph(graph: Graph, input: JsonObject): Promise<State> {
    const state = await this.#at.runSubgraph(graph, [...this.#at.ns, this.#segment()], input);
    for (const { id } of state.messages) this.#inside.add(id);
    return state;
  }

  interrupt(value: unknown): unknown {
    if (this.#at.outer !== undefined) return this.#at.outer.interrupt(value);
    const index = this.#asked++;
    if (index < this.#at.task.answers.length) return this.#at.task.answers[index];
    const id = uuid5(this.#at.task.id, String(index)).replaceAll("-", "");
    throw new GraphInterrupt({ id, value });
  }

  async pause(tokens: number): Promise<void> {
    const delay = this.configurable.token_delay_ms;
    const each = typeof delay === "number" && delay >= 0 ? delay : defaultTokenDelayMs;
    if (each * tokens > 0) await this.sleep(each * tokens);
    else this.#at.scope.signal.throwIfAborted();
  }

  async sleep(milliseconds: number): Promise<void> {
    const { signal } = this.#at.scope;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason instanceof Error ? signal.reason : new Error("The run was stopped."));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  async room(): Promise<void> {
    await turns.take();
    this.#at.scope.signal.throwIfAborted();
    await this.#at.scope.room(this.#at.scope.signal);
    this.#at.scope.signal.throwIfAborted();
  }

  /** Emits message events for the new messages of a step's result that were not streamed. */
  announce(messages: readonly Message[]): void {
    const known = new Set([
      ...this.state.messages.map(({ id }) => id),
      ...this.#spoken.keys(),
      ...this.#inside,
    ]);
    for (const message of messages) {
      if (known.has(message.id) || message.type === "remove") continue;
      this.#emitMessage(message, () => message, true, true);
    }
  }

  /** What the step said so far: kept in the state when the run is stopped. */
  partial(): Message[] {
    return [...this.#spoken.values()].map((whole) => whole());
  }

  #segment(): string {
    return `${this.#at.task.name}:${this.#at.task.id}`;
  }

  #emitMessage(chunk: Message, whole: () => Message, first: boolean, last: boolean): void {
    this.#at.scope.emit({
      type: "message",
      ns: this.#at.ns,
      node: this.#at.task.name,
      chunk,
      whole,
      first,
      last,
      metadata: this.#messageMetadata(),
    });
  }

  #messageMetadata(): JsonObject {
    const path = [...this.#at.ns, this.#segment()].join("|");
    this.#metadata ??= {
      run_id: this.#at.scope.runId,
      thread_id: this.#at.scope.threadId,
      graph_id: this.#at.scope.graphId,
      assistant_id: this.#at.scope.assistantId,
      langgraph_node: this.#at.task.name,
      langgraph_step: this.#at.step,
      langgraph_checkpoint_ns: path,
      checkpoint_ns: path,
      ls_model_name: "sample",
      ls_model_type: "chat",
    };
    return this.#metadata;
  }
}
