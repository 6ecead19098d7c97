import assert from "node:assert/strict";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { collect, events, list, LocalPlatform, say, text } from "../support/localPlatform.ts";
import { startAgentServer } from "./server.ts";
import type { PeerServer } from "./server.ts";

describe("a deployment of the Local Platform in front of a real agent server", () => {
  let server: PeerServer;
  let platform: LocalPlatform;
  let url: string;

  before(async function () {
    this.timeout(90_000);
    server = await startAgentServer();
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
  after(async () => {
    await platform.remove();
    await server.stop();
  });

  it("lists the server's assistants, not the sample agents", async () => {
    const through = await platform.send("POST", `${url}/assistants/search`, {});
    const direct = await platform.send("POST", `${server.url}/assistants/search`, {});
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
});
