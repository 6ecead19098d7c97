import { createHash } from "node:crypto";
import { type Deployment, upstreamOf } from "../controlPlane/deployment.ts";
import { html, Html } from "./html.ts";
import type { Platform } from "../platform/platform.ts";
import { type Link, linkedSection } from "./issueSection.ts";
import type { RecentRequest, RecentRequests } from "./recentRequests.ts";
import { deliveryTable, table } from "./statusTable.ts";

const shownDeployments = 50;

/** The page on which a person reads what the Local Platform does; first what a webhook's link points to. It holds no secrets and runs no scripts. */
export function statusPage(platform: Platform, requests: RecentRequests, link: Link = {}): Html {
  const deployments = platform.controlPlane.deployments.list({}, shownDeployments, 0);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="refresh" content="5" />
        <title>Local Platform</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>Local Platform</h1>
          ${linkedSection(platform, link)} ${overview(platform)}
          <h2>Deployments</h2>
          ${table(
            ["Name", "Status", "Latest revision", "Threads", "Served at"],
            deployments.map((deployment) => deploymentRow(platform, deployment)),
            "There are no deployments.",
          )}
          ${
            platform.webhooks.list().length === 0
              ? ""
              : html`<h2>Webhook deliveries</h2>
                  ${deliveryTable(platform)}`
          }
          <h2>Recent requests</h2>
          ${table(
            ["Time", "Method", "Path", "Status", "ms"],
            requests.list().map(requestRow),
            "Nothing was asked yet.",
          )}
        </main>
      </body>
    </html>`;
}

/** Nothing but the page's own style may be loaded or run. */
export function statusPagePolicy(): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const style = `
:root { --ink: #1f2328; --dim: #59636e; --line: #d1d9e0; --page: #ffffff; --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --dim: #a0a8b2; --line: #3a424c; --page: #14171b; --good: #56d364; --bad: #ff8f87; }
}
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
section { border-bottom: 2px solid var(--line); padding-bottom: 1rem; margin-bottom: 1.5rem; }
a { color: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; }
td, time { white-space: nowrap; }
td:first-child, td:last-child { white-space: normal; }
td code { display: inline-block; min-width: 14rem; white-space: normal; overflow-wrap: anywhere; }
code { font: 13px ui-monospace, monospace; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.dim { color: var(--dim); }
`;
const styleElement = new Html(`<style>${style}</style>`);

function overview(platform: Platform): Html {
  const { runs, managedAgents, identity } = platform;
  const base = platform.baseUrl();
  const rows: [name: string, value: string | number][] = [
    ["Control plane", `${base}/api-host`],
    ["Managed agents", `${base}/v1/managed (${managedAgents.count()} agents)`],
    ["Sample agent server", `${base}/deployments/${identity.deploymentId}`],
    ["All routes", `${base}/_local/openapi.json`],
    ["Workspace", identity.workspaceId],
    ["Runs in progress", runs.unfinished().length],
    ["Running since", new Date(Date.now() - process.uptime() * 1000).toISOString()],
  ];
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd><code>${value}</code></dd>`,
    )}
  </dl>`;
}

function deploymentRow(platform: Platform, deployment: Deployment): Html {
  const { id, name, status, latest_revision_id: latest } = deployment;
  const revision = latest === null ? undefined : platform.controlPlane.revisions.find(latest);
  const upstream = upstreamOf(deployment);
  return html`<tr>
    <td>${name}</td>
    <td>${status}</td>
    <td class="${toneOf(revision?.status ?? "")}">${revision?.status ?? "none"}</td>
    <td>${upstream === undefined ? platform.threads.count(id, {}) : ""}</td>
    <td>
      <code>${platform.baseUrl()}/deployments/${id}</code>
      ${upstream === undefined ? "" : html`<span class="dim">fronts <code>${upstream}</code></span>`}
    </td>
  </tr>`;
}

function requestRow({ method, path, at, status, duration }: RecentRequest): Html {
  const [tone, answer] =
    status === undefined
      ? ["dim", "…"]
      : status === 0
        ? ["bad", "left"]
        : [status < 400 ? "good" : "bad", status];
  return html`<tr>
    <td><time>${at.toISOString().slice(11, 23)}</time></td>
    <td>${method}</td>
    <td><code>${path}</code></td>
    <td class="${tone}">${answer}</td>
    <td>${duration === undefined ? "" : duration.toFixed(1)}</td>
  </tr>`;
}

function toneOf(status: string): string {
  if (status === "DEPLOYED") return "good";
  return status.endsWith("_FAILED") ? "bad" : "dim";
}
