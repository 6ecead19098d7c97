import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import "../fakeVscode.ts";
import type { AgentServer } from "../../../../src/api/agentServer/index.ts";
import { AnsweringAgent } from "../../api/answeringAgent.ts";
import type { AgentServers as Servers } from "../../../../src/editor/threads/servers/agentServers.ts";

const { AgentServers } = await import("../../../../src/editor/threads/servers/agentServers.ts");

const { Transport } = await import("../../../../src/editor/connections/transport.ts");

const ref = { connectionId: "c", server: { kind: "agentServer", url: "http://127.0.0.1:1" } } as const;

/** Agent servers whose clients are made by `make`. */
function serversOf(make: () => Promise<unknown>): Servers {
  const servers = Object.create(AgentServers.prototype) as Servers;
  return Object.assign(servers, { client: make as () => Promise<AgentServer> });
}

describe("A client that is made anew for each call", () => {
  it("is that of the moment in which a method is called", async () => {
    let address = "first";
    let made = 0;
    const threads = (at: string) => ({
      get: (id: string, options?: object) => Promise.resolve([at, id, options]),
    });
    const servers = serversOf(() => Promise.resolve({ threads: threads(address), at: ++made }));
    const client = servers.clientPerCall(ref);
    equal(made, 0);
    deepEqual(await client.threads.get("a", {}), ["first", "a", {}]);
    address = "second";
    deepEqual(await client.threads.get("b"), ["second", "b", undefined]);
    equal(made, 2);
    deepEqual(Object.keys(client), ["threads", "runs", "assistants"]);
  });

  it("rejects where there is none", async () => {
    const servers = serversOf(() => Promise.reject(new Error("no such server")));
    await rejects(servers.clientPerCall(ref).threads.get("a"), /no such server/);
  });
});

describe("The clock of a server", () => {
  it("is known from its answers, whichever way the server is found", async () => {
    const ahead = new Map([
      ["http://one.example", 90_000],
      ["http://two.example", -90_000],
      ["http://three.example", 0],
    ]);
    await using dispatcher = new AnsweringAgent(({ origin }) => {
      const at = Date.now() + (ahead.get(String(origin)) ?? 0);
      return { headers: { date: new Date(at).toUTCString() }, body: ["[]"] };
    });
    const [one = "", two = "", three = ""] = ahead.keys();
    const connection = { id: "c", kind: "platform", url: three, agentServers: [{ name: "One", url: one }] };
    const connections = { get: () => connection, resolve: () => connection };
    const transport = new Transport(
      connections as never,
      { onDidChange: () => ({ dispose: () => undefined }), allows: () => Promise.resolve(false) } as never,
      { dispatcher: () => Promise.resolve(dispatcher) } as never,
      {} as never,
    );
    const deployments = { server: () => Promise.resolve({ url: two }) };
    const servers = new AgentServers(
      connections as never,
      transport,
      {} as never,
      deployments as never,
      {} as never,
    );
    const named = { connectionId: "c", server: { kind: "agentServer", url: one } } as const;
    const deployed = { connectionId: "c", server: { kind: "deployment", deploymentId: "d" } } as const;
    const managed = { connectionId: "c", server: { kind: "managedAgent", agentId: "a" } } as const;
    deepEqual(
      [named, deployed, managed].map((server) => servers.clockAhead(server)),
      [0, 0, 0],
    );
    for (const server of [named, deployed]) await (await servers.client(server)).assistants.search({});
    await (await transport.http("c", three)).json({ method: "GET", path: "/" });
    ok(Math.abs(servers.clockAhead(named) - 90_000) <= 1000, String(servers.clockAhead(named)));
    ok(Math.abs(servers.clockAhead(deployed) + 90_000) <= 1000, String(servers.clockAhead(deployed)));
    equal(servers.clockAhead(managed), 0);
    transport.dispose();
  });
});
