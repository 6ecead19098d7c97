import assert from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { StreamMode } from "../../src/api/agentServer/wire.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { first, idle, liveSession, request, sessionUntil } from "../support/liveSession.ts";
import { transcriptText } from "../support/recordings.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("a run session on a real agent server", () => {
  let api: AgentServer;
  const sessions: RunSession[] = [];

  before(async () => {
    ({ api } = await agentServerPeer());
  });
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  function opened(threadId?: string): RunSession {
    const session = liveSession(api, threadId);
    sessions.push(session);
    return session;
  }

  /** What a window shows that is opened, or reloaded, now. */
  async function reloaded(session: RunSession): Promise<string> {
    const other = opened(session.threadId);
    await other.load();
    return transcriptText(other.entries);
  }

  const modes: readonly (readonly StreamMode[])[] = [
    ["messages-tuple", "updates", "custom"],
    ["values"],
    ["messages"],
    ["updates"],
    ["messages-tuple", "updates", "values", "custom", "tasks", "debug", "checkpoints", "events"],
  ];
  for (const streamModes of modes) {
    it(`shows a researcher and two subagents by ${streamModes.join(", ")}, and the same after a reload`, async () => {
      const session = opened();
      await session.start({ ...request("researcher", { text: "tea" }), streamModes });
      await idle(session);
      const shown = transcriptText(session.entries);
      assert.match(
        shown,
        /^run success 56\+28 tokens\nhuman: tea\nai: I will search first\.\ntool search .* done: 3 results/,
      );
      assert.match(
        shown,
        /\nlane historian done\n[^]*\n {2}ai: It began long ago\.\n[^]*\nlane scientist done\n/,
      );
      assert.match(shown, /\nai: In short, about tea: history and science agree\.\n$/);
      assert.ok(!/warning|…\n|running/.test(shown), shown);
      assert.equal(await reloaded(session), shown);
    });
  }

  it("distinguishes two turns that say the same", async () => {
    const session = opened();
    for (let turn = 0; turn < 2; turn += 1) {
      await session.start(request("chat", { text: "Hello" }));
      await idle(session);
    }
    const shown = transcriptText(session.entries);
    assert.equal(shown.match(/^human: Hello$/gm)?.length, 2, shown);
    assert.equal(await reloaded(session), shown);
  });

  it("answers an interrupt, and shows question and answer to who opens the thread later", async () => {
    const session = opened();
    await session.start(request("approval", { text: "Report" }));
    await idle(session);
    assert.equal(first(session, "interrupt")?.state, "open");
    assert.equal(await reloaded(session), transcriptText(session.entries));
    const outcome = await session.answers.decide(first(session, "interrupt")!.id, [
      { type: "approve" },
      { type: "reject", message: "keep it" },
    ]);
    assert.deepEqual(outcome, { accepted: true });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(
      shown,
      /tool send_mail .* done: .*\ntool delete_file .* error: keep it\ninterrupt answered: /,
    );
    assert.equal(await reloaded(session), shown);
  });

  it("keeps the first of two runs as interrupted, with what it had said", async () => {
    const session = opened();
    await talking(session);
    const refused = await session.start({ ...request("chat", { text: "No" }), strategy: "reject" });
    assert.match(refused.accepted ? "" : refused.message, /running already/);
    await session.start({ ...request("chat", { text: "Shorter" }), strategy: "interrupt" });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(
      shown,
      /^run interrupted\nhuman: Talk\nai: word0 .* \(partial\)\nrun success.*\nhuman: Shorter\nai: You said/,
    );
    assert.equal(await reloaded(session), shown);
  });

  it("stops a run and keeps its partial answer", async () => {
    const session = opened();
    await talking(session);
    assert.deepEqual(await session.stop(), { accepted: true });
    await idle(session);
    assert.match(
      transcriptText(session.entries),
      /^run interrupted\nhuman: Talk\nai: word0 .* \(partial\)\n$/,
    );
  });

  it("leaves a run, and joins it again without a gap", async () => {
    const session = opened();
    await session.start(
      request("slow", { json: { messages: [{ role: "user", content: "Talk" }], seconds: 1 } }),
    );
    await sessionUntil(session, () => (first(session, "run")?.status ?? "pending") === "running");
    session.detach();
    session.reattach();
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(shown, /^run success.*\nhuman: Talk\nai: word0 word1 [^…]*\n$/);
    assert.equal(await reloaded(session), shown);
  });

  it("says why a run failed, once", async () => {
    const session = opened();
    await session.start(request("faulty", { text: "Go" }));
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(
      shown,
      /^run error.*\nhuman: Go\nai: So far so good, and then\nerror: the disk is full .*\n$/,
    );
    assert.equal(await reloaded(session), shown);
  });

  async function talking(session: RunSession): Promise<void> {
    await session.start(request("slow", { text: "Talk" }));
    await sessionUntil(session, () => /ai: word0 word1/.test(transcriptText(session.entries)));
  }
});
