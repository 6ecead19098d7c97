import type { JsonObject } from "../kit/json.ts";
import type { Checkpoint, Interrupt, Task } from "./checkpoint.ts";
import type { Message, State } from "./messages.ts";

/** What happens while a graph runs, before any stream mode or protocol gives it a wire form. */
export type GraphEvent = { readonly ns: readonly string[] } & (
  | { readonly type: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly type: "task-start"; readonly task: Task; readonly step: number; readonly input: State }
  | { readonly type: "task-end"; readonly task: TaskEnd; readonly step: number }
  | { readonly type: "values"; readonly values: State }
  | { readonly type: "interrupt"; readonly interrupts: readonly Interrupt[] }
  | MessageEvent
  | { readonly type: "custom"; readonly data: unknown; readonly node: string }
  | ToolEvent
);

/** How one execution of a step ended. */
export type TaskEnd = Pick<Task, "id" | "name" | "error" | "interrupts" | "result">;

/** A piece of a message; a message that is not streamed is one piece, first and last. */
export interface MessageEvent {
  readonly type: "message";
  readonly node: string;
  readonly chunk: Message;
  /** The message as far as it has come. */
  readonly whole: () => Message;
  readonly first: boolean;
  readonly last: boolean;
  /** The same object for all pieces of a message. */
  readonly metadata: JsonObject;
}

/** A tool starts or ends. */
export type ToolEvent = {
  /** The step that uses the tool, as a segment of a namespace. */
  readonly segment: string;
  readonly id: string;
  readonly name: string;
} & (
  | { readonly type: "tool-start"; readonly input: JsonObject }
  | { readonly type: "tool-end"; readonly output: Message }
);
