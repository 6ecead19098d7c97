import { strict as assert } from "node:assert";
import type { Json, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { recordedJson, recordingBytes } from "../../../support/recordings.ts";
import { stateOf, streamOf } from "./scriptedServer.ts";
import { hello, human, opened, said } from "./openedSession.ts";

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

  it("says why runs failed whose events are lost, as far as the thread's state tells", async () => {
    const { server, shown, load } = opened({ threadId: "thread" });
    for (const text of ["One", "Two"])
      server.add(
        { bytes: streamOf(), status: "error", resumable: false },
        { assistant_id: "chat", input: { messages: [human(text)] } },
      );
    const error = { message: "no disk" };
    server.state = {
      ...stateOf({}, [{ id: "t", name: "m", interrupts: [], error }]),
      metadata: { run_id: "run2" },
    };
    await load();
    assert.match(
      shown(),
      /human: One\nerror: The run failed; the server does not keep why\.\s[^]*human: Two\nerror: no disk /,
    );
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
    await clock.until(() => session.state.kind === "streaming" && /word18/.test(shown()));
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

  it("shows each event once when it is loaded again", async () => {
    const { session, server, shown, load } = opened({ threadId: "thread" });
    server.add(
      { bytes: await recordingBytes("researcher"), status: "success" },
      { assistant_id: "researcher", input: { messages: [human("tea")] } },
    );
    await load();
    const [first, events] = [shown(), session.events];
    server.add(
      { bytes: await recordingBytes("chat"), status: "success" },
      { assistant_id: "chat", input: { messages: [human("Hello")] } },
    );
    await load();
    assert.ok(shown().startsWith(first), shown());
    assert.match(shown(), /human: Hello\nai: You said/);
    assert.equal(server.calls.filter((call) => call.startsWith("rejoin")).length, 2);
    assert.ok(session.events > events);
  });

  it("goes on with a run that it follows, or that somebody left, when it is loaded again", async () => {
    const { session, server, shown, clock, load } = opened({ threadId: "thread" });
    server.add(
      { bytes: await recordingBytes("slow-cancelled"), status: "interrupted", endless: true },
      { assistant_id: "slow", input: { messages: [human("Talk")] } },
    );
    await load();
    await clock.until(() => /word18/.test(shown()));
    const { events } = session;
    await load();
    assert.equal(session.state.kind, "streaming");
    session.detach();
    await load();
    assert.equal(session.state.kind, "detached");
    assert.equal(session.events, events);
    assert.equal(server.calls.filter((call) => call.startsWith("rejoin")).length, 1);
    session.dispose();
  });

  it("leaves a question answered that is answered meanwhile, and one open that is asked meanwhile", async () => {
    const { session, server, clock, shown, entry } = opened({ threadId: "thread" });
    const held = Promise.withResolvers<undefined>();
    const asked = (id: string) => [{ id, value: `${id}?` }];
    const task = (id: string) => [{ id: "t", name: "ask", interrupts: asked(id) }];
    const bytes = streamOf(["updates", { __interrupt__: asked("first") }]);
    server.add({ bytes, status: "success", silence: () => held.promise }, { assistant_id: "a", input: {} });
    server.state = stateOf({}, task("first"));
    const loaded = session.load();
    await clock.until(() => session.entries.some(({ kind }) => kind === "interrupt"));
    server.script.push({
      bytes: streamOf(["updates", { __interrupt__: asked("second") }]),
      status: "success",
      state: stateOf({}, task("second")),
    });
    assert.deepEqual(await session.answers.resume(entry("interrupt").id, "yes"), { accepted: true });
    await clock.until(() => shown().includes("second?"));
    held.resolve(undefined);
    await loaded;
    await clock.until(() => session.state.kind === "idle");
    assert.equal(entry("interrupt").answer, "yes");
    assert.match(shown(), /interrupt answered: "first\?"[^]*interrupt open: "second\?"/);
  });

  it("closes what an earlier run tells that it asked, when a run is started and ends before that is read", async () => {
    const { session, server, clock, shown, entries } = opened({ threadId: "thread" });
    const held = Promise.withResolvers<undefined>();
    const bytes = streamOf(["updates", { __interrupt__: [{ id: "old", value: "Old?" }] }]);
    server.add({ bytes, status: "success", silence: () => held.promise }, { assistant_id: "a", input: {} });
    const loaded = session.load();
    await clock.until(() => server.calls.some((call) => call.startsWith("rejoin")));
    server.script.push({ bytes: streamOf(), status: "success" });
    assert.deepEqual(await session.start(hello), { accepted: true });
    await clock.until(() => entries("run").filter(({ status }) => status === "success").length === 2);
    assert.doesNotMatch(shown(), /interrupt/);
    held.resolve(undefined);
    await loaded;
    assert.match(shown(), /interrupt dropped: "Old\?"\n/);
  });

  it("shows a question once that waited on while another was answered, and one that is asked again twice", async () => {
    const [first, second] = [
      { id: "a", value: "A?" },
      { id: "b", value: "B?" },
    ];
    const { session, server, shown, load } = opened({ threadId: "thread" });
    const run = (asked: readonly Json[], resume?: Json) =>
      server.add(
        {
          bytes: streamOf(...asked.map((one) => ["updates", { __interrupt__: [one] }] as const)),
          status: "success",
        },
        resume === undefined ? { assistant_id: "a", input: {} } : { assistant_id: "a", command: { resume } },
      );
    run([first, second]);
    run([second], { a: 1 });
    run([second], { b: 2 });
    run([], "3");
    await load();
    await session.readRuns(["run1", "run2"]);
    assert.deepEqual(shown().match(/^interrupt.*$/gm), [
      'interrupt answered: "A?"',
      'interrupt answered: "B?"',
      'interrupt answered: "B?"',
    ]);
  });

  it("asks for what the newest runs streamed, and for the rest as it comes in sight", async () => {
    const { session, server, shown, load, entries } = opened({ threadId: "thread" });
    for (let turn = 1; turn <= 30; turn += 1)
      server.add(
        { bytes: streamOf(["custom", { turn }]), status: "success" },
        { assistant_id: "a", input: {} },
      );
    await load();
    const rejoined = () => server.calls.filter((call) => call.startsWith("rejoin")).length;
    const unread = () => entries("run").filter((run) => run.unread === true).length;
    assert.deepEqual([rejoined(), unread(), server.calls.length], [2, 28, 4]);
    assert.deepEqual(shown().match(/"turn":\d+/g), ['"turn":29', '"turn":30']);
    await Promise.all([
      session.readRuns(["run1", "run3", "run1", "nobody's"]),
      session.readRuns(["run3", "run30"]),
    ]);
    assert.deepEqual([rejoined(), unread()], [4, 26]);
    assert.deepEqual(shown().match(/"turn":\d+/g), ['"turn":1', '"turn":3', '"turn":29', '"turn":30']);
    await load();
    assert.equal(rejoined(), 4);
  });

  it("closes what a run of long ago asked, unless it still waits", async () => {
    const { session, server, shown, load } = opened({ threadId: "thread" });
    const asks = (...asked: readonly Json[]) =>
      streamOf(...asked.map((one) => ["updates", { __interrupt__: [one] }] as const));
    const body = { assistant_id: "a", input: {} };
    const [old, open] = [
      { id: "old", value: "Old?" },
      { id: "open", value: "Open?" },
    ];
    server.add({ bytes: asks(old, open), status: "success" }, body);
    for (let turn = 0; turn < 2; turn += 1) server.add({ bytes: streamOf(), status: "success" }, body);
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts: [open] }]);
    await load();
    await session.readRuns(["run1"]);
    assert.deepEqual(shown().match(/^interrupt.*$/gm), [
      'interrupt dropped: "Old?"',
      'interrupt open: "Open?"',
    ]);
  });

  it("shows each event once of a run that is started meanwhile", async () => {
    for (const endless of [false, true]) {
      const { session, server, clock, shown, load } = opened({ threadId: "thread" });
      const held = Promise.withResolvers<undefined>();
      const bytes = streamOf(["metadata", { run_id: "run1" }], ["custom", { step: 1 }]);
      server.script.push({ bytes, status: "success", endless, answered: held.promise });
      const started = session.start(hello);
      await clock.until(() => server.started.length === 1);
      await load();
      await clock.until(() => shown().includes("custom"));
      held.resolve(undefined);
      assert.deepEqual(await started, { accepted: true });
      await clock.until(() => session.state.kind === (endless ? "streaming" : "idle"));
      assert.match(shown(), /^run (success|running)\nhuman: Hello\ncustom ×1 \{"step":1\}\n$/);
      session.dispose();
    }
  });
});
