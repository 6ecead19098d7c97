/** A run that a restart of its server left running for ever goes on in a copy; each step before it has run once. */

import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { realClock } from "../../src/api/poll.ts";
import { copyStranded, planRescue } from "../../src/run/repair/continueInCopy.ts";
import { linksIn } from "../../src/run/repair/threadLinks.ts";
import { effectsText } from "../../src/run/repair/planText.ts";
import type { RunServer } from "../../src/run/session/server.ts";
import { type LookedAt, strandedText } from "../../src/run/session/strandedRun.ts";
import { liveSession, request, sessionUntil } from "../support/liveSession.ts";
import { refusal } from "../support/repairedThread.ts";
import { until } from "../support/until.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

const steps = ["first", "second", "third", "last"] as const;
const file = join(tmpdir(), `agent-operations-executions-${process.pid}.txt`);
/** How long a look listens here: events that a server has come within milliseconds. */
const listenMs = 1000;

/** A run that waits in one of its steps without end. */
interface Held {
  readonly threadId: string;
  readonly job: string;
  readonly at: string;
  readonly resumable: boolean;
}

describe("a run that a restart of a real agent server left running", function () {
  this.timeout(120_000);
  let server: AgentServerProcess;
  let api: AgentServer;
  let jobs = 0;

  before(async () => {
    server = await startAgentServer({ EXECUTIONS: file }, true);
    api = new AgentServer(new Http({ baseUrl: server.url }));
  });
  after(async () => {
    await server.stop();
    await rm(file, { force: true });
  });

  const { signal } = new AbortController();

  function threadOf(threadId: string, serverBeganAt?: number): LookedAt {
    const { threads, runs, assistants } = api;
    const began = serverBeganAt === undefined ? undefined : { at: serverBeganAt };
    const process = { began: () => began, keepsEvents: () => api.keepsEvents() };
    const known: RunServer = { threads, runs, assistants, process };
    return { server: known, threadId, signal, clock: realClock };
  }

  async function executed(job: string): Promise<readonly string[]> {
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
    return lines.filter((line) => line.startsWith(`${job} `)).map((line) => line.slice(job.length + 1));
  }

  async function hold(at: string, resumable = true): Promise<Held> {
    const job = `job${(jobs += 1)}`;
    const { thread_id: threadId } = await api.threads.create({ metadata: { title: job } });
    const input = { messages: [{ role: "user", content: "go" }], job, hold_at: at };
    await api.runs.create(threadId, { assistant_id: "held", input, stream_resumable: resumable });
    await until(`${job} waits at ${at}`, async () => (await executed(job)).at(-1) === at);
    return { threadId, job, at, resumable };
  }

  /** `serverBeganAt` is given where it is known, as of a server that was started here. */
  async function rescue({ threadId, job, at }: Held, serverBeganAt?: number): Promise<void> {
    const before = await api.threads.history(threadId, { limit: 100 });
    const thread = threadOf(threadId, serverBeganAt);
    const planned = await planRescue(thread, listenMs);
    assert.equal(planned.stranded.sign, serverBeganAt === undefined ? "events" : "server");
    assert.ok(planned.plan !== undefined, planned.why);
    assert.match(effectsText(planned.plan.effects), new RegExp(`^Runs again: ${at}\\.`));
    const { threadId: copyId, run } = await copyStranded(thread, planned, listenMs);
    await api.runs.wait(copyId, run ?? assert.fail("nothing was to be run"));
    const place = steps.findIndex((step) => step === at);
    assert.deepEqual(await executed(job), [...steps.slice(0, place + 1), ...steps.slice(place)]);
    const { values } = await api.threads.state(copyId);
    const said = (values["messages"] as readonly { readonly content: string }[]).map(
      ({ content }) => content,
    );
    assert.deepEqual(said, ["go", ...steps.map((step) => `${step}: done`)]);
    // The thread itself keeps its run and its states.
    const [original, copy] = [await api.threads.get(threadId), await api.threads.get(copyId)];
    assert.deepEqual([original.status, copy.status], ["busy", "idle"]);
    assert.deepEqual(await api.threads.history(threadId, { limit: 100 }), before);
    assert.equal(linksIn(original.metadata).continuedIn, copyId);
    assert.deepEqual(linksIn(copy.metadata), { continuedFrom: threadId });
  }

  for (let round = 1; round <= 2; round += 1) {
    it(`goes on in a copy, each earlier step run once, after the server was killed: ${round}`, async () => {
      const held = await Promise.all([
        ...steps.map((step) => hold(step)),
        ...["first", "third"].map((step) => hold(step, false)),
      ]);
      const killedAt = Date.now();
      await server.killAndRestart();
      await Promise.all(held.map((one) => rescue(one, killedAt)));
    });
  }

  for (let round = 1; round <= 2; round += 1) {
    it(`goes on in a copy, each earlier step run once, after a graph's file was saved: ${round}`, async () => {
      const held = await Promise.all(steps.map((step) => hold(step)));
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
    const job = `job${(jobs += 1)}`;
    await session.start(request("held", { json: { messages: [], job, hold_at: "second" } }));
    await until("it waits", async () => (await executed(job)).at(-1) === "second");
    const told = () => (session.state.kind === "streaming" ? session.state.stranded?.text : undefined);
    assert.equal(told(), undefined);
    await server.save("held.mts");
    await sessionUntil(session, () => told() !== undefined);
    assert.match(told() ?? "", /seems to be stranded: .*lost its events/);
    session.dispose();
  });
});
