import { strict as assert } from "node:assert";
import type { Feedback } from "../../../../src/run/panel/transcript.ts";
import { recordingBytes } from "../../../support/recordings.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";
import { hello, interrupted, opened } from "./openedSession.ts";

describe("a session's answers", () => {
  it("resume the run with one decision per action, in both spellings", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    server.state = stateOf({ messages: [] });
    server.script.push({ bytes: await recordingBytes("approval-resumed"), status: "success" });
    const edited_action = { name: "delete_file", args: { path: "old.txt" } };
    const asked = entry("interrupt");
    assert.deepEqual(
      await session.answers.decide(asked.id, [{ type: "approve" }, { type: "edit", edited_action }]),
      {
        accepted: true,
      },
    );
    const resume = {
      decisions: [{ type: "approve" }, { type: "edit", edited_action, editedAction: edited_action }],
    };
    assert.deepEqual(server.started[1]!.command, { resume });
    assert.equal(server.started[1]!.assistant_id, "chat");
    await idle();
    const { state, answer } = entry("interrupt");
    assert.deepEqual([state, answer], ["answered", 'approve; edit delete_file {"path":"old.txt"}']);
  });

  it("are refused when a decision is missing or not allowed", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    const outcome = await session.answers.decide(entry("interrupt").id, [{ type: "approve" }]);
    assert.match(outcome.accepted ? "" : outcome.message, /^2 decisions are needed/);
    assert.equal(entry("interrupt").state, "open");
  });

  it("can be given again when sending failed", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    server.failures.set("stream", [new Refusal(503, "busy")]);
    await session.answers.resume(entry("interrupt").id, "yes");
    assert.deepEqual([entry("interrupt").state, entry("interrupt").answer], ["failed", "Told: busy"]);
    server.script.push({ bytes: streamOf(), status: "success" });
    assert.deepEqual(await session.answers.resume(entry("interrupt").id, "yes"), { accepted: true });
  });

  it("name the interrupt when several are open", async () => {
    const { session, server, idle } = opened();
    const interrupts = [
      { id: "a", value: "A?" },
      { id: "b", value: "B?" },
    ];
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts }]);
    server.script.push({ bytes: streamOf(["updates", { __interrupt__: interrupts }]), status: "success" });
    await session.start(hello);
    await idle();
    server.script.push({ bytes: streamOf(), status: "success" });
    await session.answers.resume("interrupt:b", 7);
    assert.deepEqual(server.started[1]?.command, { resume: { b: 7 } });
  });

  it("leave at once for the only question, while nothing of earlier runs can be replayed", async () => {
    const server = new ScriptedServer();
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: null });
    server.runs.rejoin = () => new Promise(() => undefined);
    const value = { action_requests: [{ name: "send", args: {} }] };
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts: [{ id: "a", value }] }]);
    server.script.push({ bytes: streamOf(), status: "success" });
    const { session, clock } = opened({ threadId: "thread", server });
    void session.load();
    const before = clock.now();
    assert.deepEqual(await session.answers.decideOnly("a", { type: "approve" }), { accepted: true });
    assert.deepEqual(server.started, [
      {
        ...server.started[0],
        assistant_id: "chat",
        command: { resume: { decisions: [{ type: "approve" }] } },
      },
    ]);
    assert.equal(clock.now(), before);
    session.dispose();
  });

  it("are not sent for a question that is not the only one, or not the one that was read", async () => {
    const interrupts = ["a", "b"].map((id) => ({ id, value: `${id}?` }));
    const { session, server } = opened({ threadId: "thread" });
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts }]);
    assert.equal((await session.answers.decideOnly("a", { type: "approve" })).accepted, false);
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts: interrupts.slice(1) }]);
    assert.deepEqual(await session.answers.decideOnly("a", { type: "approve" }), {
      accepted: false,
      message: "This thread does not wait for that answer any more.",
    });
    server.failures.set("state", [new Refusal(503, "busy")]);
    assert.deepEqual(await session.answers.decideOnly("b", { type: "approve" }), {
      accepted: false,
      message: "Told: busy",
    });
    assert.deepEqual(server.started, []);
  });

  it("given elsewhere close the question", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    server.state = stateOf({});
    server.script.push({ bytes: streamOf(), status: "success" });
    await session.start(hello);
    await idle();
    assert.equal(entry("interrupt").state, "elsewhere");
  });
});

describe("a session's feedback", () => {
  it("is locked once it was sent, and can be sent again when that failed", async () => {
    const sent: [string, Feedback][] = [];
    const failures = [new Error("offline")];
    const { session, server, idle, entry } = opened({
      submitFeedback: async (url, feedback) => {
        await Promise.resolve();
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        sent.push([url, feedback]);
      },
    });
    server.script.push({ bytes: await recordingBytes("feedback"), status: "success" });
    await session.start({ ...hello, feedbackKeys: ["user_score", "correct"] });
    await idle();
    const given = { score: 1, comment: "good" };
    assert.deepEqual(await session.answers.feedback("run1", "user_score", given), {
      accepted: false,
      message: "Told: offline",
      shown: true,
    });
    assert.deepEqual(entry("feedback").keys[0], {
      key: "user_score",
      state: "failed",
      given,
      error: "Told: offline",
    });
    assert.deepEqual(await session.answers.feedback("run1", "user_score", given), { accepted: true });
    assert.deepEqual(entry("feedback").keys[0], { key: "user_score", state: "sent", given });
    assert.equal((await session.answers.feedback("run1", "user_score", given)).accepted, false);
    assert.equal(sent.length, 1);
    assert.match(sent[0]![0], /^http.*\/feedback\/tokens\//);
    assert.ok(!JSON.stringify([session.entries, session.search("", 0, 1000)]).includes("/feedback/tokens/"));
  });
});
