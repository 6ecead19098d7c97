import assert from "node:assert/strict";
import { once } from "node:events";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { collect, events, list, LocalPlatform, say, text } from "../support/localPlatform.ts";
import type { Shape } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { agentServerPeer, type AgentServerPeer } from "./agentServerPeer.ts";

describe("a deployment of the Local Platform in front of a real agent server", () => {
  let server: AgentServerPeer;
  let platform: LocalPlatform;
  let url: string;

  before(async () => {
    server = await agentServerPeer();
    platform = await LocalPlatform.start();
    const client = new ControlPlaneClient(platform);
    await client.pace(1);
    const created = await client.create({
      source: "external_docker",
      source_config: { custom_url: server.url },
      source_revision_config: {},
    });
    assert.equal((await client.follow(created.id, created.latest_revision_id)).at(-1), "DEPLOYED");
    url = `${platform.ready.baseUrl}/deployments/${text(created.id)}`;
  });
  after(async () => platform.remove());

  it("lists the server's assistants, not the sample agents", async () => {
    const through = await platform.send("POST", `${url}/assistants/search`, { limit: 100 });
    const direct = await platform.send("POST", `${server.url}/assistants/search`, { limit: 100 });
    assert.deepEqual(through.body, direct.body);
    const graphs = list(through.body).map(({ graph_id }) => text(graph_id));
    assert.ok(graphs.includes("chat") && !graphs.includes("echo"), graphs.join());
  });

  it("streams a run's events as they happen and ends in the same state", async () => {
    const thread = text((await platform.send("POST", `${url}/threads`, {})).body.thread_id);
    const run = {
      assistant_id: "slow",
      input: { ...say("Talk"), seconds: 1 },
      stream_mode: ["values", "custom"],
    };
    const response = await platform.fetch("POST", `${url}/threads/${thread}/runs/stream`, run);
    const started = Date.now();
    let first = 0;
    const timed = (async function* () {
      for await (const event of events(response)) {
        if (first === 0) first = Date.now() - started;
        yield event;
      }
    })();
    const seen = await collect(timed);
    const total = Date.now() - started;
    assert.ok(seen.length > 1);
    assert.ok(first < total / 2, `the first event came after ${first} of ${total} ms`);
    const through = await platform.send("GET", `${url}/threads/${thread}/state`);
    const direct = await platform.send("GET", `${server.url}/threads/${thread}/state`);
    assert.deepEqual(through.body, direct.body);
  });

  it("passes the server's WebSocket on, in which a run is started and followed", async () => {
    const thread = text((await platform.send("POST", `${url}/threads`, {})).body.thread_id);
    const address = `${url.replace(/^http/, "ws")}/threads/${thread}/stream/events`;
    const socket = new WebSocket(address, withHeaders({ "x-api-key": platform.ready.apiKey }));
    const seen: Shape[] = [];
    socket.addEventListener("message", ({ data }) => seen.push(JSON.parse(String(data)) as Shape));
    await once(socket, "open");
    const command = (id: number, method: string, params: object): void =>
      socket.send(JSON.stringify({ id, method, params }));
    command(1, "subscription.subscribe", { channels: ["messages", "lifecycle", "values"] });
    command(2, "run.start", { assistant_id: "chat", input: say("Hello there") });
    const ended = (event: Shape): boolean => /"method":"lifecycle".*"completed"/.test(JSON.stringify(event));
    await until("the run has ended", () => seen.some(ended));
    assert.deepEqual(
      seen.filter((event) => "id" in event).map(({ type }) => text(type)),
      ["success", "success"],
    );
    assert.ok(
      seen.some((event) => JSON.stringify(event).includes('"method":"messages"')),
      JSON.stringify(seen),
    );
    socket.close();
    await once(socket, "close");
    const { body } = await platform.send("GET", `${server.url}/threads/${thread}/state`);
    assert.match(JSON.stringify(body.values), /Hello there/);
  });

  it("lets nobody open the server's WebSocket without the key", async () => {
    const thread = text((await platform.send("POST", `${url}/threads`, {})).body.thread_id);
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/threads/${thread}/stream/events`);
    await once(socket, "error");
  });
});

/** Node's own WebSocket takes headers; browsers' do not, and the types are theirs. */
function withHeaders(headers: Readonly<Record<string, string>>): string[] {
  return { headers } as unknown as string[];
}
