/** The rows of the Issues view as data, made anew from the store whenever it changed. */

import { severityLabel, traceLabel } from "../../../api/issueWebhooks/event.ts";
import type { TraceLink } from "../../../api/issueWebhooks/event.ts";
import { counted, dotted } from "../../kit/words.ts";
import { tracesOf } from "../../issues/issueStore.ts";
import type {
  FailureFacts,
  ReceivedFacts,
  IssueAction,
  IssueFacts,
  OtherFacts,
} from "../../issues/issueStore.ts";
import type { CommandId } from "../../kit/ids.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { ageOf } from "../../threads/threadFacts.ts";

/** What a row stands for, as commands get it. */
export type IssueTarget =
  | { readonly kind: "receiver" | "group" }
  | { readonly kind: "subscription"; readonly subscription: string }
  | { readonly kind: "gap"; readonly gap: string }
  | { readonly kind: "row"; readonly row: string }
  | { readonly kind: "trace"; readonly row: string; readonly trace: TraceLink };

/** One row: how it looks and what is below. */
export interface RowModel extends Omit<Row, "command"> {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: NonNullable<Row["icon"]>;
  readonly contextValue: string;
  readonly target: IssueTarget;
  /** Undefined for a row that can't be opened. */
  readonly below?: readonly RowModel[];
  /** What a click does. */
  readonly click?: CommandId;
}

/** Issues by severity, then failed detection runs, then events of other types; empty groups are left out. */
export function groupModels(rows: readonly ReceivedFacts[], now: number): readonly RowModel[] {
  const issues = rows.filter((row) => row.kind === "issue");
  const severities = [...new Set(issues.map(({ issue }) => issue.severity))].sort((a, b) => a - b);
  const failures = rows.filter((row) => row.kind === "failure");
  const others = rows.filter((row) => row.kind === "other");
  return [
    ...severities.map((severity) =>
      groupModel(
        `severity:${String(severity)}`,
        severityLabel(severity),
        severityIcon(severity, "flame"),
        issues.filter(({ issue }) => issue.severity === severity),
        (row) => issueModel(row, now),
      ),
    ),
    groupModel("failures", "Failed detection runs", "error", failures, (row) => failureModel(row, now)),
    groupModel("others", "Other events", "question", others, (row) => otherModel(row, now)),
  ].filter(({ below }) => below?.length !== 0);
}

function groupModel<R extends ReceivedFacts>(
  id: string,
  label: string,
  icon: RowModel["icon"],
  rows: readonly R[],
  model: (row: R) => RowModel,
): RowModel {
  const unread = rows.filter((row) => row.unread).length;
  const description = unread === 0 ? String(rows.length) : `${String(rows.length)} · ${String(unread)} new`;
  return {
    id: `group:${id}`,
    label,
    description,
    icon,
    contextValue: "issueGroup",
    target: { kind: "group" },
    below: rows.map(model),
    startsOpen: rows.length <= 100,
    spoken: `${label}, ${description}`,
  };
}

function issueModel(row: IssueFacts, now: number): RowModel {
  const { issue, actions } = row;
  const traces = tracesOf(row).length;
  const age = ageOf(row.at, now);
  const parts = [issue.session_name ?? "", traces === 0 ? "" : counted(traces, "trace"), age];
  const [only, ...more] = actions;
  const below =
    more.length === 0 ? traceModels(row, only, now) : actions.map((action) => actionModel(row, action, now));
  return {
    id: row.id,
    label: issue.name,
    description: dotted(parts),
    icon: row.unread ? severityIcon(issue.severity, "circle-filled") : "circle-outline",
    contextValue: `issueRow issue ${row.unread ? "unread" : "read"}${issue.url === undefined ? "" : " link"}`,
    target: { kind: "row", row: row.id },
    ...(below.length === 0 ? {} : { below }),
    click: "agentOperations.issue.show",
    tooltip: `${issue.name}\n${severityLabel(issue.severity)} · ${new Date(row.at).toLocaleString()}\n\n${issue.description}`,
    spoken: `${row.unread ? "New, " : ""}${severityLabel(issue.severity)}: ${issue.name}, ${parts.join(", ")}`,
  };
}

/** What one action of the platform led to: shown when an issue has a history. */
function actionModel(row: IssueFacts, action: IssueAction, now: number): RowModel {
  const traces = action.traces.length;
  const words = action.opened ? "Opened" : "Added";
  return {
    id: `${row.id}/action:${action.requestId}`,
    label: traces === 0 ? words : `${words}${action.opened ? " with" : ""} ${counted(traces, "trace")}`,
    description: ageOf(action.at, now),
    icon: action.opened ? "issue-opened" : "git-commit",
    contextValue: "issueAction",
    target: { kind: "row", row: row.id },
    ...(traces === 0 ? {} : { below: traceModels(row, action, now), startsOpen: true }),
  };
}

function traceModels(row: IssueFacts, action: IssueAction | undefined, now: number): readonly RowModel[] {
  return (action?.traces ?? []).map((trace) => ({
    id: `${row.id}/trace:${trace.trace_id}/${trace.run_id}`,
    label: traceLabel(trace),
    description: trace.start_time === undefined ? "" : ageOf(trace.start_time, now),
    icon: "pulse",
    contextValue: "issueTrace",
    target: { kind: "trace", row: row.id, trace },
    click: "agentOperations.issue.openThread",
    tooltip: `Trace ${trace.trace_id}\nRun ${trace.run_id}\nOpen the thread that it belongs to`,
  }));
}

function failureModel(row: FailureFacts, now: number): RowModel {
  const { failure } = row;
  const label = failure.error_message ?? `The detection run ended with ${failure.status}`;
  return {
    id: row.id,
    label,
    description: dotted([failure.session_name ?? "", ageOf(failure.occurred_at ?? row.at, now)]),
    icon: row.unread ? ["circle-filled", "list.errorForeground"] : "circle-outline",
    contextValue: `issueRow failure ${row.unread ? "unread" : "read"}${failure.url === undefined ? "" : " link"}`,
    target: { kind: "row", row: row.id },
    click: "agentOperations.issue.show",
    spoken: `${row.unread ? "New, " : ""}failed detection run: ${label}`,
  };
}

function otherModel(row: OtherFacts, now: number): RowModel {
  return {
    id: row.id,
    label: row.type,
    description: ageOf(row.at, now),
    icon: row.unread ? "circle-filled" : "circle-outline",
    contextValue: `issueRow other ${row.unread ? "unread" : "read"}`,
    target: { kind: "row", row: row.id },
    click: "agentOperations.issue.show",
  };
}

function severityIcon(severity: number, icon: string): readonly [icon: string, color: string] {
  const colors = ["list.errorForeground", "list.warningForeground", "charts.blue"];
  return [icon, colors[severity] ?? "descriptionForeground"];
}
