import { html, type Html } from "./html.ts";
import type { Issue } from "../issueWebhooks/issues.ts";
import type { Platform } from "../platform/platform.ts";
import { deliveryTable, table } from "./statusTable.ts";

/** What a link in a webhook's payload points to. */
export interface Link {
  readonly issue?: string | undefined;
  /** A tracing project: `session_id` of the payload. */
  readonly project?: string | undefined;
}

const severities = ["urgent", "high", "medium", "low"];
const shownIssues = 100;

/** What the status page shows first when it is opened by a link; nothing without one. */
export function linkedSection(platform: Platform, { issue, project }: Link): Html {
  if (issue !== undefined) return issueSection(platform, issue.toLowerCase());
  if (project !== undefined) return projectSection(platform, project.toLowerCase());
  return html``;
}

function issueSection(platform: Platform, id: string): Html {
  const issue = platform.issues.get(id);
  if (issue === undefined) {
    return html`<h2>Issue</h2>
      <p class="bad">There is no issue <code>${id}</code> on this platform.</p>`;
  }
  const { name, description, session_id, session_name, traces, created_at } = issue;
  return html`<section>
    <h2>Issue: ${name}</h2>
    <dl>
      <dt>Severity</dt>
      <dd>${severityOf(issue)}</dd>
      <dt>Project</dt>
      <dd><a href="/?project=${session_id}">${session_name}</a></dd>
      <dt>Opened</dt>
      <dd><time>${created_at}</time></dd>
      <dt>Description</dt>
      <dd>${description === "" ? "none" : description}</dd>
    </dl>
    <h3>Traces</h3>
    ${table(
      ["Started", "Run", "Trace", "Comment"],
      traces.map(
        ({ run_id, trace_id, start_time, comment }) =>
          html`<tr>
            <td><time>${start_time}</time></td>
            <td><code>${run_id}</code></td>
            <td><code>${trace_id}</code></td>
            <td>${comment ?? ""}</td>
          </tr>`,
      ),
      "No trace is linked to it.",
    )}
    <h3>Its webhook deliveries</h3>
    ${deliveryTable(platform, id)}
  </section>`;
}

function projectSection(platform: Platform, id: string): Html {
  const issues = platform.issues.ofProject(id, shownIssues);
  const name = issues[0]?.session_name;
  return html`<section>
    <h2>Project: ${name ?? html`<code>${id}</code>`}</h2>
    <h3>Issues</h3>
    ${table(
      ["Issue", "Severity", "Traces", "Opened"],
      issues.map(
        (issue) =>
          html`<tr>
            <td><a href="/?issue=${issue.id}">${issue.name}</a></td>
            <td>${severityOf(issue)}</td>
            <td>${issue.traces.length}</td>
            <td><time>${issue.created_at}</time></td>
          </tr>`,
      ),
      "No issue was opened in it.",
    )}
    <h3>Its webhook deliveries</h3>
    ${deliveryTable(platform, id)}
  </section>`;
}

function severityOf({ severity }: Issue): string {
  return `${severity} ${severities[severity] ?? ""}`;
}
