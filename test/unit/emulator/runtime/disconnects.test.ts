import assert from "node:assert/strict";
import { LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("a client that goes", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  it("before its stream begins is noticed, too", async () => {
    const thread = await platform.thread();
    const run = await platform.run(thread, { assistant_id: "slow", input: { seconds: 60 } });
    const held = { match: { method: "GET", path: "/stream$" }, delay_ms: 300 };
    assert.equal((await platform.send("POST", `${platform.ready.localUrl}/faults`, held)).status, 201);
    const gone = new AbortController();
    const path = `/threads/${thread}/runs/${run}/stream?cancel_on_disconnect=true`;
    const asked = platform.fetch("GET", path, undefined, {}, gone.signal);
    await until("the fault struck", async () => (await faultsLeft(platform)) === 0);
    gone.abort();
    await assert.rejects(asked);
    await until(
      "the run is interrupted",
      async () => (await platform.runStatus(thread, run)) === "interrupted",
    );
  });

  it("when its run is over changes nothing of it", async () => {
    const thread = await platform.thread();
    const gone = new AbortController();
    const run = {
      assistant_id: "flood",
      input: { ...say("x"), events: 100_000 },
      stream_mode: "custom",
      on_disconnect: "cancel",
    };
    // Nobody reads: the run does not wait for long, and most of its stream is still to be sent when it is over.
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run, {}, gone.signal);
    const runId = text(response.headers.get("content-location")?.split("/").at(-1));
    await until("the run succeeded", async () => (await platform.runStatus(thread, runId)) === "success");
    gone.abort();
    const after = await platform.run(thread, { assistant_id: "echo", input: say("and now?") });
    await platform.join(thread, after);
    assert.equal(await platform.runStatus(thread, runId), "success");
  });
});

async function faultsLeft(platform: LocalPlatform): Promise<number> {
  const { body } = await platform.send("GET", `${platform.ready.localUrl}/faults`);
  return (body as unknown as unknown[]).length;
}
