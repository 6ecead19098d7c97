import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { collect, events, fast, list, say, slowly, text } from "../../support/localPlatform.ts";
import { until } from "../../support/until.ts";
import type { ServerEvent } from "../../support/localPlatform.ts";
import { PlatformProcesses } from "../../support/platformProcesses.ts";

describe("the Local Platform's process", () => {
  let processes: PlatformProcesses;

  beforeEach(async () => {
    processes = await PlatformProcesses.prepare();
  });
  afterEach(() => processes.remove());

  const launch = (...args: string[]) => processes.launch(...args);

  it("says where it is in one line and nothing else on standard output", async () => {
    const { platform, output, child } = await launch("--api-key", "given");
    const { baseUrl, deploymentId, workspaceId } = platform.ready;
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(workspaceId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(platform.ready, {
      ready: true,
      baseUrl,
      controlPlaneUrl: `${baseUrl}/api-host`,
      deploymentUrl: `${baseUrl}/deployments/${deploymentId}`,
      localUrl: `${baseUrl}/_local`,
      apiKey: "given",
      workspaceId,
      deploymentId,
    });
    assert.equal((await platform.send("GET", "/info")).status, 200);
    child.kill("SIGTERM");
    await once(child, "exit");
    assert.equal(output.length, 1);
  });

  it("listens on the loopback interface only", async function () {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    // A machine without another address has no way to see it.
    if (outside.length === 0) this.skip();
    const { platform } = await launch();
    const port = Number(new URL(platform.ready.baseUrl).port);
    for (const { address } of outside) {
      await assert.rejects(once(connect(port, address), "connect"), address);
    }
  });

  it("keeps its key, its ids and its data over a restart, and takes a new key", async () => {
    const first = await launch();
    const thread = await first.platform.thread({ title: "Kept" });
    await first.platform.stream(thread, { assistant_id: "echo", input: say("x") });
    const state = await first.platform.state(thread);
    first.child.kill("SIGTERM");
    assert.deepEqual(await once(first.child, "exit"), [0, null]);
    const second = await launch();
    for (const name of ["apiKey", "workspaceId", "deploymentId"] as const) {
      assert.equal(second.platform.ready[name], first.platform.ready[name]);
    }
    assert.deepEqual(await second.platform.state(thread), state);
    second.child.kill("SIGTERM");
    await once(second.child, "exit");
    const third = await launch("--api-key", "another");
    assert.equal(third.platform.ready.apiKey, "another");
  });

  it("stops cleanly when asked to, even with a stream open, and when its parent lets go", async () => {
    const { child, platform } = await launch();
    const thread = await platform.thread();
    const run = { assistant_id: "slow", input: { seconds: 60 } };
    await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null]);
    const other = await launch();
    other.child.disconnect();
    assert.deepEqual(await once(other.child, "exit"), [0, null]);
  });

  it("lets a run wait for its time over a restart, and stops cleanly while a client waits for it", async () => {
    const { child, platform } = await launch();
    const thread = await platform.thread();
    const run = { assistant_id: "echo", input: say("later"), after_seconds: 3600, on_disconnect: "cancel" };
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
    const later = text(response.headers.get("content-location")?.split("/").at(-1));
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null]);
    const again = (await launch()).platform;
    await again.join(thread, await again.run(thread, { assistant_id: "echo", input: say("now") }));
    const { body } = await again.send("GET", `/threads/${thread}/runs/${later}`);
    assert.equal(body.status, "pending");
    assert.ok(Date.parse(text(body.created_at)) > Date.now() + 3_000_000, text(body.created_at));
  });

  it("loses no acknowledged write when it is killed", async () => {
    const { child, platform } = await launch();
    const acknowledged: string[] = [];
    const writing = Array.from({ length: 8 }, async () => {
      for (;;) acknowledged.push(await platform.thread({ suite: "kill" }));
    });
    await until("200 writes were acknowledged", () => acknowledged.length > 200);
    child.kill("SIGKILL");
    await Promise.allSettled(writing);
    const again = await launch();
    const found = await again.platform.send("POST", "/threads/search", {
      metadata: { suite: "kill" },
      limit: 1000,
    });
    const kept = new Set(list(found.body).map(({ thread_id }) => thread_id));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id as never)),
      [],
    );
  });

  it("brings a run that was in progress when it was killed back as an error, with its stream", async () => {
    const { child, platform } = await launch();
    const thread = await platform.thread();
    const run = slowly({
      assistant_id: "echo",
      input: say("cut short"),
      stream_mode: "messages-tuple",
      stream_resumable: true,
    });
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
    const waiting = await platform.run(thread, { assistant_id: "echo", input: say("still to come") });
    const seen: ServerEvent[] = [];
    await assert.rejects(async () => {
      for await (const event of events(response)) {
        seen.push(event);
        if (seen.length === 40) child.kill("SIGKILL");
      }
    });
    const again = (await launch()).platform;
    const runId = text(seen[0]?.data.run_id);
    const stopped = "The Local Platform stopped while this run was in progress.";
    const lost = (await again.send("GET", `/threads/${thread}/runs/${runId}`)).body;
    assert.equal(lost.status, "error");
    assert.equal(lost.error, stopped);
    assert.deepEqual(await again.join(thread, runId), { __error__: { error: "Error", message: stopped } });

    const values = await again.join(thread, waiting);
    assert.equal(await again.runStatus(thread, waiting), "success");
    assert.equal(list(values.messages).at(-2)?.content, "still to come");
    assert.equal((await again.send("GET", `/threads/${thread}`)).body.status, "idle");

    const rest = async (lastId: number): Promise<ServerEvent[]> => {
      const headers = { "last-event-id": String(lastId) };
      const path = `/threads/${thread}/runs/${runId}/stream`;
      return await collect(events(await again.fetch("GET", path, undefined, headers)));
    };
    const last = seen.at(-1)?.id ?? 0;
    assert.deepEqual((await rest(last)).at(-1)?.data, { error: "RunLost", message: stopped });
    const replayed = await rest(-1);
    assert.ok(replayed.length > 10);
    const both = Math.min(seen.length, replayed.length - 1);
    assert.deepEqual(replayed.slice(0, both), seen.slice(0, both));
  });

  it("keeps what was said so far when it is stopped in the middle of a run", async () => {
    const { child, platform } = await launch();
    const thread = await platform.thread();
    const run = slowly({ assistant_id: "echo", input: say("cut short"), stream_mode: "messages-tuple" });
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
    let said = "";
    const exited = once(child, "exit");
    await assert.rejects(async () => {
      for await (const { event, data } of events(response)) {
        if (event === "messages") said += text(data[0]?.content);
        // Once: a second signal ends it at once.
        if (said.length > 20 && !child.killed) child.kill("SIGTERM");
      }
    });
    await exited;
    const again = (await launch()).platform;
    const state = await again.state(thread);
    const kept = text(list(state.values?.messages).at(-1)?.content);
    assert.ok(said.length > 20 && kept.startsWith(said), kept);
    assert.equal((await again.send("GET", `/threads/${thread}`)).body.status, "error");
    await again.stream(thread, fast({ assistant_id: "echo", input: say("again") }));
    assert.equal((await again.send("GET", `/threads/${thread}`)).body.status, "idle");
  });

  it("refuses a data directory that another one is using", async () => {
    const { platform } = await launch();
    const { code, errors } = await processes.fail("--data", processes.directory);
    assert.equal(code, 1);
    assert.match(errors, /Another Local Platform is using/);
    assert.equal((await platform.send("GET", "/ok")).status, 200);
  });

  it("says how to call it when called wrongly", async () => {
    const data = ["--data", processes.directory];
    for (const args of [[], [...data, "--port", "x"], [...data, "--wrong"]]) {
      const { code, errors } = await processes.fail(...args);
      assert.equal(code, 1);
      assert.match(errors, /Usage|Unknown option/);
    }
  });
});
