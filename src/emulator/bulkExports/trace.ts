import type { JsonObject } from "../kit/json.ts";
import type { Checkpoint } from "../runtime/checkpoint.ts";
import type { Usage } from "../runtime/messages.ts";
import type { Run } from "../runtime/runs.ts";
import { isOver, type Span, spansOf } from "./spans.ts";
import type { FeedbackStats, TraceRow } from "./traceRow.ts";

/** A recorded run, and what is known about it. */
export interface Recording {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly run: Run;
  /** The checkpoints that the run made, and those it went on from, of all namespaces in order. */
  readonly checkpoints: readonly Checkpoint[];
  readonly feedback: Readonly<Record<string, FeedbackStats>> | null;
}

/** The trace of a recorded run: the run itself, below it its steps, below them their model and tool calls. */
export function traceOf(recording: Recording): TraceRow[] {
  const { run, checkpoints } = recording;
  const last = checkpoints.findLast(({ ns, run_id }) => ns === "" && run_id === run.run_id);
  const root: Span = {
    id: run.run_id,
    parentId: null,
    name: graphOf(recording),
    type: "chain",
    start: new Date(run.created_at),
    end: isOver(run) ? new Date(run.updated_at) : null,
    status: statuses[run.status],
    inputs: run.kwargs.input ?? (run.kwargs.command === null ? null : { command: run.kwargs.command }),
    outputs: run.status === "error" || last === undefined ? null : last.values,
    error: run.error,
    usage: undefined,
  };
  return toRows(recording, [root, ...spansOf(run, checkpoints)]);
}

function toRows(recording: Recording, spans: readonly Span[]): TraceRow[] {
  const { run, tenantId, sessionId } = recording;
  const byId = new Map(spans.map((span) => [span.id, span]));
  const pathOf = (span: Span): Span[] => {
    if (span.parentId === null) return [span];
    const parent = byId.get(span.parentId) ?? spans[0];
    return parent === undefined || parent === span ? [span] : [...pathOf(parent), span];
  };
  const traced = spans.map((span) => ({ span, path: pathOf(span) }));
  const tokens = tokensOf(traced);
  return traced.map(({ span, path }) => {
    const ids = path.slice(0, -1).map(({ id }) => id);
    return {
      id: span.id,
      tenant_id: tenantId,
      session_id: sessionId,
      trace_id: run.run_id,
      parent_run_id: ids.at(-1) ?? null,
      parent_run_ids: ids,
      reference_example_id: null,
      name: span.name,
      run_type: span.type,
      start_time: span.start,
      end_time: span.end,
      status: span.status,
      is_root: span.parentId === null,
      dotted_order: path.map(({ start, id }) => `${compact(start)}${id}`).join("."),
      trace_tier: "longlived",
      inputs: span.inputs,
      outputs: span.outputs,
      error: span.error,
      extra: { metadata: metadataOf(run) },
      events: eventsOf(span),
      tags: tagsOf(run),
      feedback_stats: span.parentId === null ? recording.feedback : null,
      total_tokens: tokens.get(span)?.total_tokens ?? 0,
      prompt_tokens: tokens.get(span)?.input_tokens ?? 0,
      completion_tokens: tokens.get(span)?.output_tokens ?? 0,
      total_cost: null,
      prompt_cost: null,
      completion_cost: null,
      first_token_time: null,
    };
  });
}

/** What each span and all below it used. */
function tokensOf(
  traced: readonly { readonly span: Span; readonly path: readonly Span[] }[],
): Map<Span, Usage> {
  const sums = new Map<Span, Usage>();
  for (const { span, path } of traced) {
    if (span.usage === undefined) continue;
    for (const outer of path) {
      const sum = sums.get(outer);
      sums.set(outer, {
        input_tokens: (sum?.input_tokens ?? 0) + span.usage.input_tokens,
        output_tokens: (sum?.output_tokens ?? 0) + span.usage.output_tokens,
        total_tokens: (sum?.total_tokens ?? 0) + span.usage.total_tokens,
      });
    }
  }
  return sums;
}

function graphOf({ run, checkpoints }: Recording): string {
  const graph = checkpoints.find(({ ns }) => ns === "")?.metadata.graph_id;
  return typeof graph === "string" ? graph : run.assistant_id;
}

function metadataOf(run: Run): JsonObject {
  const { thread_id, assistant_id } = run;
  return { ...run.metadata, thread_id, assistant_id };
}

function tagsOf(run: Run): string[] {
  const { tags } = run.kwargs.config;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

function eventsOf({ start, end }: Span): JsonObject[] {
  const begun = { name: "start", time: start.toISOString() };
  return end === null ? [begun] : [begun, { name: "end", time: end.toISOString() }];
}

const statuses: Readonly<Record<Run["status"], TraceRow["status"]>> = {
  pending: "pending",
  running: "pending",
  timeout: "error",
  error: "error",
  success: "success",
  interrupted: "interrupted",
};

/** A time as dotted orders write it, with microseconds. */
function compact(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, "").replace("Z", "000Z");
}
