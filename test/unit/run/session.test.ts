import { strict as assert } from "node:assert";
import type { Json, ThreadState } from "../../../src/api/agentServer/wire.ts";
import { TranscriptCopy } from "../../../src/run/patch.ts";
import { RunSession } from "../../../src/run/session.ts";
import type { Entry, Feedback } from "../../../src/run/transcript.ts";
import { recordedJson, recordingBytes, transcriptText } from "./recordings.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";
import { TestClock } from "./testClock.ts";

const said = { type: "human", id: "6e380d89-7b6f-4ca8-b953-651c28cc5d5e", content: "Hello" };
const hello = { assistantId: "chat", input: { text: "Hello" }, streamModes: [] } as const;

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
  }).timeout(60_000);

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

  it("refuses a run that the server refuses, and goes on with the first one", async () => {
    const { session, server, shown, clock } = opened();
    server.script.push({
      bytes: await recordingBytes("slow-cancelled"),
      status: "interrupted",
      endless: true,
    });
    await session.start(hello);
    await clock.until(() => /word18/.test(shown()));
    server.failures.set("stream", [new Refusal(422, "Thread is already running a task.")]);
    const before = shown();
    const outcome = await session.start(hello);
    assert.match(outcome.accepted ? "" : outcome.message, /^The thread is running already/);
    assert.equal(shown(), before);
    assert.equal(session.activity.kind, "streaming");
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
    const { session, server, shown, clock, idle } = opened();
    server.script.push({
      bytes: await recordingBytes("slow-cancelled"),
      status: "interrupted",
      endless: true,
    });
    await session.start({ ...hello, input: { text: "Talk" } });
    await clock.until(() => /word18/.test(shown()));
    const stopped = session.stop();
    assert.deepEqual(session.activity, { kind: "stopping", runId: "run1" });
    await idle();
    assert.deepEqual(await stopped, { accepted: true });
    assert.match(shown(), /^run interrupted\n.*\nai: word0 .* \(partial\)\n$/);
  });

  it("leaves a run and joins it where it was left", async () => {
    const { session, server, shown, clock } = opened();
    server.script.push({
      bytes: await recordingBytes("slow-cancelled"),
      status: "interrupted",
      endless: true,
    });
    await session.start(hello);
    await clock.until(() => /word18/.test(shown()));
    const before = shown();
    session.detach();
    assert.deepEqual(session.activity, { kind: "detached", runId: "run1" });
    session.reattach();
    await clock.until(() => server.calls.includes("rejoin 21") && session.activity.kind === "streaming");
    assert.equal(shown(), before);
    session.dispose();
  });

  it("tells how long a stream has been silent", async () => {
    const { session, server, clock } = opened();
    server.script.push({
      bytes: streamOf(["metadata", { run_id: "run1" }]),
      status: "success",
      endless: true,
    });
    await session.start(hello);
    await clock.until(
      () => session.activity.kind === "streaming" && (session.activity.idleMs ?? 0) >= 120_000,
    );
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
      const { activity } = session;
      if (activity.kind === "reconnecting" && attempts.at(-1) !== activity.attempt)
        attempts.push(activity.attempt);
      return activity.kind === "idle";
    });
    await idle();
    assert.deepEqual(attempts, [1, 2, 3, 4]);
  });

  it("finds a run that was started though the answer was lost, and never starts it twice", async () => {
    const { session, server, shown, idle } = opened({ threadId: "thread" });
    server.add(
      { bytes: await recordingBytes("chat"), status: "success" },
      { assistant_id: "chat", input: { messages: [{ role: "user", content: "Hello" }] } },
    );
    server.failures.set("stream", [new Error("socket hang up")]);
    assert.deepEqual(await session.start(hello), { accepted: true });
    await idle();
    assert.match(shown(), /^run success.*\nhuman: Hello\nai: You said/);
    assert.equal(server.calls.filter((call) => call === "stream").length, 1);
  });

  it("tells once that the thread was deleted elsewhere, and keeps the transcript", async () => {
    const { session, server, shown, clock, idle } = opened();
    server.script.push({
      bytes: await recordingBytes("slow-cancelled"),
      status: "interrupted",
      endless: true,
    });
    await session.start(hello);
    await clock.until(() => /word18/.test(shown()));
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

  it("shows why a run failed whose stream did not tell it", async () => {
    const { session, server, shown, idle } = opened();
    const error = '{"message":"out of memory","name":"Error"}';
    server.state = stateOf({}, [{ id: "t", name: "model", error, interrupts: [] }]);
    server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "error" });
    await session.start(hello);
    await idle();
    assert.match(shown(), /^run error\nhuman: Hello\nerror: out of memory/);
  });

  it("becomes a failure when the thread can't be loaded, and loads it when asked again", async () => {
    const { session, server } = opened({ threadId: "thread" });
    server.failures.set("state", [new Refusal(401, "no")]);
    await session.load();
    assert.deepEqual(session.activity, { kind: "failed", message: "Told: no" });
    await session.retry();
    assert.deepEqual(session.activity, { kind: "idle" });
  });
});

