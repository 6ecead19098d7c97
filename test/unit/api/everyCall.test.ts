import assert from "node:assert/strict";
import { AgentServer } from "../../../src/api/agentServer/index.ts";
import { Destinations } from "../../../src/api/bulkExports/destinations.ts";
import { Projects } from "../../../src/api/bulkExports/projects.ts";
import { ExportJobs } from "../../../src/api/bulkExports/exportJobs.ts";
import { ControlPlane } from "../../../src/api/controlPlane/index.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { LocalIssues } from "../../../src/api/localIssues.ts";
import { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import { ThreadProtocol } from "../../../src/api/threadProtocol/index.ts";
import { serve } from "../../support/testServer.ts";

type Call = (http: Http) => Promise<unknown>;
type Calls = Readonly<Record<string, Call>>;

/** Any body: a client sends it as it is. */
const body = {} as never;

/** What leaves everything as it is: it is asked again where that may help, and asks nobody before. */
const reading: Calls = {
  "GET /ok": (http) => new AgentServer(http).ok(),
  "GET /info": (http) => new AgentServer(http).info(),
  "GET /threads/t": (http) => new AgentServer(http).threads.get("t"),
  "POST /threads/search": (http) => new AgentServer(http).threads.search(),
  "POST /threads/count": (http) => new AgentServer(http).threads.count(),
  "GET /threads/t/state": (http) => new AgentServer(http).threads.state("t"),
  "POST /threads/t/state/checkpoint": (http) =>
    new AgentServer(http).threads.state("t", { checkpointNs: "s:1" }),
  "POST /threads/t/history": (http) => new AgentServer(http).threads.history("t"),
  "POST /assistants/search": (http) => new AgentServer(http).assistants.search(),
  "GET /assistants/a/schemas": (http) => new AgentServer(http).assistants.schemas("a"),
  "GET /assistants/a/graph": (http) => new AgentServer(http).assistants.graph("a"),
  "GET /threads/t/runs/r": (http) => new AgentServer(http).runs.get("t", "r"),
  "GET /threads/t/runs": (http) => new AgentServer(http).runs.list("t"),
  "GET /v2/deployments": (http) => new ControlPlane(http).deployments.page(),
  "GET /v2/deployments/d": (http) => new ControlPlane(http).deployments.get("d"),
  "GET /v2/deployments/d/revisions": (http) => new ControlPlane(http).revisions.page("d"),
  "GET /v2/deployments/d/revisions/v": (http) => new ControlPlane(http).revisions.get("d", "v"),
  "GET /agents/a": (http) => new ManagedAgents(http).agents.get("a"),
  "GET /agents": (http) => new ManagedAgents(http).agents.page(),
  "GET /threads/m": (http) => new ManagedAgents(http).threads.get("m"),
  "GET /threads": (http) => new ManagedAgents(http).threads.page({ agent_id: "a" }),
  "GET /threads/count": (http) => new ManagedAgents(http).threads.attentionCount(),
  "GET /mcp-servers": (http) => new ManagedAgents(http).toolServers.list(),
  "GET /mcp-servers/s": (http) => new ManagedAgents(http).toolServers.get("s"),
  "GET /api/v1/bulk-exports/destinations": (http) => new Destinations(http).list(),
  "GET /api/v1/bulk-exports": (http) => new ExportJobs(http).list(),
  "GET /api/v1/sessions": (http) => new Projects(http).list(),
  "GET /api/v1/bulk-exports/e": (http) => new ExportJobs(http).get("e"),
  "GET /_local/webhooks": (http) => new LocalIssues(http).webhooks(),
  "GET /_local/webhooks/w/deliveries": (http) => new LocalIssues(http).deliveries("w"),
  "GET /v2/auth/tokens/exists": (http) => new ControlPlane(http).tokens.exists("p"),
  "GET /v2/deployments/d/revisions/v/logs": (http) =>
    new ControlPlane(http).logs.ofRevision("d", "v", { type: "deploy" }),
  "GET /api/v1/bulk-exports/e/runs": (http) => new ExportJobs(http).runs("e"),
  "GET /api/v1/bulk-exports/destinations/d": (http) => new Destinations(http).get("d"),
  "GET /agents/a/health": (http) => new ManagedAgents(http).agents.health("a"),
  "GET /auth-sessions/s": (http) => new ManagedAgents(http).authSessions.get("s"),
  "GET /threads/t/runs/r/join": (http) => new AgentServer(http).runs.join("t", "r"),
  "GET /threads/t/runs/r/stream": (http) => new AgentServer(http).runs.rejoin("t", "r"),
  "GET /api/threads/t/state": (http) => new ThreadProtocol(http).state("t"),
  "GET /api/threads": (http) => new ThreadProtocol(http).list(),
  "POST /api/threads/t/history": (http) => new ThreadProtocol(http).history("t", body),
};

/** What comes to the same however often it is done: it is asked again, once somebody agreed. */
const repeatable: Calls = {
  "DELETE /threads/t": (http) => new AgentServer(http).threads.delete("t"),
  "DELETE /agents/a": (http) => new ManagedAgents(http).agents.delete("a"),
  "DELETE /threads/m": (http) => new ManagedAgents(http).threads.delete("m"),
  "DELETE /mcp-servers/s": (http) => new ManagedAgents(http).toolServers.delete("s"),
  "DELETE /_local/webhooks/w": (http) => new LocalIssues(http).unsubscribe("w"),
  "DELETE /api/threads/t": (http) => new ThreadProtocol(http).delete("t"),
};

/** What might be done twice: it is sent once. */
const changing: Calls = {
  "POST /threads": (http) => new AgentServer(http).threads.create(),
  "POST /threads/t/copy": (http) => new AgentServer(http).threads.copy("t"),
  "POST /threads/t/state": (http) => new AgentServer(http).threads.update("t", body),
  "POST /threads/t/runs": (http) => new AgentServer(http).runs.create("t", body),
  "POST /threads/t/runs/stream": (http) => new AgentServer(http).runs.stream("t", body),
  "POST /v2/deployments": (http) => new ControlPlane(http).deployments.create(body),
  "POST /agents": (http) => new ManagedAgents(http).agents.create(body),
  "POST /agents/a/clone": (http) => new ManagedAgents(http).agents.clone("a"),
  "POST /threads/m/runs": (http) => new ManagedAgents(http).runs.create("m", body),
  "POST /threads/runs": (http) => new ManagedAgents(http).runs.createWithThread(body),
  "POST /threads/m/resolve-interrupt": (http) => new ManagedAgents(http).threads.resolveInterrupt("m"),
  "POST /mcp-servers": (http) => new ManagedAgents(http).toolServers.create(body),
  "POST /mcp-servers/s/oauth-provider": (http) => new ManagedAgents(http).toolServers.registerProvider("s"),
  "POST /auth-sessions": (http) => new ManagedAgents(http).authSessions.start(body),
  "POST /api/v1/bulk-exports/destinations": (http) => new Destinations(http).create(body),
  "POST /api/v1/bulk-exports": (http) => new ExportJobs(http).create(body),
  "POST /_local/webhooks": (http) => new LocalIssues(http).subscribe(body),
  "POST /_local/webhooks/w/roll-secret": (http) => new LocalIssues(http).rollSecret("w"),
  "POST /_local/issues": (http) => new LocalIssues(http).report(body),
  "POST /_local/agent-run-failures": (http) => new LocalIssues(http).reportFailure(body),
  "POST /api/threads/t/commands": (http) => new ThreadProtocol(http).command("t", "run.start", {}),
  "POST /api/threads/t/runs/r/cancel": (http) => new ThreadProtocol(http).cancel("t", "r"),
  "POST /threads/t/runs/r/cancel": (http) => new AgentServer(http).runs.cancel("t", "r"),
  "PATCH /threads/t": (http) => new AgentServer(http).threads.patch("t", body),
  "PATCH /v2/deployments/d": (http) => new ControlPlane(http).deployments.patch("d", body),
  "DELETE /v2/deployments/d": (http) => new ControlPlane(http).deployments.delete("d"),
  "POST /v2/deployments/d/revisions/v/redeploy": (http) =>
    new ControlPlane(http).revisions.redeploy("d", "v"),
  "POST /v2/deployments/d/revisions/v/interruption": (http) =>
    new ControlPlane(http).revisions.interrupt("d", "v"),
  "PATCH /agents/a": (http) => new ManagedAgents(http).agents.update("a", body),
  "PATCH /threads/m": (http) => new ManagedAgents(http).threads.update("m", body),
  "POST /threads/m/runs/stream": (http) => new ManagedAgents(http).runs.stream("m", body),
  "PATCH /mcp-servers/s": (http) => new ManagedAgents(http).toolServers.update("s", body),
  "PATCH /api/v1/bulk-exports/destinations/d": (http) => new Destinations(http).rotate("d", body),
  "PATCH /api/v1/bulk-exports/e": (http) => new ExportJobs(http).cancel("e"),
  "PATCH /_local/webhooks/w": (http) => new LocalIssues(http).change("w", body),
};

/** What takes any answer: it ends a thing, or tells what a graph made, or what our own Local Platform made. */
const takesAny: ReadonlySet<string> = new Set([
  "GET /threads/t/runs/r/join",
  "GET /_local/webhooks",
  "POST /_local/webhooks",
  "POST /_local/webhooks/w/roll-secret",
  "POST /_local/issues",
  "POST /_local/agent-run-failures",
  "PATCH /threads/t",
  "PATCH /_local/webhooks/w",
  "POST /threads/m/resolve-interrupt",
  "POST /threads/t/runs/r/cancel",
  "POST /api/threads/t/runs/r/cancel",
  "POST /v2/deployments/d/revisions/v/redeploy",
  "POST /v2/deployments/d/revisions/v/interruption",
]);

/** What was asked of a server that answers so, what somebody was asked before, and how it failed. */
async function made(call: Call, answer: { readonly status?: number; readonly body?: string }) {
  await using server = await serve(() => ({ headers: { "retry-after": "0" }, ...answer }));
  let admitted = 0;
  const admit = (): Promise<void> => {
    admitted += 1;
    return Promise.resolve();
  };
  const failure = await call(new Http({ baseUrl: server.url, admit })).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.kind : String(error)),
  );
  const asked = server.asked.map(({ method, url }) => `${method} ${url.replace(/\?.*$/, "")}`);
  return { asked, admitted, failure };
}

describe("Every call of every client", () => {
  for (const [calls, requests, admitted] of [
    [reading, 4, 0],
    [repeatable, 4, 1],
    [changing, 1, 1],
  ] as const)
    for (const [name, call] of Object.entries(calls))
      it(`${name} is sent ${requests === 1 ? "once" : "again"} where a server is away, and ${admitted === 0 ? "asks nobody" : "asks once"} before`, async () => {
        const { asked, admitted: asks, failure } = await made(call, { status: 503 });
        assert.deepEqual([new Set(asked), asked.length], [new Set([name]), requests]);
        assert.deepEqual([asks, failure], [admitted, "server"]);
      });

  for (const [name, call] of Object.entries({ ...reading, ...changing }).filter(
    ([name]) => !takesAny.has(name) && !name.startsWith("DELETE"),
  ))
    it(`${name} takes no answer of another shape for its own`, async () => {
      const kind = name.endsWith("/stream") ? "notJson" : "malformed";
      for (const answer of name.endsWith("/count") ? ['"text"', "[7]"] : ['"text"', "7", "[7]"])
        assert.equal((await made(call, { body: answer })).failure, kind, answer);
    });
});
