import { strict as assert } from "node:assert";
import { hello, opened } from "./openedSession.ts";
import { Refusal, streamOf } from "./scriptedServer.ts";

const endless = {
  bytes: streamOf(["metadata", { run_id: "run1" }]),
  status: "interrupted",
  endless: true,
} as const;

describe("a session that is told to stop or to leave its runs", () => {
  it("stops a run that is still being started, as soon as the server named it", async () => {
    for (const presses of [1, 2]) {
      const { session, server, idle, answer, started } = await starting();
      const stopped = Array.from({ length: presses }, () => session.stop());
      answer();
      await idle();
      assert.deepEqual(
        await Promise.all(stopped),
        stopped.map(() => ({ accepted: true })),
      );
      assert.deepEqual(await started, { accepted: true });
      assert.equal((await server.runs.get("thread", "run1")).status, "interrupted");
      assert.equal(server.calls.filter((call) => call === "cancel").length, 1);
    }
  });

  it("has nothing to stop where the run that was being started is refused", async () => {
    const { session, server } = opened();
    server.failures.set("stream", [new Refusal(500, "no")]);
    const started = session.start(hello);
    assert.deepEqual(await session.stop(), { accepted: true });
    assert.deepEqual(await started, { accepted: false, message: "Told: no" });
    assert.ok(!server.calls.includes("cancel"));
  });

  it("leaves a run that is still being started, as soon as the server named it", async () => {
    const { session, server, clock, answer, started } = await starting();
    session.detach();
    answer();
    await started;
    await clock.until(() => session.state.kind === "detached");
    assert.equal((await server.runs.get("thread", "run1")).status, "running");
    session.reattach();
    await clock.until(() => server.calls.some((call) => call.startsWith("rejoin")));
    session.dispose();
  });

  it("stops the other runs where one is not stopped, and says why that is", async () => {
    const { session, server, clock } = opened();
    server.script.push(endless, { ...endless, bytes: streamOf(["metadata", { run_id: "run2" }]) });
    await session.start(hello);
    await session.start({ ...hello, strategy: "enqueue" });
    server.failures.set("cancel", [new Refusal(503, "busy")]);
    let outcome: unknown;
    void session.stop().then((stopped) => (outcome = stopped));
    await clock.until(() => outcome !== undefined);
    assert.deepEqual(outcome, { accepted: false, message: "Told: busy" });
    assert.equal(server.calls.filter((call) => call === "cancel").length, 2);
    assert.equal((await server.runs.get("thread", "run1")).status, "interrupted");
    assert.deepEqual(session.state, { kind: "streaming", runId: "run2" });
    session.dispose();
  });

  it("says of a stop that is refused what the server says", async () => {
    const { session, server } = opened();
    server.script.push(endless);
    await session.start(hello);
    for (const status of [409, 422]) {
      server.failures.set("cancel", [new Refusal(status, "it has ended")]);
      assert.deepEqual(await session.stop(), { accepted: false, message: "Told: it has ended" });
    }
    session.dispose();
  });
});

/** A session whose server has the run already, and has not answered yet. */
async function starting() {
  const open = opened();
  const { promise: answered, resolve: answer } = Promise.withResolvers<unknown>();
  open.server.script.push({ ...endless, answered });
  const started = open.session.start(hello);
  await open.clock.until(() => open.server.started.length === 1);
  return { ...open, answer: () => answer(undefined), started };
}
