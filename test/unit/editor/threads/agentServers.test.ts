import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import "../fakeVscode.ts";
import { Http } from "../../../../src/api/http.ts";
import { AnsweringAgent } from "../../api/answeringAgent.ts";
import type { AgentServers as Servers } from "../../../../src/editor/threads/servers/agentServers.ts";

const { AgentServers } = await import("../../../../src/editor/threads/servers/agentServers.ts");

const { Transport } = await import("../../../../src/editor/connections/transport.ts");

const transportOf = (connections: object, dispatcher: AnsweringAgent) =>
  new Transport(
    connections as never,
    { onDidChange: () => ({ dispose: () => undefined }), allows: () => Promise.resolve(false) } as never,
    { dispatcher: () => Promise.resolve(dispatcher) } as never,
    {} as never,
  );

describe("A client that is kept", () => {
  const world = (urlOf: () => string | undefined, dispatcher: AnsweringAgent) => {
    const http = (_: string, baseUrl: string) => Promise.resolve(new Http({ baseUrl, dispatcher }));
    const transport = { http, onDidFindUnsupported: () => undefined };
    const server = () => Promise.resolve(urlOf() === undefined ? undefined : { url: urlOf() });
    const connections = { get: () => undefined, resolve: () => ({ id: "c", kind: "localPlatform" }) };
    return new AgentServers(
      ...([connections, transport, {}, { server }, {}] as unknown as ConstructorParameters<typeof Servers>),
    );
  };
  const ref = { connectionId: "c", server: { kind: "deployment", deploymentId: "d" } } as const;

  it("asks the server where it is by the time of each call", async () => {
    const asked: string[] = [];
    await using dispatcher = new AnsweringAgent(({ origin }) => {
      asked.push(String(origin));
      return { body: ['{"thread_id":"a"}'] };
    });
    let address = "http://first.example";
    const { threads } = world(() => address, dispatcher).client(ref);
    await threads.get("a");
    address = "http://second.example";
    await threads.get("a");
    deepEqual(asked, ["http://first.example", "http://second.example"]);
  });

  it("rejects where there is none", async () => {
    await using dispatcher = new AnsweringAgent(() => ({ body: ["{}"] }));
    const { threads } = world(() => undefined, dispatcher).client(ref);
    await rejects(threads.get("a"), { reason: "serverMissing" });
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
    const transport = transportOf(connections, dispatcher);
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
    for (const server of [named, deployed]) await servers.client(server).assistants.search({});
    await (await transport.http("c", three)).json({ method: "GET", path: "/" });
    ok(Math.abs(servers.clockAhead(named) - 90_000) <= 1000, String(servers.clockAhead(named)));
    ok(Math.abs(servers.clockAhead(deployed) + 90_000) <= 1000, String(servers.clockAhead(deployed)));
    equal(servers.clockAhead(managed), 0);
    ok(Math.abs(servers.now(named) - Date.now() - 90_000) <= 2000, String(servers.now(named)));
    transport.dispose();
  });
});

describe("A server that is down behind its platform", () => {
  it("says nothing of the platform, whose address it shares", async () => {
    await using dispatcher = new AnsweringAgent(() => ({ status: 502, body: ["{}"] }));
    const url = "http://platform.example";
    const connection = { id: "c", name: "Here", kind: "platform", url } as const;
    const connections = { get: () => connection, resolve: () => connection };
    const transport = transportOf(connections, dispatcher);
    const server = () => Promise.resolve({ url: `${url}/deployments/d` });
    const needs = [connections, transport, {}, { server }, {}];
    const servers = new AgentServers(...(needs as unknown as ConstructorParameters<typeof Servers>));
    const deployed = { connectionId: "c", server: { kind: "deployment", deploymentId: "d" } } as const;
    await rejects(servers.client(deployed).threads.create({}), { status: 502 });
    equal(transport.connectionStates.of(connection), undefined);
    await rejects((await transport.http("c", url)).json({ method: "POST", path: "/" }), { status: 502 });
    equal(transport.connectionStates.of(connection)?.state, "failing");
    transport.dispose();
  });
});
