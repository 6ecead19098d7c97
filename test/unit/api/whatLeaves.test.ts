import { deepEqual } from "node:assert/strict";
import { AgentServer } from "../../../src/api/agentServer/index.ts";
import { ControlPlane } from "../../../src/api/controlPlane/index.ts";
import { Http } from "../../../src/api/http.ts";
import { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import { ThreadProtocol } from "../../../src/api/threadProtocol/index.ts";
import { all } from "../../support/all.ts";
import { AnsweringAgent, bodyOf } from "./answeringAgent.ts";

type Call = (http: Http) => Promise<unknown>;

/** What leaves where nothing more is asked for, and where all is; an undefined body for none. */
const calls: readonly (readonly [call: Call, path: string, body?: unknown])[] = [
  [(http) => new AgentServer(http).threads.history("t"), "/threads/t/history", { limit: 10 }],
  [
    (http) =>
      new AgentServer(http).threads.history("t", {
        limit: 3,
        before: "c",
        checkpoint: { checkpoint_ns: "a:1" },
      }),
    "/threads/t/history",
    { limit: 3, before: "c", checkpoint: { checkpoint_ns: "a:1" } },
  ],
  [
    (http) => new AgentServer(http).threads.search(),
    "/threads/search",
    { limit: 101, select: ["thread_id", "status", "metadata", "created_at", "updated_at"] },
  ],
  [
    (http) => new AgentServer(http).threads.search({ limit: 999, select: ["status"], offset: 5 }),
    "/threads/search",
    { limit: 1000, select: ["status"], offset: 5 },
  ],
  [
    (http) => new AgentServer(http).threads.search({ limit: 1000, select: ["status"] }),
    "/threads/search",
    { limit: 1000, select: ["status"] },
  ],
  [(http) => new AgentServer(http).threads.state("t"), "/threads/t/state"],
  [
    (http) => new AgentServer(http).threads.state("t", { checkpointId: "c", subgraphs: true }),
    "/threads/t/state/c?subgraphs=true",
  ],
  [
    (http) => new AgentServer(http).threads.state("t", { checkpointNs: "a:1", checkpointId: "c" }),
    "/threads/t/state/checkpoint",
    { checkpoint: { checkpoint_ns: "a:1", checkpoint_id: "c" } },
  ],
  [(http) => new AgentServer(http).assistants.search(), "/assistants/search", { limit: 100 }],
  [(http) => new AgentServer(http).runs.list("t"), "/threads/t/runs"],
  [
    (http) => new AgentServer(http).runs.list("t", { limit: 2, offset: 0, status: "error" }),
    "/threads/t/runs?limit=2&offset=0&status=error",
  ],
  [(http) => new AgentServer(http).runs.cancel("t", "r"), "/threads/t/runs/r/cancel"],
  [
    (http) => new AgentServer(http).runs.cancel("t", "r", { action: "rollback", wait: true }),
    "/threads/t/runs/r/cancel?action=rollback&wait=true",
  ],
  [(http) => new AgentServer(http).runs.cancel("t", "r", { wait: false }), "/threads/t/runs/r/cancel"],
  [
    (http) => new AgentServer(http).runs.create("t", { assistant_id: "a" }),
    "/threads/t/runs",
    { stream_resumable: true, assistant_id: "a" },
  ],
  [
    (http) => new AgentServer(http).runs.stream("t", { assistant_id: "a", stream_resumable: false }),
    "/threads/t/runs/stream",
    { stream_resumable: false, assistant_id: "a" },
  ],
  [(http) => new ControlPlane(http).deployments.page(), "/v2/deployments?limit=20&offset=0"],
  [
    (http) => new ControlPlane(http).deployments.page({ limit: 3, offset: 6 }),
    "/v2/deployments?limit=3&offset=6",
  ],
  [(http) => new ControlPlane(http).revisions.page("d"), "/v2/deployments/d/revisions?limit=20&offset=0"],
  [
    (http) => new ControlPlane(http).deployments.delete("d", { deleteTracingProject: true, force: false }),
    "/v2/deployments/d?delete_tracing_project=true&force=false",
  ],
  [(http) => new ManagedAgents(http).agents.get("a"), "/agents/a"],
  [(http) => new ManagedAgents(http).agents.get("a", { includeFiles: true }), "/agents/a?include_files=true"],
  [(http) => new ManagedAgents(http).agents.get("a", { includeFiles: false }), "/agents/a"],
  ...(
    [
      [undefined, 1],
      [0, 1],
      [1.4, 1],
      [24.6, 25],
      [99, 25],
    ] as const
  ).map(([waitSeconds, sent]): (typeof calls)[number] => [
    (http) => new ManagedAgents(http).authSessions.get("s", waitSeconds === undefined ? {} : { waitSeconds }),
    `/auth-sessions/s?wait_seconds=${sent}`,
  ]),
  [(http) => new ManagedAgents(http).toolServers.tools("u"), "/mcp/tools?url=u"],
  [
    (http) => new ManagedAgents(http).toolServers.tools("u", { force: true, providerId: "p" }),
    "/mcp/tools?url=u&oauth_provider_id=p&force_refresh=true",
  ],
  [
    (http) => new ManagedAgents(http).runs.resume("t", { agent_id: "a", resume: 7 }),
    "/threads/t/runs/stream",
    { agent_id: "a", input: { messages: [{ role: "system", content: "" }] }, command: { resume: 7 } },
  ],
  [(http) => new ThreadProtocol(http).history("t", { limit: 5 }), "/api/threads/t/history", { limit: 5 }],
];

/** The requests that leave; what comes back does not matter. */
async function leaving(work: Call): Promise<readonly (readonly unknown[])[]> {
  await using dispatcher = new AnsweringAgent(() => ({ body: ['{"results":[]}'] }));
  await work(new Http({ baseUrl: "http://a.example", dispatcher })).catch(() => undefined);
  return dispatcher.asked.map((request) => {
    const sent = bodyOf(request);
    return sent === undefined ? [request.path] : [request.path, sent];
  });
}

describe("What leaves with a call", () => {
  for (const [call, path, body] of calls)
    it(`is ${path} ${body === undefined ? "" : JSON.stringify(body)}`, async () => {
      deepEqual((await leaving(call))[0], body === undefined ? [path] : [path, body]);
    });

  it("of many threads is fifty of them at a time", async () => {
    const sizes = async (count: number): Promise<readonly number[]> => {
      const ids = Array.from({ length: count }, (_, number) => `t${number}`);
      const change: Call = (http) => all(new ManagedAgents(http).threads.bulkModify(ids, { title: "x" }));
      return (await leaving(change)).map(
        ([, body]) => (body as { thread_ids: readonly string[] }).thread_ids.length,
      );
    };
    deepEqual(
      [await sizes(0), await sizes(50), await sizes(51), await sizes(100)],
      [[], [50], [50, 1], [50, 50]],
    );
  });

  it("says since when events are wanted only where that is a number of one", async () => {
    const since = async (number: number | undefined): Promise<unknown> => {
      const [[, body] = []] = await leaving((http) =>
        new ThreadProtocol(http).stream("t", { since: number }),
      );
      return (body as { readonly since?: number }).since;
    };
    deepEqual(
      [await since(undefined), await since(-1), await since(0), await since(7)],
      [undefined, undefined, 0, 7],
    );
  });
});

describe("What comes back of a revision that is made again", () => {
  it("is its deployment with the newest one, where that is told", async () => {
    const of = async (answer: unknown): Promise<unknown> => {
      await using dispatcher = new AnsweringAgent(() => ({ body: [JSON.stringify(answer)] }));
      return await new ControlPlane(new Http({ baseUrl: "http://a.example", dispatcher })).revisions.redeploy(
        "d",
        "v",
      );
    };
    deepEqual(await of({ id: "d", latest_revision_id: "w", more: 1 }), { id: "d", latest_revision_id: "w" });
    deepEqual(await of({ id: "d" }), { id: "d", latest_revision_id: null });
    for (const other of [{ id: "e", latest_revision_id: "w" }, {}, "d", null])
      deepEqual(await of(other), undefined);
  });
});