describe("a session's answers", () => {
  it("resume the run with one decision per action, in both spellings", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    server.state = stateOf({ messages: [] });
    server.script.push({ bytes: await recordingBytes("approval-resumed"), status: "success" });
    const edited_action = { name: "delete_file", args: { path: "old.txt" } };
    const asked = entry("interrupt");
    assert.deepEqual(await session.decide(asked.id, [{ type: "approve" }, { type: "edit", edited_action }]), {
      accepted: true,
    });
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
    const outcome = await session.decide(entry("interrupt").id, [{ type: "approve" }]);
    assert.match(outcome.accepted ? "" : outcome.message, /^2 decisions are needed/);
    assert.equal(entry("interrupt").state, "open");
  });

  it("can be given again when sending failed", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    server.failures.set("stream", [new Refusal(503, "busy")]);
    await session.resume(entry("interrupt").id, "yes");
    assert.deepEqual([entry("interrupt").state, entry("interrupt").answer], ["failed", "Told: busy"]);
    server.script.push({ bytes: streamOf(), status: "success" });
    assert.deepEqual(await session.resume(entry("interrupt").id, "yes"), { accepted: true });
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
    await session.resume("interrupt:b", 7);
    assert.deepEqual(server.started[1]?.command, { resume: { b: 7 } });
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
    assert.deepEqual(await session.feedback("run1", "user_score", given), {
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
    assert.deepEqual(await session.feedback("run1", "user_score", given), { accepted: true });
    assert.deepEqual(entry("feedback").keys[0], { key: "user_score", state: "sent", given });
    assert.equal((await session.feedback("run1", "user_score", given)).accepted, false);
    assert.equal(sent.length, 1);
    assert.match(sent[0]![0], /^http.*\/feedback\/tokens\//);
    assert.ok(!JSON.stringify([session.entries, session.search("", 0, 1000)]).includes("/feedback/tokens/"));
  });
});

describe("a session that is loaded", () => {
  it("shows the transcript that was streamed before", async () => {
    const first = opened();
    const scripts = [
      { bytes: await recordingBytes("chat"), status: "success" },
      { bytes: await recordingBytes("researcher"), status: "success" },
    ];
    const researched = await recordedJson<ThreadState>("researcher-state");
    const chatted = [
      said,
      {
        type: "ai",
        id: "msg_4593dcef-c62f-4cc8-a3d9-9a66915a2820",
        content: "You said **Hello**. That makes 1 message — grüße & 你好.",
      },
    ];
    first.server.state = stateOf({ messages: chatted });
    first.server.script.push(...scripts);
    await first.session.start(hello);
    await first.idle();
    first.server.state = stateOf({
      messages: [...chatted, ...(researched.values["messages"] as Json[])],
    });
    await first.session.start({ ...hello, input: { text: "tea" } });
    await first.idle();
    const second = opened({ threadId: "thread", server: first.server });
    await second.load();
    assert.equal(second.shown(), first.shown());
    assert.match(second.shown(), /lane historian done\n {2}human: tea/);
  });

  it("shows the state's messages below their runs when nothing can be replayed", async () => {
    const { server, shown, load } = opened({ threadId: "thread" });
    const tool_calls = [{ id: "call", name: "search", args: { q: 1 } }];
    const [nothing, status] = [streamOf(), "success"];
    server.add(
      { bytes: nothing, status, resumable: false },
      { assistant_id: "chat", input: { messages: [human("One")] } },
    );
    server.add(
      { bytes: nothing, status, resumable: false },
      { assistant_id: "chat", input: { messages: [human("Two")] } },
    );
    server.state = stateOf({
      messages: [
        { type: "human", id: "0", content: "Long ago" },
        { ...human("One"), id: "1" },
        { type: "ai", id: "2", content: "", tool_calls },
        { type: "tool", id: "3", tool_call_id: "call", content: "found" },
        { type: "ai", id: "4", content: "Uno" },
        { ...human("Two"), id: "5" },
        { type: "ai", id: "6", content: "Due" },
      ],
    });
    await load();
    assert.equal(
      shown(),
      'human: Long ago\nrun success\nhuman: One\ntool search {"q":1} done: found\nai: Uno\nrun success\nhuman: Two\nai: Due\n',
    );
    assert.ok(!server.calls.some((call) => call.startsWith("rejoin")));
  });

  it("joins a run that goes on, from its beginning", async () => {
    const { session, server, shown, clock, load } = opened({ threadId: "thread" });
    server.add(
      { bytes: await recordingBytes("slow-cancelled"), status: "interrupted", endless: true },
      { assistant_id: "slow", input: { messages: [human("Talk")] } },
    );
    await load();
    await clock.until(() => session.activity.kind === "streaming" && /word18/.test(shown()));
    assert.match(shown(), /^run running\nhuman: Talk\nai: word0 .* …\n$/);
    session.dispose();
  });

  it("shows what waits for a person, and what was answered before", async () => {
    const { server, shown, load } = opened({ threadId: "thread" });
    const [input, resume] = [
      { messages: [human("Report")] },
      { decisions: [{ type: "approve" }, { type: "reject", message: "no" }] },
    ];
    server.add({ bytes: await recordingBytes("approval"), status: "success" }, { assistant_id: "a", input });
    server.add(
      { bytes: await recordingBytes("approval-resumed"), status: "success" },
      { assistant_id: "a", command: { resume } },
    );
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts: [{ id: "new", value: "And now?" }] }]);
    await load();
    assert.match(
      shown(),
      /interrupt answered: send_mail .*\nrun success[^]*\ninterrupt open: "And now\?"\n$/,
    );
  });
});

