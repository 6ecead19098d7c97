import type { z } from "zod";
import type { JsonObject } from "../kit/json.ts";
import type { Message, State, ToolCall, Usage } from "./messages.ts";

/** A graph of steps over a state. Steps that are next together run side by side. */
export interface Graph {
  readonly name: string;
  /** The nodes that a new input starts. */
  readonly entry: readonly string[];
  readonly nodes: Readonly<Record<string, GraphNode>>;
}

/** One step of a graph. */
export interface GraphNode {
  /** Does the step's work; answers the members of the state that it changes. */
  readonly run: (context: NodeContext) => Promise<JsonObject>;
  /** Every node that may follow. */
  readonly targets: readonly string[];
  /** The nodes that do follow; all targets when absent. */
  readonly next?: (state: State) => readonly string[];
  /** The graph that the step runs inside itself. */
  readonly subgraph?: Graph;
}

/** A sample agent: a graph with the shape of its input, known to clients by its name. */
export interface Agent extends Graph {
  readonly description: string;
  readonly input: z.ZodType;
}

/** What a step is given to work with. Everything that waits ends at once when the run is stopped. */
export interface NodeContext {
  readonly state: State;
  /** `config.configurable` of the run. */
  readonly configurable: JsonObject;
  /** Streams an AI message token by token and answers it whole. */
  say(message: Speech): Promise<Message>;
  /** Sends a custom event. */
  custom(data: unknown): void;
  /** Runs a tool, with tool events before and after, and answers its message. */
  tool(call: ToolCall, work: () => Promise<string>): Promise<Message>;
  /** Runs another graph in a namespace of its own and answers its last state. */
  subgraph(graph: Graph, input: JsonObject): Promise<State>;
  /** Stops the run until a person answers; answers what they said once the run is resumed. */
  interrupt(value: unknown): unknown;
  /** Waits for as long as the given number of tokens takes to stream. */
  pause(tokens: number): Promise<void>;
  /** Waits in real time. */
  sleep(milliseconds: number): Promise<void>;
  /** Waits while the fastest reader of the run's stream is far behind. */
  room(): Promise<void>;
}

/** An AI message about to be streamed. */
export interface Speech {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly usage?: Usage;
  readonly name?: string;
}
