/** A managed agent's health as one icon, and in words what fails. */

import type { AgentHealth, ToolServerCheck } from "../../api/managedAgents/wire.ts";

/** What is known of an agent's health. */
export type Health =
  | { readonly kind: "unknown" }
  | { readonly kind: "checking" }
  | { readonly kind: "checked"; readonly report: AgentHealth }
  | { readonly kind: "failed"; readonly message: string };

/** The tool servers that can't be reached. */
export function failingServers(report: AgentHealth): readonly ToolServerCheck[] {
  const servers = report.mcp_check?.servers ?? [];
  return servers.filter(({ ok }) => !ok);
}

/** Whether every check that the platform made went well; other checks than that of tool servers count as well. */
export function isHealthy(report: AgentHealth): boolean {
  const bad = (check: unknown): boolean =>
    typeof check === "object" && check !== null && "ok" in check && check.ok === false;
  return !bad(report.mcp_check) && failingServers(report).length === 0 && !Object.values(report).some(bad);
}

/** An icon and a color of the theme. */
export function healthIcon(health: Health): readonly [icon: string, color: string | undefined] {
  switch (health.kind) {
    case "unknown":
      return ["hubot", undefined];
    case "checking":
      return ["loading~spin", undefined];
    case "failed":
      return ["warning", "list.warningForeground"];
    case "checked":
      return isHealthy(health.report)
        ? ["pass", "testing.iconPassed"]
        : ["warning", "list.warningForeground"];
    default:
      return health satisfies never;
  }
}

/** What the check found, one line for each thing; checks that are not known are shown as they came. */
export function healthLines(health: Health): readonly string[] {
  switch (health.kind) {
    case "unknown":
      return ["Not checked yet"];
    case "checking":
      return ["Being checked…"];
    case "failed":
      return [`The check failed: ${health.message}`];
    case "checked":
      return checkedLines(health.report);
    default:
      return health satisfies never;
  }
}

function checkedLines(report: AgentHealth): readonly string[] {
  const { mcp_check } = report;
  const servers = mcp_check?.servers ?? [];
  const failing = failingServers(report);
  const tools =
    failing.length > 0
      ? failing.map(({ url, error }) => `${url} fails${error === undefined ? "" : `: ${error}`}`)
      : [
          servers.length === 0
            ? "No tool servers to reach"
            : `All ${String(servers.length)} tool servers answer`,
        ];
  const others = Object.entries(report).filter(([name]) => name !== "agent_id" && name !== "mcp_check");
  return [...tools, ...others.map(([name, value]) => `${name}: ${stateWords(value)}`)];
}

/** A part that says whether it is well is told in words; any other one as it is. */
function stateWords(value: unknown): string {
  if (typeof value !== "object" || value === null || !("ok" in value)) return JSON.stringify(value);
  const { ok, error, type, ...others } = value as Readonly<Record<string, unknown>>;
  const isPlain = typeof ok === "boolean" && Object.keys(others).length === 0;
  if (!isPlain) return JSON.stringify(value);
  const works = ok ? "works" : typeof error === "string" ? `fails: ${error}` : "fails";
  return typeof type === "string" ? `${type}, ${works}` : works;
}