interface Opening {
  readonly threadId?: string;
  readonly server?: ScriptedServer;
  readonly submitFeedback?: (url: string, feedback: Feedback) => Promise<void>;
}

/** A session whose patches are followed, so that every test checks them, too. */
function opened({ threadId, server = new ScriptedServer(), submitFeedback }: Opening = {}) {
  const clock = new TestClock();
  const copy = new TranscriptCopy();
  const session: RunSession = new RunSession({
    server,
    clock,
    threadId,
    onChange: () => {
      const patch = session.takePatch();
      if (patch !== undefined) copy.apply(patch);
    },
    describe: (error) => ({ message: `Told: ${error instanceof Error ? error.message : String(error)}` }),
    submitFeedback: submitFeedback ?? (() => Promise.resolve()),
  });
  const entry = <K extends Entry["kind"]>(kind: K): Extract<Entry, { kind: K }> =>
    copy.entries.find((one): one is Extract<Entry, { kind: K }> => one.kind === kind)!;
  return {
    session,
    server,
    clock,
    entry,
    shown: () => {
      assert.deepEqual(copy.entries, session.entries);
      return transcriptText(copy.entries);
    },
    idle: () => clock.until(() => session.activity.kind === "idle"),
    load: async () => {
      let loaded = false;
      void session.load().then(() => (loaded = true));
      await clock.until(() => loaded);
    },
  };
}

async function played(script: { bytes: Uint8Array; status: string; cutAt?: number }): Promise<string> {
  const { session, server, shown, idle } = opened();
  server.script.push(script);
  await session.start({ ...hello, input: { json: null } });
  await idle();
  return shown();
}

async function interrupted(session: RunSession, server: ScriptedServer): Promise<void> {
  server.state = await recordedJson<ThreadState>("approval-state");
  server.script.push({ bytes: await recordingBytes("approval"), status: "success" });
  await session.start({ ...hello, input: { text: "Report" } });
}

function human(content: string) {
  return { type: "human", content };
}
