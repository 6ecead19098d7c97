import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Ready } from "../../../../src/emulator/server.ts";
import { is, list, LocalPlatform, say, temporaryDirectory, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import { ProtocolClient } from "./protocolClient.ts";
import type { ProtocolFrame } from "./protocolClient.ts";

const main = join(import.meta.dirname, "../../../../src/emulator/main.ts");

describe("a chat backend of the Local Platform", () => {
  let platform: LocalPlatform;
  let client: ProtocolClient;

  beforeEach(async () => {
    platform = await LocalPlatform.start();
    client = new ProtocolClient(platform);
  });
  afterEach(() => platform.remove());

  it("has no state before the first POST, which makes an empty one with nothing to do next", async () => {
    const missing = await client.send("GET", "/state");
    assert.equal(missing.status, 404);
    assert.deepEqual(missing.body, {
      error: "not_found",
      message: `Thread ${client.threadId} not found`,
    });
    assert.equal((await client.send("POST", "/history", {})).status, 404);
    const made = await client.send("POST", "/state", { values: { messages: [] } });
    assert.equal(made.status, 200);
    assert.deepEqual([made.body.values, made.body.next], [{ messages: [] }, []]);
    assert.equal(made.body.checkpoint?.thread_id, client.threadId);
    assert.deepEqual((await client.send("GET", "/state")).body, made.body);
    await client.start("echo", "hello");
    await client.untilEnd();
    const state = (await client.send("GET", "/state")).body;
    assert.equal(list(state.values?.messages).length, 2);
    assert.deepEqual(state, await platform.state(client.threadId));
  });

  it("takes an empty body as an empty state, and messages as the first ones", async () => {
    assert.deepEqual((await client.send("POST", "/state")).body.values, { messages: [] });
    const other = new ProtocolClient(platform, "/api/threads", "chat_1.of-mine");
    const made = await other.send("POST", "/state", { values: say("said before") });
    assert.equal(list(made.body.values?.messages)[0]?.content, "said before");
    await other.start("echo", "more");
    await other.untilEnd();
    const { messages } = (await other.send("GET", "/state")).body.values ?? {};
    assert.deepEqual(
      list(messages).map(({ type }) => type),
      ["human", "human", "ai"],
    );
  });

  it("changes a state later, keeps it when nothing is said, and refuses what cannot be", async () => {
    await client.start("echo", "hello");
    await client.untilEnd();
    const before = (await client.send("GET", "/state")).body;
    const kept = (await client.send("POST", "/state", { values: null })).body;
    assert.deepEqual([kept.values, kept.next], [before.values, []]);
    const id = list(before.values?.messages)[0]?.id;
    const change = {
      values: { messages: [{ type: "human", id, content: "changed" }] },
      as_node: "__start__",
    };
    const changed = (await client.send("POST", "/state", change)).body;
    assert.equal(list(changed.values?.messages)[0]?.content, "changed");
    assert.deepEqual(changed.next, ["model"]);
    for (const wrong of [
      { values: { messages: [7] } },
      { values: say("x"), as_node: "nowhere" },
      { values: say("x"), checkpoint: { checkpoint_id: "nowhere" } },
    ]) {
      const answer = await client.send("POST", "/state", wrong);
      assert.deepEqual([answer.status, answer.body.error], [422, "invalid_state_update"] as unknown);
    }
    await client.start("echo", "x", { config: { configurable: { token_delay_ms: 50 } } });
    const busy = await client.send("POST", "/state", { values: say("x") });
    assert.deepEqual([busy.status, busy.body.error], [409, "invalid_state_update"] as unknown);
  });

  it("lists its threads, newest first, by what was first said", async () => {
    await client.send("POST", "/state", { values: { messages: [] } });
    const titled = new ProtocolClient(platform);
    await titled.start("echo", `  ${"word ".repeat(40)}`);
    await titled.untilEnd();
    const unused = await platform.thread();
    const listed = list((await platform.send("GET", "/api/threads")).body);
    assert.ok(!listed.some(({ id }) => is(id, unused)));
    const [first, second] = listed.filter(({ id }) => is(id, titled.threadId) || is(id, client.threadId));
    assert.deepEqual(Object.keys(first ?? {}), ["id", "title", "updatedAt"]);
    assert.equal(first?.id, titled.threadId);
    assert.equal(text(first.title), "word ".repeat(16).trim());
    assert.equal(second?.title, "New conversation");
    assert.equal(first.updatedAt, (await titled.send("GET", "/state")).body.created_at);
    assert.equal(list((await platform.send("GET", "/api/threads?limit=1")).body).length, 1);
  });

  it("deletes a thread with its run, its states and its events, and answers 204 for unknown ones", async () => {
    await client.start("slow", "x", { input: { ...say("x"), seconds: 60 } });
    await until("the thread has a state", async () => (await client.send("GET", "/state")).status === 200);
    const following = client.follow();
    const begun = await following.next();
    assert.ok(begun.done !== true && begun.value.seq === 1);
    assert.equal((await client.send("DELETE", "")).status, 204);
    for await (const frame of following) assert.ok(frame.seq > 1);
    assert.equal((await client.send("DELETE", "")).status, 204);
    assert.equal((await client.send("GET", "/state")).status, 404);
    const listed = list((await platform.send("GET", "/api/threads")).body);
    assert.ok(!listed.some(({ id }) => is(id, client.threadId)));
    await client.start("echo", "again");
    assert.equal((await client.untilEnd())[0]?.seq, 1);
  });

  it("pages through the history, naming where to go on in any way", async () => {
    for (const content of ["one", "two"]) {
      await client.start("echo", content);
      await until("the thread is idle", async () =>
        is((await platform.send("GET", `/threads/${client.threadId}`)).body.status, "idle"),
      );
    }
    const page = async (body: unknown) => list((await client.send("POST", "/history", body)).body);
    const whole = await page({});
    assert.equal(whole.length, 6);
    const first = await page({ limit: 3 });
    assert.deepEqual(first, whole.slice(0, 3));
    const checkpoint_id = text(first.at(-1)?.checkpoint?.checkpoint_id);
    for (const before of [
      checkpoint_id,
      { checkpoint_id, checkpoint_ns: "" },
      { configurable: { checkpoint_id } },
    ]) {
      assert.deepEqual(await page({ limit: 3, before }), whole.slice(3));
    }
    assert.equal((await client.send("POST", "/history", { limit: 0 })).status, 422);
  });

  it("keeps a thread to its own deployment and its agent", async () => {
    await client.start("echo", "hello");
    const other = await client.command("run.start", { assistant_id: "researcher", input: say("x") });
    assert.equal(other.error, "invalid_argument");
    const unnamed = await client.command("run.start", { input: say("without a name") });
    assert.equal(unnamed.type, "success");
    const noKey = await fetch(`${platform.ready.deploymentUrl}/api/threads`);
    assert.equal(noKey.status, 401);
  });

  it("replays a thread after a restart, and goes on with higher numbers", async () => {
    await client.start("echo", "before");
    const before = await client.untilEnd();
    await platform.stop();
    platform = await LocalPlatform.start(platform.directory);
    const again = new ProtocolClient(platform, "/api/threads", client.threadId);
    const following = again.untilEnd({}, 2);
    await again.start("echo", "after");
    const seen = await following;
    assert.deepEqual(seen.slice(0, before.length), before);
    const rest = seen.slice(before.length);
    assert.ok(rest[0]!.seq > before.at(-1)!.seq);
    assert.deepEqual(
      rest.map(({ seq }) => seq),
      rest.map((_, index) => rest[0]!.seq + index),
    );
    assert.equal(list(rest.findLast(({ method }) => method === "values")?.data.messages).length, 4);
  });
});

describe("a chat backend whose process is killed", () => {
  const children: ChildProcess[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) {
        await once(child, "exit");
      }
    }
  });

  it("tells clients that the run was lost, and never uses a number twice", async () => {
    const directory = await temporaryDirectory();
    const launch = async (): Promise<{ child: ChildProcess; platform: LocalPlatform }> => {
      const child = spawn(process.execPath, [main, "--port", "0", "--data", directory], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      return { child, platform: new LocalPlatform(JSON.parse(line) as Ready, directory) };
    };
    const first = await launch();
    const client = new ProtocolClient(first.platform);
    await client.start("echo", "cut short", { config: { configurable: { token_delay_ms: 5 } } });
    const seen: ProtocolFrame[] = [];
    const exited = once(first.child, "exit");
    await assert.rejects(async () => {
      for await (const frame of client.follow()) {
        if (seen.push(frame) === 40) first.child.kill("SIGKILL");
      }
    });
    await exited;
    const second = await launch();
    const again = new ProtocolClient(second.platform, "/api/threads", client.threadId);
    const last = seen.at(-1)!.seq;
    const [lost] = await again.untilEnd({ since: last });
    assert.equal(lost?.data.event, "failed");
    assert.match(text(lost.data.error), /stopped while this run was in progress/);
    const replayed = await again.untilEnd();
    assert.deepEqual(replayed.slice(0, 10), seen.slice(0, 10));
    const gone = once(second.child, "exit");
    second.child.kill("SIGTERM");
    await gone;
    await second.platform.remove();
  });
});
