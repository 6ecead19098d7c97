import { strict as assert } from "node:assert";
import { Http } from "../../../../src/api/http.ts";
import { ManagedAgents } from "../../../../src/api/managedAgents/index.ts";
import { managedRunServer } from "../../../../src/editor/threads/servers/managedRunServer.ts";
import { NotPossibleError } from "../../../../src/editor/kit/remedies.ts";
import type { RunSession } from "../../../../src/run/session/session.ts";
import { serve } from "../../../support/testServer.ts";
import { managedAgentsOf } from "../../../support/managedAgentsOf.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { first, idle, liveSession, request, sessionUntil } from "../../../support/liveSession.ts";
import { transcriptText } from "../../../support/recordings.ts";

describe("a session with a managed agent", () => {
  let platform: LocalPlatform;
  let api: ManagedAgents;
  const sessions: RunSession[] = [];

  before(async () => {
    platform = await LocalPlatform.start();
    api = managedAgentsOf(platform);
  });
  after(() => platform.remove());
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  async function agentLike(sample: string): Promise<string> {
    const runtime = { model: { model_id: `sample:${sample}` } };
    const made = await api.agents.create({ name: sample, runtime, configurable: { token_delay_ms: 0 } });
    return made.id;
  }

  function opened(agentId: string, threadId?: string, testRun?: boolean): RunSession {
    const server = managedRunServer({ client: () => Promise.resolve(api), agentId, testRun });
    const session = liveSession(server, threadId);
    sessions.push(session);
    return session;
  }

  it("streams a run, and shows what was said to whoever opens the thread later", async () => {
    const agentId = await agentLike("echo");
    const session = opened(agentId);
    assert.deepEqual(await session.start(request(agentId, { text: "hello there" })), { accepted: true });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(shown, /^run success/);
    assert.match(shown, /human: hello there/);
    const later = opened(agentId, session.threadId);
    await later.load();
    assert.match(transcriptText(later.entries), /human: hello there\n(.|\n)*ai: /);
  });

  it("answers an interrupt, also one that was asked before it was opened", async () => {
    const agentId = await agentLike("approval");
    const session = opened(agentId);
    await session.start(request(agentId, { text: "write a file" }));
    await sessionUntil(
      session,
      () => first(session, "interrupt")?.state === "open" && session.state.kind === "idle",
    );
    const later = opened(agentId, session.threadId);
    await later.load();
    const asked = first(later, "interrupt");
    assert.ok(asked);
    assert.equal(asked.state, "open");
    const decisions = asked.requests.map(() => ({ type: "approve" as const }));
    assert.deepEqual(await later.answers.decide(asked.id, decisions), { accepted: true });
    await idle(later);
    assert.match(transcriptText(later.entries), /interrupt answered/);
    assert.equal((await api.threads.get(later.threadId ?? "")).status, "idle");
  });

  it("waits with the thread for a run that it does not stream", async () => {
    const agentId = await agentLike("slow");
    const input = { messages: [{ role: "user", content: "wait" }], seconds: 0.5 };
    const { thread_id = "" } = await api.runs.createWithThread({ agent_id: agentId, input });
    const session = opened(agentId, thread_id);
    await session.load();
    assert.equal(session.state.kind, "streaming");
    await idle(session);
    assert.match(transcriptText(session.entries), /^run success/m);
  });

  it("makes a thread for a test run when that is wanted", async () => {
    const agentId = await agentLike("echo");
    const session = opened(agentId, undefined, true);
    await session.start(request(agentId, { text: "hello" }));
    await idle(session);
    const tests = await api.threads.page({ agent_id: agentId, test_run: true });
    assert.deepEqual(
      tests.items.map(({ id }) => id),
      [session.threadId],
    );
  });

  it("says that a run can't be stopped, and lets a new one interrupt it", async () => {
    const agentId = await agentLike("slow");
    const session = opened(agentId);
    const slow = { messages: [{ role: "user", content: "wait" }], seconds: 20 };
    await session.start(request(agentId, { json: slow }));
    const stopped = await session.stop();
    assert.ok(!stopped.accepted);
    assert.match(stopped.message, /no way to stop a run/);
    const quick = { messages: [{ role: "user", content: "again" }], seconds: 0 };
    await session.start({ ...request(agentId, { json: quick }), strategy: "interrupt" });
    await idle(session);
    const statuses = session.entries.flatMap((entry) => (entry.kind === "run" ? [entry.status] : []));
    assert.deepEqual(statuses, ["interrupted", "success"]);
  });

  it("says that the agent was deleted, and keeps what was said", async () => {
    const agentId = await agentLike("echo");
    const session = opened(agentId);
    await session.start(request(agentId, { text: "hello" }));
    await idle(session);
    await api.agents.delete(agentId);
    const refused = await session.start(request(agentId, { text: "again" }));
    assert.ok(!refused.accepted);
    assert.match(refused.message, /agent of this thread was deleted/);
    assert.match(transcriptText(session.entries), /human: hello/);
  });

  it("finds the values that a server leaves out of a single thread", async () => {
    const thread = { thread_id: "t", status: "idle" };
    const values = { messages: [{ type: "human", content: "hi" }] };
    await using server = await serve(({ method }) => ({
      body: JSON.stringify(method === "GET" ? thread : [{ ...thread, values }]),
    }));
    const client = new ManagedAgents(new Http({ baseUrl: server.url }));
    const { threads } = managedRunServer({ client: () => Promise.resolve(client), agentId: "a" });
    assert.deepEqual((await threads.state("t")).values, values);
  });

  it("distinguishes a failing upstream from an agent that is gone", async () => {
    await using server = await serve(({ method }) =>
      method === "GET" ? { body: '{"id":"a"}' } : { status: 502, body: '{"detail":"upstream"}' },
    );
    const client = new ManagedAgents(new Http({ baseUrl: server.url }));
    const { runs } = managedRunServer({ client: () => Promise.resolve(client), agentId: "a" });
    await assert.rejects(
      runs.stream("t", { assistant_id: "a", input: {} }),
      (error) => !(error instanceof NotPossibleError),
    );
  });
});
