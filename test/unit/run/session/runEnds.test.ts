import { strict as assert } from "node:assert";
import type { RunServer } from "../../../../src/run/session/server.ts";
import { RunSession } from "../../../../src/run/session/session.ts";
import { TestClock } from "../../../support/testClock.ts";
import { hello, opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, streamOf } from "./scriptedServer.ts";

const endless = {
  bytes: streamOf(["metadata", { run_id: "run1" }]),
  status: "interrupted",
  endless: true,
} as const;

/** A server of which some calls are answered in another way. */
function serverWith(change: (usual: RunServer["runs"]) => Partial<RunServer["runs"]>): ScriptedServer {
  const server = new ScriptedServer();
  Object.assign(server.runs, change({ ...server.runs }));
  return server;
}

describe("The end of a run in a session", () => {
  for (const [status, kind] of [
    [401, "failed"],
    [403, "failed"],
    [404, "idle"],
  ] as const) {
    it(`is ${kind} at once when its status is refused with ${status}`, async () => {
      const { session, server, clock } = opened();
      server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "running" });
      server.failures.set(
        "get",
        Array.from({ length: 50 }, () => new Refusal(status, "no")),
      );
      await session.start(hello);
      await clock.until(() => session.state.kind === kind);
      assert.ok(server.calls.filter((call) => call.startsWith("rejoin")).length <= 1, server.calls.join());
      session.dispose();
    });
  }

  it("is waited for, with pauses, after it was asked to stop", async () => {
    const times: number[] = [];
    const server = serverWith((runs) => ({
      get: async (...asked) => {
        times.push(clock.now());
        const run = await runs.get(...asked);
        return times.length > 4 ? run : { ...run, status: "running" };
      },
    }));
    const { session, clock, idle } = opened({ server });
    server.script.push(endless);
    await session.start(hello);
    const asked = clock.now();
    const stopped = session.stop();
    await idle();
    assert.deepEqual(await stopped, { accepted: true });
    const last = (times.at(-1) ?? asked) - asked;
    assert.ok(last >= 400 && last <= 8000, times.map((time) => time - asked).join());
  });

  it("knows the strategy that its start had, if it had one", async () => {
    for (const strategy of ["enqueue", undefined] as const) {
      const { session, server, entry } = opened();
      server.script.push(endless);
      await session.start({ ...hello, ...(strategy === undefined ? {} : { strategy }) });
      const run = entry("run");
      assert.equal(run.strategy, strategy);
      assert.equal("strategy" in run, strategy !== undefined);
      session.dispose();
    }
  });

  it("is told as soon as it is asked for, and when it came", async () => {
    const [server, clock, told] = [new ScriptedServer(), new TestClock(), [] as string[]];
    const session: RunSession = new RunSession({
      server,
      clock,
      onChange: () => told.push(session.state.kind),
      describe: (error) => ({ message: String(error), actions: [] }),
      submitFeedback: () => Promise.resolve(),
    });
    server.script.push(endless);
    await session.start(hello);
    await clock.until(() => session.state.kind === "streaming");
    const stopped = session.stop();
    assert.equal(told.at(-1), "stopping");
    await clock.until(() => session.state.kind === "idle");
    await stopped;
    assert.equal(told.at(-1), "idle");
  });

  it("is followed by a run whose silence is told, too", async () => {
    const { session, server, clock, idle } = opened();
    server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "success" }, endless);
    await session.start(hello);
    await idle();
    // Whoever watched the first run has seen that it is over.
    let isLater = false;
    void clock.sleep(60_000).then(() => (isLater = true));
    await clock.until(() => isLater);
    await session.start(hello);
    await clock.until(() => session.state.kind === "streaming" && (session.state.idleMs ?? 0) >= 30_000);
    session.dispose();
  });

  for (const [what, isIncomplete, warned] of [
    ["says that events are missing", () => true, true],
    ["says that none is missing", () => false, false],
    ["says nothing of it", undefined, false],
  ] as const) {
    it(`is completed from the state where the stream ${what}: ${String(warned)}`, async () => {
      const server = serverWith((runs) => ({
        stream: async (...asked) => ({
          ...(await runs.stream(...asked)),
          ...(isIncomplete === undefined ? {} : { isIncomplete }),
        }),
      }));
      const { session, shown, idle } = opened({ server });
      const message = { id: "m", type: "ai", content: "Told" };
      server.script.push({ bytes: streamOf(["updates", { m: { messages: [message] } }]), status: "success" });
      server.state = {
        ...server.state,
        values: { messages: [message, { id: "n", type: "ai", content: "Missed" }] },
      };
      await session.start(hello);
      await idle();
      assert.equal(shown().includes("events are missing"), warned, shown());
    });
  }

  it("of one that was left is joined again without loading the thread anew", async () => {
    const { session, server, clock } = opened();
    server.script.push(endless);
    await session.start(hello);
    session.detach();
    server.calls.length = 0;
    await session.retry();
    await clock.until(() => session.state.kind === "streaming");
    assert.deepEqual(server.calls, ["rejoin -1"]);
    session.dispose();
  });

  it("does not come before the thread was loaded, which is done once at a time", async () => {
    const { session, server, load } = opened({ threadId: "thread" });
    const loading = load();
    assert.deepEqual(session.state, { kind: "loading" });
    await Promise.all([loading, session.load()]);
    assert.equal(server.calls.filter((call) => call === "state").length, 1, server.calls.join());
    assert.equal(session.state.kind, "idle");
    session.dispose();
  });
});
