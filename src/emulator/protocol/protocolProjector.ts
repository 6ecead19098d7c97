import { takesInput } from "../runtime/checkpoint.ts";
import type { GraphEvent, MessageEvent, TaskEnd, ToolEvent } from "../runtime/graphEvent.ts";
import type { Outcome } from "../runtime/ticket.ts";
import { keyOf, type LifecycleStatus, LifecycleTree } from "./lifecycleTree.ts";
import { MessageBlocks } from "./messageBlocks.ts";
import type { ProtocolEvent } from "./protocolEvent.ts";

const root: readonly string[] = [];

/**
 * Gives the graph events of one run the shapes of the streaming protocol, beside the projector for stream modes.
 * What a `task` tool call runs appears under `tools:<tool call id>`, where clients look for subagents.
 */
export class ProtocolProjector {
  /** Everything that has run so far. */
  readonly tree = new LifecycleTree();
  readonly #graphName: string;
  readonly #write: (event: ProtocolEvent) => void;
  readonly #messages = new Map<string, MessageBlocks>();
  /** By a step's own namespace, the segment that a subagent in it goes by. */
  readonly #subagents = new Map<string, string>();
  readonly #asked = new Set<string>();
  #stopped = false;

  constructor(graphName: string, write: (event: ProtocolEvent) => void) {
    this.#graphName = graphName;
    this.#write = write;
    this.#move(root, "running", graphName);
  }

  /** Writes what the protocol says about an event. */
  project(event: GraphEvent): void {
    const namespace = this.#renamed(event.ns);
    switch (event.type) {
      case "checkpoint": {
        if (takesInput(event.checkpoint)) return;
        const { id, parent_id, metadata, values } = event.checkpoint;
        const data = { id, parent_id, step: metadata.step, source: metadata.source };
        this.#write({ method: "checkpoints", namespace, data });
        this.#write({ method: "values", namespace, data: values });
        return;
      }
      case "values":
        this.#write({ method: "values", namespace, data: event.values });
        return;
      case "task-start":
        this.#taskStart(namespace, event);
        return;
      case "task-end":
        this.#taskEnd(namespace, event.task);
        return;
      case "interrupt":
        this.#stopped ||= event.ns.length === 0;
        for (const { id, value } of event.interrupts) {
          if (this.#asked.has(id)) continue;
          this.#asked.add(id);
          this.#write({ method: "input.requested", namespace, data: { interrupt_id: id, payload: value } });
        }
        return;
      case "message":
        this.#message(event);
        return;
      case "custom":
        this.#write({ method: "custom", namespace, node: event.node, data: { payload: event.data } });
        return;
      case "tool-start":
      case "tool-end":
        this.#tool(event);
        return;
      default:
        event satisfies never;
    }
  }

  /** Writes how the run as a whole ended, and ends what was still open. */
  end(outcome: Outcome): void {
    const failure = outcome.status === "error" ? (outcome.error?.message ?? "The run failed.") : undefined;
    const status = failure !== undefined ? "failed" : this.#stopped ? "interrupted" : ending(outcome);
    for (const blocks of this.#messages.values()) blocks.fail(failure ?? "The run was stopped.");
    this.#messages.clear();
    for (const { namespace, name } of this.tree.open) this.#move(namespace, status, name);
    this.#move(root, status, this.#graphName, failure === undefined ? {} : { error: failure });
  }

  #taskStart(namespace: readonly string[], event: Extract<GraphEvent, { type: "task-start" }>): void {
    const { id, name } = event.task;
    const data = { id, name, input: event.input, triggers: [`branch:to:${name}`], interrupts: [] };
    this.#write({ method: "tasks", namespace, data });
    this.#move([...namespace, `${name}:${id}`], "started", name);
  }

  #taskEnd(namespace: readonly string[], { id, name, error, interrupts, result }: TaskEnd): void {
    if (result !== null) this.#write({ method: "updates", namespace, node: name, data: result });
    const outcome = error === null ? { result } : { error };
    this.#write({ method: "tasks", namespace, data: { id, name, ...outcome, interrupts } });
    const status = error !== null ? "failed" : result === null ? "interrupted" : "completed";
    this.#move([...namespace, `${name}:${id}`], status, name, error === null ? {} : { error });
  }

  #message(event: MessageEvent): void {
    const { chunk, node, metadata, last } = event;
    if (chunk.type !== "ai") return;
    let blocks = this.#messages.get(chunk.id);
    if (blocks === undefined) {
      const namespace = this.#renamed(String(metadata.langgraph_checkpoint_ns).split("|"));
      blocks = new MessageBlocks(event, (data) => this.#write({ method: "messages", namespace, node, data }));
      this.#messages.set(chunk.id, blocks);
    }
    blocks.add(event);
    if (last) this.#messages.delete(chunk.id);
  }

  #tool(event: { readonly ns: readonly string[] } & ToolEvent): void {
    const { ns, segment, id, name } = event;
    const own = [...ns, segment];
    const cause = { cause: { type: "toolCall", tool_call_id: id } };
    if (event.type === "tool-start") {
      if (name === "task") this.#subagents.set(keyOf(own), `tools:${id}`);
      const namespace = this.#renamed(own);
      const input = JSON.stringify(event.input);
      const data = { event: "tool-started", tool_call_id: id, tool_name: name, input };
      this.#write({ method: "tools", namespace, data });
      const { subagent_type: subagent } = event.input;
      const graphName = typeof subagent === "string" ? subagent : name;
      if (name === "task") this.#move(namespace, "started", graphName, cause);
      return;
    }
    const namespace = this.#renamed(own);
    const data = { event: "tool-finished", tool_call_id: id, output: event.output };
    this.#write({ method: "tools", namespace, data });
    if (name === "task") this.#move(namespace, "completed", this.tree.at(namespace)?.name ?? name);
  }

  #move(namespace: readonly string[], status: LifecycleStatus, name: string, more: object = {}): void {
    this.tree.move({ namespace, name, status });
    this.#write({ method: "lifecycle", namespace, data: { event: status, graph_name: name, ...more } });
  }

  #renamed(ns: readonly string[]): readonly string[] {
    if (this.#subagents.size === 0) return ns;
    return ns.map((segment, index) => this.#subagents.get(keyOf(ns.slice(0, index + 1))) ?? segment);
  }
}

function ending({ status, interrupts }: Outcome): LifecycleStatus {
  return status === "interrupted" || interrupts.length > 0 ? "interrupted" : "completed";
}
