/** Shapes of the managed-agents API as they are on the wire; servers may add fields, which are kept. */

import type {
  Interrupt,
  Json,
  JsonObject,
  MultitaskStrategy,
  Run,
  RunStatus,
  StreamMode,
  ThreadStatus,
} from "../agentServer/wire.ts";

/** Where an agent works (docs/interface.md, "Managed agent backend object"). */
export interface Backend {
  readonly type: "state" | "sandbox" | (string & {});
  /** Only with type `sandbox`. */
  readonly sandbox_config?: SandboxConfig;
}

/** How a sandbox is kept; the times are in seconds. */
export interface SandboxConfig {
  readonly scope?: "thread" | "agent" | (string & {});
  readonly snapshot_id?: string;
  readonly policy_ids?: readonly string[];
  readonly idle_ttl_seconds?: number;
  readonly delete_after_stop_seconds?: number;
}

/** Who may see and run an agent. */
export interface Permissions {
  readonly identity?: "personal" | "shared" | (string & {});
  readonly visibility?: "tenant" | "user" | (string & {});
  readonly tenant_access_level?: "read" | "run" | "write" | (string & {});
  readonly shared_users?: JsonObject;
}

/** The model that an agent uses, as `provider:model` or the name of a saved configuration. */
export interface Runtime {
  readonly model?: { readonly model_id?: string };
}

/** One tool of a tool server that an agent may use. */
export interface ToolEntry {
  readonly name: string;
  readonly mcp_server_url: string;
  readonly mcp_server_name?: string;
  readonly display_name?: string;
}

/** The content of `tools.json`; `interrupt_config` has keys `{server url}::{tool}` or the tool's bare name. */
export interface Tools {
  readonly tools?: readonly ToolEntry[];
  readonly interrupt_config?: Readonly<Record<string, boolean>>;
}

/** An agent that another one hands work to. */
export interface Subagent {
  readonly name: string;
  readonly description?: string;
  readonly model_id?: string;
  readonly instructions?: string;
  readonly tools?: Tools;
}

/** Instructions that an agent reads when it needs them, with the files that belong to them. */
export interface Skill {
  readonly type?: "inline" | (string & {});
  readonly name: string;
  readonly description?: string;
  readonly instructions?: string;
  /** Texts by relative path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** One file of an agent's tree, or a link to a skill that is kept elsewhere. */
export type AgentFile =
  | { readonly type?: "file"; readonly content: string }
  | { readonly type: "skill"; readonly repo_handle: string; readonly commit_id?: string };

/** An agent as listings show it. */
export interface AgentSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly owner_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly permissions?: Permissions | null;
  readonly runtime?: Runtime | null;
  readonly extras?: JsonObject | null;
  readonly access_level?: "READ" | "RUN" | "WRITE" | (string & {});
  readonly is_owner?: boolean;
  readonly backend?: Backend | null;
}

/** A whole agent; `files` only when asked for. */
export interface Agent extends AgentSummary {
  /** The commit of its file tree. */
  readonly revision?: string;
  readonly system_prompt?: string | null;
  readonly instructions?: string | null;
  readonly tools?: Tools | null;
  readonly subagents?: readonly Subagent[] | null;
  readonly skills?: readonly Skill[] | null;
  readonly configurable?: JsonObject | null;
  readonly files?: Readonly<Record<string, AgentFile>> | null;
}

/** What makes an agent; only the name is required. */
export interface AgentCreate {
  readonly name: string;
  readonly description?: string;
  readonly permissions?: Permissions;
  readonly runtime?: Runtime;
  readonly backend?: Backend;
  readonly system_prompt?: string;
  readonly tools?: Tools;
  readonly subagents?: readonly Subagent[];
  readonly skills?: readonly Skill[];
  readonly extras?: JsonObject;
  readonly configurable?: JsonObject;
  readonly files?: Readonly<Record<string, AgentFile>>;
}

/** What changes an agent: what is left out stays; `runtime`, `tools`, `subagents`, `skills` are replaced whole. */
export interface AgentUpdate extends Partial<AgentCreate> {
  readonly deleted_paths?: readonly string[];
}

