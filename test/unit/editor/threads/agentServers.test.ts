import { deepEqual, equal, rejects } from "node:assert/strict";
import "../fakeVscode.ts";
import type { AgentServer } from "../../../../src/api/agentServer/index.ts";
import type { AgentServers as Servers } from "../../../../src/editor/threads/servers/agentServers.ts";

const { AgentServers } = await import("../../../../src/editor/threads/servers/agentServers.ts");

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
