import { strict as assert } from "node:assert";
import type { Json, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { recordedJson, recordingBytes } from "../../../support/recordings.ts";
import { Refusal, stateOf, streamOf } from "./scriptedServer.ts";
import { hello, opened, played, said } from "./openedSession.ts";

describe("a session", () => {
  it("streams a run to its end and asks for the state once", async () => {
    const { session, server, shown, idle } = opened();
    server.script.push({ bytes: await recordingBytes("chat"), status: "success" });
    assert.deepEqual(await session.start(hello), { accepted: true });
    await idle();
    assert.equal(
      shown(),
      "run success 1+11 tokens\nhuman: Hello\nai: You said **Hello**. That makes 1 message — grüße & 你好.\n",
    );
    assert.deepEqual(server.calls, ["create", "stream", "get", "state"]);
    const { stream_subgraphs, stream_resumable, stream_mode, input } = server.started[0]!;
    assert.deepEqual(
      [stream_subgraphs, stream_resumable, stream_mode, input],
      [
        true,
        true,
        ["messages-tuple", "updates", "custom"],
        { messages: [{ role: "user", content: "Hello" }] },
      ],
    );
  });

  it("shows the same transcript when the stream is cut at any byte and joined again", async () => {
    for (const [name, step] of [
      ["chat-messages", 1],
      ["researcher", 1531],
      ["approval", 509],
      ["faulty", 211],
    ] as const) {
      const bytes = await recordingBytes(name);
      const status = name === "faulty" ? "error" : "success";
      const whole = await played({ bytes, status });
      for (let cutAt = 0; cutAt < bytes.length; cutAt += step) {
        assert.equal(await played({ bytes, status, cutAt }), whole, `${name} cut at ${cutAt}`);
      }
    }
  });

  it("tries ever less often to join again, also after a stream of many minutes", async () => {
    const { session, server, clock } = opened();
    const bytes = await recordingBytes("slow-cancelled");
    const silence = (): Promise<void> => clock.sleep(600_000, new AbortController().signal);
    server.script.push({ bytes, status: "interrupted", endless: true, silence });
    server.failures.set(
      "rejoin",
      Array.from({ length: 100 }, () => new Error("refused")),
    );
    await session.start(hello);
    const began = clock.now() + 600_000;
    await clock.until(() => session.state.kind === "failed");
    // A look whether the run was lost joins from the beginning.
    const joins = server.calls.filter((call) => call.startsWith("rejoin"));
    const tries = joins.filter((call) => call !== "rejoin -1").length;
    assert.equal(tries, 40);
    assert.ok(clock.now() - began > 200_000, `${tries} tries in ${clock.now() - began} ms`);
    session.dispose();
  });

  it("completes a stream that can't be joined again from the state, and says so", async () => {
    const { session, server, shown, idle } = opened();
    const bytes = await recordingBytes("chat");
    server.state = stateOf({
      messages: [said, { type: "ai", id: "msg_4593dcef-c62f-4cc8-a3d9-9a66915a2820", content: "All of it." }],
    });
    server.script.push({ bytes, status: "success", cutAt: 5000, resumable: false });
    await session.start(hello);
    await idle();
    assert.match(
      shown(),
      /^run success.*\nhuman: Hello\nai: All of it\.\nwarning: The stream was interrupted and events are missing; 1 message came/,
    );
  });

  it("keeps what a run had said that another one interrupts", async () => {
    const { session, server, shown, idle } = opened();
    server.script.push(
      { bytes: await recordingBytes("slow-interrupted-first"), status: "interrupted", endless: true },
      { bytes: await recordingBytes("slow-interrupted-second"), status: "success" },
    );
    server.state = await recordedJson<ThreadState>("slow-interrupted-state");
    await session.start({ ...hello, input: { text: "Talk" } });
    await session.start({ ...hello, input: { text: "Shorter" }, strategy: "interrupt" });
    await server.runs.cancel("thread", "run1");
    await idle();
    assert.match(
      shown(),
      /^run interrupted\nhuman: Talk\nai: word0 word1 .* \(partial\)\nrun success.*\nhuman: Shorter\nai: word0 [^…]*\n$/,
    );
  });

  it("follows a run whose server does not name it in a header, also when the stream is cut before its first event", async () => {
    for (const cutAt of [undefined, 0, 20]) {
      const { session, server, shown, idle } = opened();
      const bytes = streamOf(["metadata", { run_id: "run1", attempt: 1 }], ["custom", { step: 1 }]);
      const cut = cutAt === undefined ? {} : { cutAt };
      server.script.push({ bytes, status: "success", nameless: true, ...cut });
      assert.deepEqual(await session.start(hello), { accepted: true }, `cut at ${cutAt}`);
      await idle();
      assert.equal(shown(), 'run success\nhuman: Hello\ncustom ×1 {"step":1}\n');
    }
  });

  it("says why a server that answers with a stream did not start the run", async () => {
    const { session, server } = opened();
    const bytes = streamOf(["error", { error: "TypeError", message: "no such graph" }]);
    server.script.push({ bytes, status: "success", nameless: true });
    server.failures.set("list", [new Refusal(404, "no list")]);
    assert.deepEqual(await session.start(hello), {
      accepted: false,
      message: "Told: TypeError: no such graph",
    });
    assert.equal(session.state.kind, "idle");
  });

  it("refuses a run that the server refuses, and goes on with the first one", async () => {
    const { session, server, shown } = await talking();
    server.failures.set("stream", [new Refusal(422, "Thread is already running a task.")]);
    const before = shown();
    const outcome = await session.start(hello);
    assert.match(outcome.accepted ? "" : outcome.message, /^The thread is running already/);
    assert.equal(shown(), before);
    assert.equal(session.state.kind, "streaming");
    session.dispose();
  });

  it("shows a run that waits for its turn as pending", async () => {
    const { session, server, shown } = opened();
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await session.start({ ...hello, strategy: "enqueue" });
    assert.equal(shown(), "run pending\nhuman: Hello\n");
    session.dispose();
  });

  it("stops a run and keeps its partial answer", async () => {
    const { session, shown, idle } = await talking("Talk");
    const stopped = session.stop();
    assert.deepEqual(session.state, { kind: "stopping", runId: "run1" });
    await idle();
    assert.deepEqual(await stopped, { accepted: true });
    assert.match(shown(), /^run interrupted\n.*\nai: word0 .* \(partial\)\n$/);
  });

  it("asks again whether a run has stopped where the server can't say for a moment", async () => {
    const { session, server, shown, idle } = await talking();
    const away = [503, 429, 408, 425].map((status) => new Refusal(status, "busy"));
    server.failures.set("get", [...away, new Error("socket hang up")]);
    const stopped = session.stop();
    await idle();
    assert.deepEqual(await stopped, { accepted: true });
    assert.match(shown(), /^run interrupted\n/);
    assert.deepEqual(server.failures.get("get"), []);
  });

  it("leaves a run and joins it where it was left", async () => {
    const { session, server, shown, clock } = await talking();
    const before = shown();
    session.detach();
    assert.deepEqual(session.state, { kind: "detached", runId: "run1" });
    session.reattach();
    await clock.until(() => server.calls.includes("rejoin 21") && session.state.kind === "streaming");
    assert.equal(shown(), before);
    session.dispose();
  });

  it("says how long a stream has been silent", async () => {
    const { session, server, clock } = opened();
    server.script.push({
      bytes: streamOf(["metadata", { run_id: "run1" }]),
      status: "success",
      endless: true,
    });
    await session.start(hello);
    await clock.until(() => session.state.kind === "streaming" && (session.state.idleMs ?? 0) >= 120_000);
    session.dispose();
  });

  it("pauses longer and longer while it can't join again, and says so", async () => {
    const { session, server, clock, idle } = opened();
    const bytes = await recordingBytes("chat");
    server.failures.set("rejoin", [new Error("refused"), new Refusal(503, "busy"), new Error("refused")]);
    server.script.push({ bytes, status: "success", cutAt: 9000 });
    await session.start(hello);
    const attempts: number[] = [];
    await clock.until(() => {
      const { state } = session;
      if (state.kind === "reconnecting" && attempts.at(-1) !== state.attempt) attempts.push(state.attempt);
      return state.kind === "idle";
    });
    await idle();
    assert.deepEqual(attempts, [1, 2, 3, 4]);
  });

  it("finds a run that was started though the answer was lost, and never starts it twice", async () => {
    const { session, server, shown, idle } = opened({ threadId: "thread" });
    server.add(
      { bytes: await recordingBytes("chat"), status: "success" },
      // A database tells the members in an order of its own.
      { assistant_id: "chat", input: { messages: [{ content: "Hello", role: "user" }] } },
    );
    server.failures.set("stream", [new Error("socket hang up")]);
    assert.deepEqual(await session.start(hello), { accepted: true });
    await idle();
    assert.match(shown(), /^run success.*\nhuman: Hello\nai: You said/);
    assert.equal(server.calls.filter((call) => call === "stream").length, 1);
  });

  it("says once that the thread was deleted elsewhere, and keeps the transcript", async () => {
    const { session, server, shown, idle } = await talking();
    const stopped = session.stop();
    server.failures.set("state", [
      new Refusal(404, "Thread not found"),
      new Refusal(404, "Thread not found"),
    ]);
    await idle();
    await stopped;
    assert.match(shown(), /word18 .*\nerror: This thread is not on the server any more\./);
    assert.equal(shown().split("not on the server").length, 2);
  });

  it("refuses a run in plain words where the thread is gone, and in the server's where something else is", async () => {
    const { session, server, load } = opened({ threadId: "thread" });
    await load();
    server.failures.set("stream", [new Refusal(404, "No assistant"), new Refusal(404, "No thread")]);
    const refusal = async () => {
      const outcome = await session.start(hello);
      return outcome.accepted ? "" : outcome.message;
    };
    assert.equal(await refusal(), "Told: No assistant");
    server.failures.set("state", [new Refusal(404, "No thread")]);
    assert.match(
      await refusal(),
      /^This thread is not on the server any more: .*; start a new thread to go on\.$/,
    );
  });

  it("shows why a run failed whose stream did not say it", async () => {
    const { session, server, shown, idle } = opened();
    const error = '{"message":"out of memory","name":"Error"}';
    server.state = stateOf({}, [{ id: "t", name: "model", error, interrupts: [] }]);
    server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "error" });
    await session.start(hello);
    await idle();
    assert.match(shown(), /^run error\nhuman: Hello\nerror: out of memory/);
  });

  it("says so when the thread's state is nested too deep to be shown, and its runs end all the same", async () => {
    const { session, server, shown, idle } = opened({ threadId: "thread" });
    const args = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as Json;
    server.state = stateOf({
      messages: [{ type: "ai", id: "a", content: "", tool_calls: [{ id: "c", args }] }],
    });
    await session.load();
    const told = "The thread's state is nested deeper than 500 levels.";
    assert.deepEqual(session.state, { kind: "idle" });
    assert.equal(shown(), `warning: Told: ${told}\n`);
    server.script.push({ bytes: await recordingBytes("chat"), status: "success" });
    await session.start(hello);
    await idle();
    assert.match(shown(), /\nrun success[^]*\nai: You said/);
    assert.ok(shown().endsWith(`warning: The thread's state could not be read: Told: ${told}\n`), shown());
  });

  it("becomes a failure when the thread can't be loaded, and loads it when asked again", async () => {
    const { session, server } = opened({ threadId: "thread" });
    server.failures.set("state", [new Refusal(401, "no")]);
    await session.load();
    assert.deepEqual(session.state, { kind: "failed", message: "Told: no", actions: [] });
    await session.retry();
    assert.deepEqual(session.state, { kind: "idle" });
  });
});

/** A session in the middle of a run that goes on until it is stopped. */
async function talking(text = "Hello"): Promise<ReturnType<typeof opened>> {
  const open = opened();
  const bytes = await recordingBytes("slow-cancelled");
  open.server.script.push({ bytes, status: "interrupted", endless: true });
  await open.session.start({ ...hello, input: { text } });
  await open.clock.until(() => /word18/.test(open.shown()));
  return open;
}
