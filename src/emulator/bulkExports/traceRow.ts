import type { JsonObject } from "../kit/json.ts";

/** One span of a trace, in the fields of the run data format. */
export interface TraceRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly trace_id: string;
  readonly parent_run_id: string | null;
  /** From the root down. */
  readonly parent_run_ids: readonly string[];
  readonly reference_example_id: null;
  readonly name: string;
  readonly run_type: "chain" | "llm" | "tool";
  readonly start_time: Date;
  readonly end_time: Date | null;
  readonly status: "pending" | "success" | "error" | "interrupted";
  readonly is_root: boolean;
  readonly dotted_order: string;
  readonly trace_tier: "longlived";
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly error: string | null;
  readonly extra: { readonly metadata: JsonObject };
  readonly events: readonly JsonObject[];
  readonly tags: readonly string[];
  readonly feedback_stats: Readonly<Record<string, FeedbackStats>> | null;
  readonly total_tokens: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Sample agents cost nothing, and the costs of others are unknown. */
  readonly total_cost: null;
  readonly prompt_cost: null;
  readonly completion_cost: null;
  readonly first_token_time: null;
}

/** The feedback on a run under one key. */
export interface FeedbackStats {
  readonly n: number;
  /** Null when no score was given. */
  readonly avg: number | null;
  /** How often each text was given as the value. */
  readonly values: Readonly<Record<string, number>>;
}

/** How a column is written: `text` as it is, `json` as JSON text. */
export type ColumnKind = "text" | "json" | "time" | "integer" | "number" | "boolean";

/** The columns of an exported file, in order of the run data format. */
export const columns = {
  id: "text",
  tenant_id: "text",
  session_id: "text",
  trace_id: "text",
  parent_run_id: "text",
  parent_run_ids: "json",
  reference_example_id: "text",
  name: "text",
  run_type: "text",
  start_time: "time",
  end_time: "time",
  status: "text",
  is_root: "boolean",
  dotted_order: "text",
  trace_tier: "text",
  inputs: "json",
  outputs: "json",
  error: "text",
  extra: "json",
  events: "json",
  tags: "json",
  feedback_stats: "json",
  total_tokens: "integer",
  prompt_tokens: "integer",
  completion_tokens: "integer",
  total_cost: "number",
  prompt_cost: "number",
  completion_cost: "number",
  first_token_time: "time",
} as const satisfies Readonly<Record<keyof TraceRow, ColumnKind>>;

/** Whether a name is that of a column. */
export function isColumn(name: string): name is keyof TraceRow {
  return Object.hasOwn(columns, name);
}
