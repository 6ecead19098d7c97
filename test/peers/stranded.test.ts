/** A run that a restart of its server left running for ever goes on in a copy; each step before it has run once. */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { copyStranded, planRescue } from "../../src/run/repair/continueInCopy.ts";
import { linksIn } from "../../src/run/repair/threadLinks.ts";
import { strandedText } from "../../src/run/session/strandedRun.ts";
import { executionsFile, type Held, HeldRuns, heldSteps, type RescueOptions } from "../support/heldRuns.ts";
import { liveSession, request, sessionUntil } from "../support/liveSession.ts";
import { refusal } from "../support/repairedThread.ts";
import { until } from "../support/until.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

/** How long a look listens here: events that a server has come within milliseconds. */
const listenMs = 1000;

describe("a run that a restart of a real agent server left running", function () {
  this.timeout(120_000);
  let server: AgentServerProcess;
  let api: AgentServer;
  let runs: HeldRuns;
  const hold: HeldRuns["hold"] = (...args) => runs.hold(...args);
  const threadOf: HeldRuns["threadOf"] = (...args) => runs.threadOf(...args);

  /** Goes on with it, and proves that nothing of it was lost and no step before it has run twice. */
  async function rescue(held: Held, options: RescueOptions = {}): Promise<void> {
    const rescued = await runs.rescue(held, options);
    assert.equal(rescued.sign, options.serverBeganAt === undefined ? "events" : "server");
    assert.match(rescued.effects, new RegExp(`^Runs again: ${held.at}\\.`));
    assert.deepEqual(await runs.losses(held, rescued), []);
    // The thread itself keeps its run and its states.
    const [original, copy] = [await api.threads.get(held.threadId), await api.threads.get(rescued.copyId)];
    assert.deepEqual([original.status, copy.status], ["busy", "idle"]);
    assert.deepEqual(await api.threads.history(held.threadId, { limit: 100 }), rescued.before);
    assert.equal(linksIn(original.metadata).continuedIn, rescued.copyId);
    assert.deepEqual(linksIn(copy.metadata), { continuedFrom: held.threadId });
    assert.equal(copy.metadata["title"], held.job);
  }

  before(async () => {
    server = await startAgentServer({ EXECUTIONS: executionsFile }, true);
    api = new AgentServer(new Http({ baseUrl: server.url }));
    runs = new HeldRuns(api, listenMs);
  });
  after(async () => {
    await server.stop();
    await rm(executionsFile, { force: true });
  });

  for (const [copy, canCopy] of [
    ["a copy", true],
    ["a copy written step by step, where it can't copy threads", false],
  ] as const) {
    it(`goes on in ${copy}, each earlier step run once, after the server was killed`, async () => {
      const held = await Promise.all([
        ...heldSteps.map((step) => hold(step)),
        ...["first", "third"].map((step) => hold(step, false)),
      ]);
      const killedAt = Date.now();
      await server.killAndRestart();
      await Promise.all(held.map((one) => rescue(one, { serverBeganAt: killedAt, canCopy })));
    });
  }

  for (let round = 1; round <= 2; round += 1) {
    it(`goes on in a copy, each earlier step run once, after a graph's file was saved: ${round}`, async () => {
      const held = await Promise.all(heldSteps.map((step) => hold(step)));
      await server.save("held.mts");
      await Promise.all(held.map((one) => rescue(one)));
    });
  }

  it("is told from one that goes on, which is left alone", async () => {
    const held = await Promise.all([hold("second"), hold("second", false)]);
    const count = await api.threads.count();
    const [resumable, other] = held.map(({ threadId }) => threadOf(threadId));
    assert.match(
      await refusal(planRescue(resumable ?? assert.fail(), listenMs)),
      /^The run in this thread goes on/,
    );
    // Nothing tells of the other one: a person decides.
    const planned = await planRescue(other ?? assert.fail(), listenMs);
    assert.equal(planned.stranded.sign, "silence");
    assert.match(strandedText(planned.stranded), /may be stranded.*is not known\.$/);
    // What was found before does not count when it is done.
    const stale = { ...planned, stranded: { ...planned.stranded, runId: "another" } };
    assert.match(await refusal(copyStranded(other ?? assert.fail(), stale, listenMs)), /Nothing was done/);
    assert.match(await refusal(copyStranded(resumable ?? assert.fail(), planned, listenMs)), /goes on/);
    assert.equal(await api.threads.count(), count);
    await server.save("held.mts");
  });

  it("that moves while it is listened to goes on", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const input = { messages: [], seconds: 20 };
    const run = await api.runs.create(threadId, { assistant_id: "slow", input, stream_resumable: false });
    const looking = refusal(planRescue(threadOf(threadId), 4000));
    await until("it runs", async () => (await api.runs.get(threadId, run.run_id)).status === "running");
    await api.runs.cancel(threadId, run.run_id, { wait: true });
    assert.match(await looking, /goes on|No run is under way/);
    assert.match(await refusal(planRescue(threadOf(threadId), listenMs)), /^No run is under way/);
  });

  it("is continued once, whoever else wants to", async () => {
    const held = await hold("third");
    await server.save("held.mts");
    const thread = threadOf(held.threadId);
    const planned = await planRescue(thread, listenMs);
    await rescue(held);
    assert.match(await refusal(copyStranded(thread, planned, listenMs)), /Somebody else has continued/);
  });

  it("is told by a session that follows it in silence", async () => {
    const session = liveSession(threadOf("none").server);
    const job = runs.nextJob();
    await session.start(request("held", { json: { messages: [], job, hold_at: "second" } }));
    await until("it waits", async () => (await runs.executed(job)).at(-1) === "second");
    const told = () => (session.state.kind === "streaming" ? session.state.stranded?.text : undefined);
    assert.equal(told(), undefined);
    await server.save("held.mts");
    await sessionUntil(session, () => told() !== undefined);
    assert.match(told() ?? "", /seems to be stranded: .*lost its events/);
    session.dispose();
  });
});
