import { strict as assert } from "node:assert";
import type { Interrupt } from "../../../../src/api/agentServer/wire.ts";
import type { RequestOutcome } from "../../../../src/run/session/answers.ts";
import type { AskedAction } from "../../../../src/run/session/answerSteps.ts";
import { recordingBytes } from "../../../support/recordings.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";
import { hello, interrupted, opened } from "./openedSession.ts";

describe("a session's answers", () => {
  it("resume the run with one decision per action, in both spellings", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    const bytes = await recordingBytes("approval-resumed");
    server.script.push({ bytes, status: "success", state: stateOf({ messages: [] }) });
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
    const [id] = Object.keys(server.started[1]!.command!.resume as object);
    assert.equal(asked.id, `interrupt:${id}`);
    assert.deepEqual(server.started[1]!.command, { resume: { [id!]: resume } });
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
    assert.deepEqual(await session.answers.decideOnly(asked("a"), { type: "approve" }), { accepted: true });
    assert.deepEqual(server.started, [
      {
        ...server.started[0],
        assistant_id: "chat",
        command: { resume: { a: { decisions: [{ type: "approve" }] } } },
      },
    ]);
    assert.equal(clock.now(), before);
    session.dispose();
  });

  it("reach the only question where it has no id, and none of several", async () => {
    const { session, server } = opened({ threadId: "thread" });
    const nameless = { ...asked("a"), interruptId: undefined };
    const { value } = sending("a");
    server.state = waiting(sending("a"), { id: "b", value: "Else?" });
    assert.match(
      refusal(await session.answers.decideOnly(nameless, { type: "approve" })),
      /answered meanwhile/,
    );
    server.state = waiting({ value });
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: {} });
    server.script.push({ bytes: streamOf(), status: "success" });
    assert.deepEqual(await session.answers.decideOnly(nameless, { type: "approve" }), { accepted: true });
    assert.deepEqual(server.started[0]?.command, { resume: { decisions: [{ type: "approve" }] } });
    session.dispose();
  });

  it("are not sent for a question that waits no more, or that is another one by now", async () => {
    const { session, server } = opened({ threadId: "thread" });
    const meanwhile = {
      accepted: false,
      message: "This question was answered meanwhile, or waits no more. Your answer was not sent.",
    };
    for (const state of [stateOf({}), waiting(sending("b")), waiting(sending("a", "drop"))]) {
      server.state = state;
      assert.deepEqual(await session.answers.decideOnly(asked("a"), { type: "approve" }), meanwhile);
    }
    server.failures.set("state", [new Refusal(503, "busy")]);
    assert.deepEqual(await session.answers.decideOnly(asked("a", "drop"), { type: "approve" }), {
      accepted: false,
      message: "Told: busy",
    });
    assert.deepEqual(server.started, []);
  });

  it("reach one of several questions, and leave the other one open although the state lists both", async () => {
    const { session, server, idle, entries } = opened({ threadId: "thread" });
    const both = [sending("a"), sending("b", "drop")];
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: {} });
    server.state = {
      ...waiting(...both),
      row: { status: "interrupted", interrupts: { a: [both[0]!], b: [both[1]!] } },
    };
    await session.load();
    const bytes = streamOf(["updates", { __interrupt__: [both[1]!] }]);
    const state = {
      ...waiting(...both),
      row: { status: "interrupted", interrupts: { a: [], b: [both[1]!] } },
    };
    server.script.push({ bytes, status: "success", state });
    assert.deepEqual(await session.answers.decide("interrupt:a", [{ type: "approve" }]), { accepted: true });
    await idle();
    assert.deepEqual(server.started[0]!.command, { resume: { a: { decisions: [{ type: "approve" }] } } });
    const states = () => entries("interrupt").map(({ id, state: is, answer }) => [id, is, answer]);
    assert.deepEqual(states(), [
      ["interrupt:a", "answered", "approve"],
      ["interrupt:b", "open", undefined],
    ]);
    // Also where only the state can be asked, which never stops listing the first one.
    const { row, ...alone } = state;
    assert.equal(row.status, "interrupted");
    server.state = alone;
    await session.load();
    assert.deepEqual(states()[0], ["interrupt:a", "answered", "approve"]);
    assert.match(
      refusal(await session.answers.decide("interrupt:a", [{ type: "approve" }])),
      /answered already/,
    );
  });

  it("given elsewhere are told at the question with who gave them, and yours is not sent to the next one", async () => {
    const cases = [
      [{ a: "no" }, {}, { kind: "run", assistantId: "curl" }],
      ["no", { answered_with: "agent-operations" }, { kind: "otherWindow" }],
    ] as const;
    for (const [resume, metadata, giver] of cases) {
      const { session, server, idle, entry, entries } = opened();
      const question = { id: "a", value: "Sure?" };
      const asks = streamOf(["updates", { __interrupt__: [question] }]);
      server.script.push({ bytes: asks, status: "success", state: waiting(question) });
      await session.start(hello);
      await idle();
      // The same node asks again: a server gives both questions the same id.
      const again = { id: "a", value: "Really?" };
      const run = server.add(
        { bytes: streamOf(["updates", { __interrupt__: [again] }]), status: "success" },
        { assistant_id: "curl", command: { resume }, metadata },
      );
      assert.equal(run.assistant_id, "curl");
      server.state = waiting(again);
      assert.match(refusal(await session.answers.resume("interrupt:a", "yes")), /answered meanwhile/);
      assert.equal(server.started.length, 1);
      assert.deepEqual([entry("interrupt").state, entry("interrupt").answer], ["answered", "no"]);
      assert.deepEqual(entry("interrupt").giver, giver);
      assert.deepEqual([entries("interrupt")[1]!.value, entries("interrupt")[1]!.state], ["Really?", "open"]);
      session.dispose();
    }
  });

  it("wait for the end of a run that goes on with another answer", async () => {
    const { session, server } = opened({ threadId: "thread" });
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: {} });
    server.state = waiting(sending("a"), sending("b", "drop"));
    await session.load();
    for (const status of ["success", "success"])
      server.script.push({ bytes: streamOf(), status, endless: true });
    await session.answers.decide("interrupt:a", [{ type: "approve" }]);
    await session.answers.decide("interrupt:b", [{ type: "reject" }]);
    assert.deepEqual(
      server.started.map(({ multitask_strategy: strategy }) => strategy),
      [undefined, "enqueue"],
    );
    session.dispose();
  });

  it("given at once reach the server one after the other, however slowly it takes them", async () => {
    const { session, server, clock, load } = opened({ threadId: "thread" });
    server.state = waiting({ id: "a", value: "A?" }, { id: "b", value: "B?" });
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: null });
    await load();
    const held = Promise.withResolvers<undefined>();
    server.script.push({ bytes: streamOf(), status: "success", answered: held.promise });
    server.script.push({ bytes: streamOf(), status: "success" });
    const outcomes = Promise.all([
      session.answers.resume("interrupt:a", 1),
      session.answers.resume("interrupt:b", 2),
    ]);
    await clock.until(() => server.started.length === 1);
    held.resolve(undefined);
    assert.deepEqual(await outcomes, [{ accepted: true }, { accepted: true }]);
    assert.deepEqual(
      server.started.map(({ command, multitask_strategy }) => [command, multitask_strategy]),
      [
        [{ resume: { a: 1 } }, undefined],
        [{ resume: { b: 2 } }, "enqueue"],
      ],
    );
  });

  it("are dropped by a new run, and the question says so", async () => {
    const { session, server, idle, entry } = opened();
    await interrupted(session, server);
    await idle();
    server.script.push({ bytes: streamOf(), status: "success", state: stateOf({}) });
    await session.start(hello);
    await idle();
    assert.equal(entry("interrupt").state, "dropped");
  });

  it("lead on from a breakpoint without an input, as long as the thread stands there", async () => {
    const { session, server, idle, entry, entries } = opened();
    const stopped = { ...stateOf({}), next: ["send"], row: { status: "interrupted", interrupts: {} } };
    const bytes = streamOf(["updates", { __interrupt__: [] }]);
    server.script.push({ bytes, status: "success", state: stopped });
    await session.start(hello);
    await idle();
    assert.deepEqual([entry("interrupt").next, entry("interrupt").state], [["send"], "open"]);
    server.script.push({ bytes, status: "success", state: { ...stopped, next: ["close"] } });
    assert.deepEqual(await session.answers.resume(entry("interrupt").id, null), { accepted: true });
    assert.deepEqual([server.started[1]!.input, server.started[1]!.command], [null, undefined]);
    await idle();
    assert.deepEqual(
      entries("interrupt").map(({ next, state }) => [next, state]),
      [
        [["send"], "answered"],
        [["close"], "open"],
      ],
    );
    server.state = { ...stateOf({}), row: { status: "idle", interrupts: {} } };
    const outcome = await session.answers.continueOnly();
    assert.equal(refusal(outcome), "This thread does not stand at that breakpoint any more.");
    assert.equal(server.started.length, 2);
  });
});

function refusal(outcome: RequestOutcome): string {
  return outcome.accepted ? "" : outcome.message;
}

function asked(interruptId: string, name = "send"): AskedAction {
  return { interruptId, request: { name, args: {}, allowed: ["approve"] } };
}

function sending(id: string, name = "send") {
  return { id, value: { action_requests: [{ name, args: {} }] } };
}

function waiting(...interrupts: readonly Interrupt[]) {
  return stateOf({}, [{ id: "t", name: "ask", interrupts }]);
}