/** What a copy has of its own. */
export interface AgentClone {
  readonly name?: string;
  readonly permissions?: Permissions;
}

/** How to list agents (docs/interface.md, "List agents"); 20 to a page by default, 100 at most. */
export interface AgentQuery {
  readonly page_size?: number | undefined;
  readonly cursor?: string | undefined;
  /** A part of the name. */
  readonly name?: string | undefined;
  readonly sort_by?: "created_at" | "updated_at" | "name" | undefined;
  readonly sort_order?: "asc" | "desc" | undefined;
}

/** One tool server's part of a health check. */
export interface ToolServerCheck {
  readonly url: string;
  readonly ok: boolean;
  readonly error?: string;
}

/** What a health check found; other members are shown as they are. */
export interface AgentHealth {
  readonly agent_id?: string;
  readonly mcp_check?: { readonly ok?: boolean; readonly servers?: readonly ToolServerCheck[] };
  readonly [key: string]: unknown;
}

/** A managed agent's thread, under the names of both interfaces: `id` and `thread_id` are always there. */
export interface ManagedThread {
  readonly id: string;
  readonly thread_id: string;
  readonly agent_id?: string;
  readonly status?: ThreadStatus;
  readonly metadata?: JsonObject | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly state_updated_at?: string;
  readonly title?: string | null;
  readonly has_interrupts?: boolean;
  readonly is_pinned?: boolean;
  readonly is_read?: boolean;
  readonly test_run?: boolean;
  readonly values?: JsonObject | null;
  readonly interrupts?: Readonly<Record<string, readonly Interrupt[]>>;
}

/** A new thread, without the agent that it is for; an existing id is an error unless `if_exists` says otherwise. */
export interface NewThread {
  readonly thread_id?: string;
  readonly if_exists?: "do_nothing" | "raise";
  readonly metadata?: JsonObject;
  readonly options?: { readonly test_run?: boolean; readonly skip_memory_write_protection?: boolean };
}

/** A new thread and the agent that it is for. */
export interface ManagedThreadCreate extends NewThread {
  readonly agent_id: string;
}

/** What changes a thread; unknown members are kept by the server. */
export interface ManagedThreadUpdate {
  readonly title?: string;
  readonly metadata?: JsonObject;
  readonly is_pinned?: boolean;
  readonly is_read?: boolean;
}

/** How to list an agent's threads; 20 to a page at most; `status` excludes `requires_attention`. */
export interface ManagedThreadQuery {
  readonly agent_id: string;
  readonly page_size?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: ThreadStatus | undefined;
  readonly is_pinned?: boolean | undefined;
  readonly test_run?: boolean | undefined;
  readonly requires_attention?: boolean | undefined;
}

/** How the change of one thread of several went. */
export interface BulkResult {
  readonly id: string;
  readonly status: "success" | "failure" | (string & {});
  readonly error_code?: string;
  readonly message?: string;
}

/** What a run of a managed agent may have beside its input. */
export interface ManagedRunFields {
  readonly metadata?: JsonObject;
  readonly config?: JsonObject;
  readonly stream_mode?: StreamMode | readonly StreamMode[];
  readonly stream_subgraphs?: boolean;
  readonly stream_resumable?: boolean;
  readonly multitask_strategy?: MultitaskStrategy;
  readonly feedback_keys?: readonly string[];
  readonly on_disconnect?: "cancel" | "continue";
  /** An IANA name, such as Europe/Berlin. */
  readonly user_timezone?: string;
}

/** What starts a run: messages and whatever else the graph's state has, or the answer to an interrupt. */
export interface ManagedRunCreate extends ManagedRunFields {
  readonly agent_id: string;
  /** An object with `messages`. */
  readonly input?: Json;
  readonly command?: { readonly resume?: Json };
}

/** What makes a thread and starts a run on it. */
export interface ThreadAndRunCreate extends ManagedRunCreate {
  readonly thread?: NewThread;
}

/** A run of a managed agent, as far as it is answered. */
export type ManagedRun = Partial<Run> & { readonly run_id: string; readonly status?: RunStatus };
