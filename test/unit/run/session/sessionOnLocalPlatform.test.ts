import { strict as assert } from "node:assert";
import { AgentServer } from "../../../../src/api/agentServer/index.ts";
import { Http } from "../../../../src/api/http.ts";
import type { RunRequest } from "../../../../src/run/panel/messages.ts";
import type { RunSession } from "../../../../src/run/session/session.ts";
import { first, idle, liveSession, request, sessionUntil } from "../../../support/liveSession.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { PlatformProcesses } from "../../../support/platformProcesses.ts";
import { transcriptText } from "../../../support/recordings.ts";

describe("a session on the Local Platform", () => {
  let processes: PlatformProcesses;
  let platform: LocalPlatform;
  let agentServer: AgentServer;
  const sessions: RunSession[] = [];

  before(async () => {
    processes = await PlatformProcesses.prepare();
    ({ platform } = await processes.launch());
    const { deploymentUrl: baseUrl, apiKey } = platform.ready;
    agentServer = new AgentServer(
      new Http({ baseUrl, headers: () => Promise.resolve({ "x-api-key": apiKey }) }),
    );
  });
  after(() => processes.remove());
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  function opened(threadId?: string): RunSession {
    const session = liveSession(agentServer, threadId);
    sessions.push(session);
    return session;
  }

  it("shows a researcher's tokens, tools and two subagents, and the same after a reload", async () => {
    const session = opened();
    await start(session, "researcher", { text: "tea" });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.equal(session.entries.filter(({ kind }) => kind === "lane").length >= 2, true, shown);
    assert.ok(!/running|pending|…\n|warning|error/.test(shown), shown);
    assert.match(shown, /^run success \d+\+\d+ tokens\nhuman: tea\n/);

    const again = opened(session.threadId);
    await again.load();
    assert.equal(transcriptText(again.entries), shown);
  });

  it("loses and doubles nothing when the stream is cut", async () => {
    const whole = opened();
    await start(whole, "approval", { text: "two things" });
    await idle(whole);
    for (const cut of [{ drop_after_events: 0 }, { drop_after_events: 7 }, { drop_after_bytes: 9001 }]) {
      const session = opened();
      const fault = { match: { method: "POST", path: "/runs/stream$" }, ...cut };
      await platform.send("POST", `${platform.ready.localUrl}/faults`, fault);
      await start(session, "approval", { text: "two things" });
      await idle(session);
      assert.equal(transcriptText(session.entries), transcriptText(whole.entries), JSON.stringify(cut));
      assert.equal(session.events, whole.events, JSON.stringify(cut));
    }
  });

  it("answers an interrupt and shows what came of it, also to somebody who opens the thread later", async () => {
    const session = opened();
    await start(session, "approval", { text: "two things" });
    await sessionUntil(
      session,
      () => first(session, "interrupt")?.state === "open" && session.state.kind === "idle",
    );
    const waiting = opened(session.threadId);
    await waiting.load();
    assert.equal(transcriptText(waiting.entries), transcriptText(session.entries));

    const asked = first(session, "interrupt")!;
    assert.equal(asked.requests.length, 2);
    const outcome = await session.answers.decide(asked.id, [
      { type: "approve" },
      { type: "reject", message: "keep it" },
    ]);
    assert.deepEqual(outcome, { accepted: true });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(shown, /interrupt answered/);
    assert.match(shown, /tool delete_file .* error: Rejected: keep it/);
    const later = opened(session.threadId);
    await later.load();
    assert.equal(transcriptText(later.entries), shown);
  });

  it("keeps the first of two runs as interrupted, with what it had said", async () => {
    const session = opened();
    await start(session, "slow", { json: { messages: [{ role: "user", content: "Work" }], seconds: 60 } });
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    await start(session, "echo", { text: "Never mind" }, "interrupt");
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(
      shown,
      /^run interrupted.*\nhuman: Work\ncustom [^]*\nrun success.*\nhuman: Never mind\nai: /,
    );
  });

  it("marks an answer that was cut short as partial, also to somebody who opens the thread later", async () => {
    const session = opened();
    await start(session, "echo", { text: "stones ".repeat(60) });
    await sessionUntil(session, () => /\nai: [^\n]*/.test(transcriptText(session.entries)));
    await start(session, "echo", { text: "Never mind" }, "interrupt");
    await idle(session);
    const partial =
      /^run interrupted.*\nhuman: [^\n]*\nai: [^]*? \(partial\)\nrun success.*\nhuman: Never mind\nai: (?![^]*partial)/;
    assert.match(transcriptText(session.entries), partial);
    const later = opened(session.threadId);
    await later.load();
    assert.match(transcriptText(later.entries), partial);
  });

  it("shows a run that waits for its turn, and refuses one that may not wait", async () => {
    const session = opened();
    await start(session, "slow", { json: { messages: [], seconds: 0.6 } });
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    const refused = await session.start({ ...request("echo", { text: "Now" }), strategy: "reject" });
    assert.match(refused.accepted ? "" : refused.message, /running already/);
    await start(session, "echo", { text: "Then" }, "enqueue");
    assert.match(transcriptText(session.entries), /\nrun pending\nhuman: Then\n$/);
    await idle(session);
    assert.match(transcriptText(session.entries), /^run success[^]*\nrun success.*\nhuman: Then\nai: /);
  });

  it("stops a run", async () => {
    const session = opened();
    await start(session, "slow", { json: { messages: [], seconds: 60 } });
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    assert.deepEqual(await session.stop(), { accepted: true });
    await idle(session);
    assert.match(transcriptText(session.entries), /^run interrupted/);
  });

  it("leaves a run that goes on, and joins it again without a gap", async () => {
    const session = opened();
    await start(session, "slow", { json: { messages: [], seconds: 0.3 } });
    await sessionUntil(session, () => first(session, "custom") !== undefined);
    session.detach();
    assert.equal(session.state.kind, "detached");
    session.reattach();
    await idle(session);
    assert.match(
      transcriptText(session.entries),
      /^run success.*\ncustom ×2 .*\nai: I worked for 0\.3 seconds\.\n$/,
    );
  });

  it("shows to a second window what the first one streams", async () => {
    const streaming = opened();
    await start(streaming, "slow", { json: { messages: [], seconds: 0.6 } });
    await sessionUntil(streaming, () => first(streaming, "custom") !== undefined);
    const other = opened(streaming.threadId);
    await other.load();
    assert.equal(other.state.kind, "streaming");
    await Promise.all([idle(streaming), idle(other)]);
    assert.equal(transcriptText(other.entries), transcriptText(streaming.entries));
  });

  it("gives feedback once", async () => {
    const session = opened();
    await session.start({ ...request("echo", { text: "Rate me" }), feedbackKeys: ["user_score"] });
    await idle(session);
    const { runId } = first(session, "feedback")!;
    assert.deepEqual(await session.answers.feedback(runId, "user_score", { score: 1, comment: "good" }), {
      accepted: true,
    });
    assert.equal(first(session, "feedback")!.keys[0]?.state, "sent");
  });

  it("says why a run failed, once, and keeps what it had said", async () => {
    const session = opened();
    await start(session, "faulty", { text: "Go" });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(shown, /^run error/);
    assert.equal(shown.match(/^error: /gm)?.length, 1, shown);
  });

  it("says that the thread was deleted elsewhere, and keeps what is shown", async () => {
    const session = opened();
    await start(session, "echo", { text: "Hi" });
    await idle(session);
    const shown = transcriptText(session.entries);
    await agentServer.threads.delete(session.threadId!);
    const outcome = await session.start(request("echo", { text: "Hi again" }));
    assert.match(outcome.accepted ? "" : outcome.message, /deleted elsewhere.*start a new thread/);
    assert.equal(transcriptText(session.entries), shown);
  });
});

async function start(
  session: RunSession,
  agent: string,
  input: RunRequest["input"],
  strategy?: RunRequest["strategy"],
): Promise<void> {
  const asked = { ...request(agent, input), ...(strategy !== undefined && { strategy }) };
  assert.deepEqual(await session.start(asked), { accepted: true });
}
