import type { JsonObject } from "../kit/json.ts";
import { type Checkpoint, takesInput, type Task } from "./checkpoint.ts";
import { reference } from "./checkpoints.ts";
import type { GraphEvent, TaskEnd } from "./graphEvent.ts";

/** The stream modes of an agent server. */
export const streamModes = [
  "values",
  "updates",
  "messages",
  "messages-tuple",
  "custom",
  "tasks",
  "checkpoints",
  "debug",
  "events",
  "tools",
] as const;

/** One of them. */
export type StreamMode = (typeof streamModes)[number];

/** Where the events of a run's stream go: a name, and data that is JSON text already. */
export type Write = (event: string, data: string) => void;

/** Gives graph events the names and shapes of the agent server's stream modes. */
export class Projector {
  readonly #modes: ReadonlySet<StreamMode>;
  readonly #subgraphs: boolean;
  readonly #runId: string;
  readonly #write: Write;
  readonly #metadataTexts = new WeakMap<JsonObject, string>();

  constructor(modes: readonly StreamMode[], subgraphs: boolean, runId: string, write: Write) {
    this.#modes = new Set(modes);
    this.#subgraphs = subgraphs;
    this.#runId = runId;
    this.#write = write;
  }

  /** Writes what the run's stream modes show of an event. */
  project(event: GraphEvent): void {
    const nested = event.ns.length > 0;
    // Tokens of subgraphs are shown under the bare name even when their other events are not.
    if (nested && !this.#subgraphs && event.type !== "message") return;
    const suffix = nested && this.#subgraphs ? `|${event.ns.join("|")}` : "";
    switch (event.type) {
      case "checkpoint":
        this.#checkpoint(event.checkpoint, suffix);
        return;
      case "values":
        this.#put("values", suffix, event.values);
        return;
      case "task-start":
        this.#taskStart(event.task, event.step, event.input, suffix);
        return;
      case "task-end":
        this.#taskEnd(event.task, event.step, suffix);
        return;
      case "interrupt":
        this.#interrupt(event.interrupts, suffix);
        return;
      case "message":
        this.#message(event, suffix);
        return;
      case "custom":
        if (this.#modes.has("custom")) this.#write(`custom${suffix}`, JSON.stringify(event.data));
        return;
      case "tool-start":
        this.#put("tools", suffix, {
          event: "on_tool_start",
          toolCallId: event.id,
          name: event.name,
          input: JSON.stringify(event.input),
        });
        this.#chain("on_tool_start", event.name, { input: event.input }, suffix);
        return;
      case "tool-end": {
        const { id, name, output } = event;
        this.#put("tools", suffix, { event: "on_tool_end", toolCallId: id, name, output });
        this.#chain("on_tool_end", name, { output }, suffix);
        return;
      }
      default:
        event satisfies never;
    }
  }

  #checkpoint(checkpoint: Checkpoint, suffix: string): void {
    const { values, metadata } = checkpoint;
    const next = checkpoint.tasks.map(({ name }) => name);
    const isInput = takesInput(checkpoint) && metadata.source === "input";
    if (!isInput) this.#put("values", suffix, values);
    this.#put("checkpoints", suffix, { values, metadata, next });
    if (!this.#modes.has("debug")) return;
    const parent = checkpoint.parent_id;
    this.#debug("checkpoint", metadata.step, suffix, {
      config: { configurable: reference(checkpoint, checkpoint.id) },
      parent_config: parent === null ? null : { configurable: reference(checkpoint, parent) },
      values,
      metadata,
      next,
      tasks: checkpoint.tasks.map(({ id, name, interrupts }) => ({ id, name, interrupts, state: null })),
      checkpoint: reference(checkpoint, checkpoint.id),
      parent_checkpoint: parent === null ? null : reference(checkpoint, parent),
    });
  }

  #taskStart(task: Task, step: number, input: unknown, suffix: string): void {
    const { id, name } = task;
    const started = { id, name, input, triggers: [`branch:to:${name}`], interrupts: [] };
    this.#put("tasks", suffix, started);
    if (this.#modes.has("debug")) this.#debug("task", step, suffix, started);
    this.#chain("on_chain_start", name, { input }, suffix);
  }

  #taskEnd(task: TaskEnd, step: number, suffix: string): void {
    const { id, name, error, interrupts, result } = task;
    const ended = { id, name, ...(error === null ? { result } : { error }), interrupts };
    if (result !== null) this.#put("updates", suffix, { [name]: result });
    this.#put("tasks", suffix, ended);
    if (this.#modes.has("debug")) this.#debug("task_result", step, suffix, ended);
    if (result !== null) this.#chain("on_chain_end", name, { output: result }, suffix);
  }

  #interrupt(interrupts: readonly unknown[], suffix: string): void {
    const groups = interrupts.length === 0 ? [[]] : interrupts.map((interrupt) => [interrupt]);
    for (const group of groups) this.#put("updates", suffix, { __interrupt__: group });
    this.#put("values", suffix, { __interrupt__: interrupts });
  }

  #message(event: Extract<GraphEvent, { type: "message" }>, suffix: string): void {
    const { chunk, metadata } = event;
    if (this.#modes.has("messages-tuple") && chunk.type !== "human") {
      let text = this.#metadataTexts.get(metadata);
      if (text === undefined) this.#metadataTexts.set(metadata, (text = JSON.stringify(metadata)));
      this.#write(`messages${suffix}`, `[${JSON.stringify(chunk)},${text}]`);
    }
    if (this.#modes.has("messages")) {
      if (event.first) {
        this.#write(`messages/metadata${suffix}`, JSON.stringify({ [chunk.id]: { metadata } }));
      }
      const name = event.last ? "messages/complete" : "messages/partial";
      this.#write(`${name}${suffix}`, JSON.stringify([event.whole()]));
    }
    if (chunk.type === "ai") {
      this.#chain(event.last ? "on_chat_model_end" : "on_chat_model_stream", event.node, { chunk }, suffix);
    }
  }

  #debug(type: string, step: number, suffix: string, payload: unknown): void {
    this.#put("debug", suffix, { step, type, timestamp: new Date().toISOString(), payload });
  }

  #chain(event: string, name: string, data: unknown, suffix: string): void {
    if (!this.#modes.has("events")) return;
    this.#put("events", suffix, { event, name, data, tags: [], run_id: this.#runId, metadata: {} });
  }

  #put(mode: StreamMode, suffix: string, data: unknown): void {
    if (this.#modes.has(mode)) this.#write(`${mode}${suffix}`, JSON.stringify(data));
  }
}
