/** Shapes of the agent server as they are on the wire (docs/interface.md, "Agent server", facts recorded from a real server). */

/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
/** A JSON object; a member that is undefined is not sent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** A thread's or run's status; servers may add values, which are shown as they are. */
export type ThreadStatus = "idle" | "busy" | "interrupted" | "error" | (string & {});
/** A run's status; what a server adds counts as going on. */
export type RunStatus =
  | "pending"
  | "running"
  | "success"
  | "error"
  | "timeout"
  | "interrupted"
  | (string & {});
/** What a new run does to the one that is going on in its thread. */
export type MultitaskStrategy = "reject" | "enqueue" | "interrupt" | "rollback";
/** What a run streams; several can be asked for at once. */
export type StreamMode =
  | "values"
  | "updates"
  | "messages"
  | "messages-tuple"
  | "custom"
  | "tasks"
  | "checkpoints"
  | "debug"
  | "events";

/** A question that stopped a run until a person answers it. */
export interface Interrupt {
  readonly id?: string;
  readonly value: Json;
}

/** A conversation: its status, its values so far and what it waits for. */
export interface Thread {
  readonly thread_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly metadata: JsonObject;
  readonly status: ThreadStatus;
  readonly config?: JsonObject;
  readonly values?: JsonObject | null;
  readonly interrupts?: Readonly<Record<string, readonly Interrupt[]>>;
}

/** Names one saved state of a thread; `checkpoint_ns` is "" for the root graph. */
export interface Checkpoint {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly checkpoint_map?: JsonObject | null;
}

/** A step that is to come, or that stopped with an error or an interrupt. */
export interface ThreadTask {
  readonly id: string;
  readonly name: string;
  readonly error?: Json;
  /** What it returned; missing until it did, and where a server does not tell. */
  readonly result?: Json;
  readonly interrupts: readonly Interrupt[];
  readonly checkpoint?: Json;
  readonly state?: ThreadState | null;
}

/** A thread's values at one checkpoint, and the steps that come next. */
export interface ThreadState {
  readonly values: JsonObject;
  readonly next: readonly string[];
  readonly tasks: readonly ThreadTask[];
  readonly metadata?: JsonObject | null;
  readonly created_at: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly parent_checkpoint: Checkpoint | null;
}

/** One execution of an assistant on a thread. */
export interface Run {
  readonly run_id: string;
  readonly thread_id: string;
  readonly assistant_id: string;
  readonly status: RunStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly metadata: JsonObject;
  readonly kwargs?: JsonObject;
  readonly multitask_strategy?: MultitaskStrategy | (string & {}) | null;
}

/** A graph with its configuration, ready to run. */
export interface Assistant {
  readonly assistant_id: string;
  readonly graph_id: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly version?: number;
  readonly metadata: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The JSON Schemas of what an assistant takes and gives; null or absent where the server has none. */
export interface AssistantSchemas {
  readonly graph_id?: string;
  readonly input_schema?: Json;
  readonly output_schema?: Json;
  readonly state_schema?: Json;
  readonly config_schema?: Json;
  readonly context_schema?: Json;
}

/** What starts a run; `input` and `command` exclude each other. */
export interface RunCreate {
  readonly assistant_id: string;
  readonly input?: Json;
  readonly command?: { readonly resume?: Json; readonly update?: Json; readonly goto?: Json };
  readonly metadata?: JsonObject;
  readonly config?: JsonObject;
  /** What the graph is told beside its state; it is not kept with the thread. */
  readonly context?: JsonObject;
  readonly stream_mode?: StreamMode | readonly StreamMode[];
  readonly stream_subgraphs?: boolean;
  readonly stream_resumable?: boolean;
  readonly feedback_keys?: readonly string[];
  readonly multitask_strategy?: MultitaskStrategy;
  readonly if_not_exists?: "create" | "reject";
  /** Nodes of the thread's own graph before which it stops; "*" for each. */
  readonly interrupt_before?: "*" | readonly string[];
  readonly interrupt_after?: "*" | readonly string[];
  readonly on_disconnect?: "cancel" | "continue";
}

/** Which threads to list: all conditions hold at once; `metadata` matches by containment. */
export interface ThreadSearch {
  readonly ids?: readonly string[];
  readonly status?: ThreadStatus;
  readonly metadata?: JsonObject;
  readonly values?: JsonObject;
  readonly limit?: number;
  readonly offset?: number;
  readonly sort_by?: "thread_id" | "status" | "created_at" | "updated_at";
  readonly sort_order?: "asc" | "desc";
  /** The only fields that are answered; all without it. */
  readonly select?: readonly (keyof Thread)[];
}

/** A chat message in any of the spellings that servers use. */
export interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly content?: Json;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly status?: string;
  readonly usage_metadata?: JsonObject;
}

/** What a model wants a tool to do. */
export interface ToolCall {
  readonly id?: string | null;
  readonly name: string;
  readonly args: Json;
}

/** The answer of `/info`. */
export interface ServerInfo {
  readonly version?: string;
  /** "js" for the JavaScript server, "local-platform" for the Local Platform. */
  readonly context?: string;
  /** Of the JavaScript development server alone. */
  readonly langgraph_js_version?: string;
  readonly flags?: JsonObject;
}

/** A new thread; an existing id is an error unless `if_exists` says otherwise. */
export interface ThreadCreate {
  readonly thread_id?: string;
  readonly metadata?: JsonObject;
  readonly if_exists?: "raise" | "do_nothing";
  /** A history to begin with, the oldest step first; `metadata` has to name its `graph_id`. */
  readonly supersteps?: readonly Superstep[];
}

/** What nodes returned that ran side by side. */
export interface Superstep {
  readonly updates: readonly { readonly values: Json; readonly as_node: string }[];
}

/** A state to be written after a checkpoint, the newest when none is named. */
export interface StateUpdate {
  /** What a node returns: it is merged into the state as the graph says. Null changes nothing. */
  readonly values: Json;
  /** Whose result it is, which decides what comes next; the node that ran last where it is left out. */
  readonly as_node?: string;
  readonly checkpoint?: Pick<Checkpoint, "checkpoint_id">;
}

/** The nodes of a graph and the ways between them. */
export interface AssistantGraph {
  readonly nodes: readonly { readonly id: string; readonly type?: string }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    /** It is taken only sometimes. */
    readonly conditional?: boolean;
  }[];
}
