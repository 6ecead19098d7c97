import { strict as assert } from "node:assert";
import { errorOfReply } from "../../../../src/api/errorBody.ts";
import type { RunServer } from "../../../../src/run/session/server.ts";
import { recordingBytes } from "../../../support/recordings.ts";
import { hello, human, opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";

const ending = { bytes: streamOf(["metadata", { run_id: "run1" }]), status: "success" } as const;
const endless = { ...ending, status: "interrupted", endless: true } as const;

describe("a session and who works with it", () => {
  it("tells each listener of its changes until it listens no more", async () => {
    const { session, server, idle } = opened();
    const [first, second] = [[] as string[], [] as string[]];
    const leave = session.listen(() => first.push(session.state.kind));
    session.listen(() => second.push(session.state.kind));
    server.script.push(ending, ending);
    await session.start(hello);
    await idle();
    assert.deepEqual([first.includes("streaming"), first.at(-1)], [true, "idle"]);
    assert.deepEqual(second, first);
    leave();
    const heard = first.length;
    await session.start(hello);
    await idle();
    assert.equal(first.length, heard);
    assert.ok(second.length > heard);
  });

  it("goes on with the stream modes that were chosen last", async () => {
    const { session, server, idle } = opened();
    server.script.push(ending, ending, ending);
    for (const streamModes of [["values"], [], ["updates", "custom"]] as const) {
      await session.start({ ...hello, streamModes });
      await idle();
    }
    assert.deepEqual(
      server.started.map(({ stream_mode: modes }) => modes),
      [["values"], ["values"], ["updates", "custom"]],
    );
  });

  it("makes one thread for runs that are started together", async () => {
    const { session, server, idle } = opened();
    server.failures.set("create", [new Refusal(503, "busy")]);
    assert.deepEqual(await session.start(hello), { accepted: false, message: "Told: busy" });
    server.script.push(ending, { ...ending, bytes: streamOf(["metadata", { run_id: "run2" }]) });
    await Promise.all([session.start(hello), session.start({ ...hello, strategy: "enqueue" })]);
    await idle();
    assert.equal(server.started.length, 2);
    assert.equal(server.calls.filter((call) => call === "create").length, 2);
  });

  it("says what is wrong in a run that is asked for while another one goes on", async () => {
    const { session, server } = opened();
    server.script.push(endless);
    await session.start(hello);
    const refusal = async (text: string) => {
      const reply = { method: "POST", url: "https://a.example/threads/t/runs/stream", status: 422 };
      server.failures.set("stream", [errorOfReply({ ...reply, headers: {}, text })]);
      const outcome = await session.start(hello);
      return outcome.accepted ? "" : outcome.message;
    };
    assert.match(
      await refusal('{"detail":[{"loc":["context","temperature"],"msg":"not a number"}]}'),
      /temperature/,
    );
    assert.match(
      await refusal('{"detail":"Thread is already running a task."}'),
      /^The thread is running already/,
    );
    session.dispose();
  });

  it("looks at the thread once at a time, and not at one that is not made yet", async () => {
    const unmade = opened();
    await unmade.session.refresh();
    await unmade.session.load();
    assert.deepEqual(unmade.server.calls, []);
    const { session, server, load } = opened({ threadId: "thread" });
    const states = () => server.calls.filter((call) => call === "state").length;
    const loading = load();
    await session.refresh();
    await loading;
    assert.equal(states(), 1);
    await Promise.all([session.refresh(), session.refresh()]);
    assert.equal(states(), 2);
    await session.refresh();
    assert.equal(states(), 3);
  });

  it("says that a look failed, unless it was left meanwhile", async () => {
    const { session, server, load } = opened({ threadId: "thread" });
    await load();
    server.failures.set("state", [new Refusal(503, "busy"), new Refusal(503, "busy")]);
    await assert.rejects(session.refresh(), /busy/);
    session.dispose();
    await session.refresh();
    assert.deepEqual(server.failures.get("state"), []);
  });

  it("goes on with an answer that was sent before it was opened, after what the thread was then", async () => {
    const { session, server, shown, clock } = opened({ threadId: "thread" });
    const before = server.add(
      { ...ending, bytes: streamOf() },
      { assistant_id: "chat", input: { messages: [human("Ask me")] } },
    );
    const question = { id: "a", value: "Sure?" };
    const state = stateOf({}, [{ id: "t", name: "ask", interrupts: [question] }]);
    server.script.push({ ...endless, bytes: streamOf(["metadata", { run_id: "run2" }]) });
    const body = { assistant_id: "chat", command: { resume: { a: "yes" } } };
    const answer = async () => ({
      before: { state, runs: [before], nameless: 0 },
      body,
      stream: await server.runs.stream("thread", body),
      aborter: new AbortController(),
    });
    const going = session.goOn("thread", await answer());
    assert.deepEqual(session.state, { kind: "streaming", runId: undefined });
    await going;
    assert.match(
      shown(),
      /^run success\nhuman: Ask me\ninterrupt answered: "Sure\?"\nrun (pending|running)\n$/,
    );
    assert.deepEqual(session.state, { kind: "streaming", runId: "run2" });
    const stopping = session.stop();
    await clock.until(() => session.state.kind === "idle");
    await stopping;
    session.dispose();
  });

  it("is as it was when it turns out that the answer started no run", async () => {
    const { session, server } = opened({ threadId: "thread" });
    const bytes = streamOf(["error", { message: "no such graph" }]);
    server.script.push({ bytes, status: "error", nameless: true });
    const stream = await server.runs.stream("thread", { assistant_id: "chat" });
    server.calls.length = 0;
    const before = { state: stateOf({}), runs: [], nameless: 0 };
    const body = { assistant_id: "chat", input: null };
    const answer = { before, body, stream, aborter: new AbortController() };
    await assert.rejects(session.goOn("thread", answer), /no such graph/);
    assert.equal(session.state.kind, "idle");
    assert.deepEqual(server.calls, []);
  });

  it("says once that each turn goes back to an old checkpoint, and takes that out with the next run", async () => {
    const { session, server, shown, load, idle } = opened({ threadId: "thread" });
    const config = { configurable: { checkpoint_id: "c1" } };
    server.state = { ...stateOf({}), row: { status: "idle", config } };
    await load();
    await session.refresh();
    assert.match(shown(), /^warning: The configuration of this thread names a checkpoint \(c1\)[^\n]*\n$/);
    server.script.push(
      ending,
      { ...ending, state: { ...stateOf({}), row: { status: "idle", config: {} } } },
      ending,
    );
    await session.start({ ...hello, configurable: { user: "me" }, recursionLimit: 7 });
    await idle();
    await session.start(hello);
    await idle();
    await session.start(hello);
    await idle();
    assert.deepEqual(
      server.started.map((body) => body.config),
      [
        { configurable: { user: "me", checkpoint_id: null }, recursion_limit: 7 },
        { configurable: { checkpoint_id: null } },
        undefined,
      ],
    );
  });
});

describe("a run that can't be followed to its end", () => {
  it("is left with a way to join it again, where its server refuses to tell of it", async () => {
    const { session, server, clock } = opened();
    server.script.push({ ...ending, status: "running" });
    server.failures.set("get", [new Refusal(401, "no key")]);
    await session.start(hello);
    await clock.until(() => session.state.kind === "failed");
    const again = { title: "Attach", action: "retry" };
    assert.deepEqual(session.state, { kind: "failed", message: "Told: no key", actions: [again] });
    session.reattach();
    assert.equal(session.state.kind, "streaming");
    session.dispose();
  });

  it("has the ways out that its failure names, where there are any", async () => {
    const setKey = { title: "Set Key", action: "setApiKey" } as const;
    const { session, server, clock } = opened({ actions: [setKey] });
    server.script.push({ ...ending, status: "running" });
    server.failures.set("get", [new Refusal(401, "no key")]);
    await session.start(hello);
    await clock.until(() => session.state.kind === "failed");
    assert.deepEqual(session.state, { kind: "failed", message: "Told: no key", actions: [setKey] });
    session.dispose();
  });

  it("is told to go on perhaps, where it was not stopped in half a minute", async () => {
    const server = serverWhoseRuns({ cancel: () => Promise.resolve() });
    const { session, shown, clock } = opened({ server });
    server.script.push(endless);
    await session.start(hello);
    const asked = clock.now();
    let stopped = false;
    void session.stop().then(() => (stopped = true));
    await clock.until(() => stopped);
    assert.match(
      shown(),
      /^run running\nhuman: Hello\nwarning: The server has not stopped the run yet; it may go on\.\n$/,
    );
    assert.ok(clock.now() - asked >= 30_000 && clock.now() - asked <= 33_000, String(clock.now() - asked));
    assert.equal(session.state.kind, "streaming");
    session.dispose();
  });

  it("is over where the server says so, though its stream stays open", async () => {
    const server = serverWhoseRuns({
      cancel: () => Promise.resolve(),
      get: (_, runId) =>
        Promise.resolve({
          ...server.add(ending, { assistant_id: "chat" }),
          run_id: runId,
          status: "interrupted",
        }),
    });
    const { session, shown, clock, idle } = opened({ server });
    server.script.push(endless);
    await session.start(hello);
    const asked = clock.now();
    const stopped = session.stop();
    await idle();
    assert.deepEqual(await stopped, { accepted: true });
    assert.match(shown(), /^run interrupted\nhuman: Hello\n$/);
    assert.ok(clock.now() - asked >= 3000 && clock.now() - asked < 4000, String(clock.now() - asked));
  });

  it("ends with what the thread's state tells, where the server has deleted it", async () => {
    const { session, server, shown, idle } = opened();
    const told = { type: "ai", id: "1", content: "Told" };
    server.script.push({ ...ending, state: stateOf({ messages: [told] }) });
    server.failures.set("get", [new Refusal(404, "Run not found")]);
    await session.start(hello);
    await idle();
    assert.match(
      shown(),
      /^(ai: Told\n)?run interrupted\nhuman: Hello\nwarning: The server has deleted this run\.\n/,
    );
    assert.match(shown(), /ai: Told/);
  });

  it("leaves nobody waiting when the session is over", async () => {
    const { session, server } = opened();
    server.script.push({
      bytes: await recordingBytes("slow-cancelled"),
      status: "interrupted",
      endless: true,
    });
    await session.start(hello);
    const stopped = session.stop();
    session.dispose();
    assert.equal((await stopped).accepted, false);
  });
});

/** A server that answers some calls about runs in another way. */
function serverWhoseRuns(change: Partial<RunServer["runs"]>): ScriptedServer {
  const server = new ScriptedServer();
  Object.assign(server.runs, change);
  return server;
}
