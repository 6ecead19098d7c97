import { deepEqual, equal, ok, partialDeepStrictEqual, rejects } from "node:assert/strict";
import type { Interrupt } from "../../../../src/api/agentServer/wire.ts";
import { RunSession } from "../../../../src/run/session/session.ts";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import type { ThreadVersion } from "../../../../src/editor/threads/servers/threadHost.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { TestClock } from "../../../support/testClock.ts";
import { until } from "../../../support/until.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "../../run/session/scriptedServer.ts";
import "../fakeVscode.ts";

const { EventEmitter } = await import("vscode");
const { Sessions } = await import("../../../../src/editor/threads/sessions.ts");

type Needs = ConstructorParameters<typeof Sessions>[0];

const thread: ThreadRef = {
  connectionId: "c",
  server: { kind: "agentServer", url: "http://server" },
  threadId: "thread",
};
const value = { action_requests: [{ name: "send", args: {} }] };
const send = { interruptId: "a", request: { name: "send", args: {}, allowed: ["approve"] } } as const;
const approved = { a: { decisions: [{ type: "approve" }] } };

describe("An answer to a thread that nobody shows", () => {
  let server: ScriptedServer;
  let sessions: InstanceType<typeof Sessions>;
  let changes: string[];
  let waiting: boolean[];
  let clock: TestClock;
  let version: ThreadVersion;
  let clockAhead: number;

  beforeEach(() => {
    clockAhead = 0;
    server = new ScriptedServer();
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: null });
    server.state = asking("a");
    [changes, waiting] = [[], []];
    clock = new TestClock();
    version = { status: "idle", updatedAt: "1" };
    const changed = new EventEmitter<ThreadChange>();
    changed.event(({ kind }) => changes.push(kind));
    const services = {
      threadHosts: { of: () => ({ runs: server, version: () => Promise.resolve(version) }) },
      threads: {
        onDidChange: changed.event,
        notify: (change: ThreadChange) => changed.fire(change),
        noteRun: (thread: ThreadRef) => changed.fire({ kind: "run", threads: [thread] }),
      },
      strandedThreads: { note: () => undefined },
      waitingThreads: { update: (_: ThreadRef, needsPerson: boolean) => waiting.push(needsPerson) },
      agentServers: { now: () => Date.now() + clockAhead },
      clock,
      attention: { slowestMs: () => 10_000 },
      context: { globalState: new TestMemento() },
    };
    sessions = new Sessions(services as unknown as Needs);
  });

  afterEach(() => sessions.dispose());

  it("is one look and one request, after which its run is followed to the end", async () => {
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.decide(thread, send, { type: "approve" });
    deepEqual(server.calls, ["list", "state", "stream"]);
    equal(server.started[0]!.assistant_id, "chat");
    deepEqual(server.started[0]!.command, { resume: approved });
    deepEqual(sessions.streaming, [thread]);
    server.state = stateOf({});
    await server.runs.cancel("thread", "run2");
    await until("the run is over", () => sessions.streaming.length === 0);
    deepEqual([new Set(changes), new Set(waiting)], [new Set(["run"]), new Set([false])]);
  });

  it("is shown as answered, with its run behind the earlier ones, by a panel that opens meanwhile", async () => {
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.decide(thread, send, { type: "approve" });
    const held = sessions.hold(thread, RunSession, () => undefined);
    const shown = held.session.entries.flatMap((entry) => {
      if (entry.kind === "run") return [entry.runId];
      return entry.kind === "interrupt" ? [`${entry.state}: ${entry.answer ?? ""}`] : [];
    });
    deepEqual(shown, ["run1", "answered: approve", "run2"]);
    held.release();
  });

  it("is not sent for another question, nor where the question has no id and others wait", async () => {
    const renamed = { id: "a", value: { action_requests: [{ name: "drop", args: {} }] } };
    const { request } = send;
    for (const [state, action] of [
      [asking("b"), send],
      [asking({ ...renamed }), send],
      [stateOf({}), send],
      [asking({ value }, { value: 1 }), { interruptId: undefined, request }],
    ] as const) {
      server.state = state;
      await rejects(sessions.decide(thread, action, { type: "approve" }), /does not wait for that answer/);
    }
    deepEqual(server.started, []);
    deepEqual(new Set(changes), new Set(["continued"]));
  });

  it("reaches its own question by the id where others wait beside it, and the only one without ids", async () => {
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    server.state = asking("b", "a");
    await sessions.decide(thread, send, { type: "approve" });
    deepEqual(server.started[0]!.command, { resume: approved });
  });

  it("is sent as it is where the question has no id", async () => {
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    server.state = asking({ value });
    await sessions.decide(thread, { ...send, interruptId: undefined }, { type: "approve" });
    deepEqual(server.started[0]!.command, { resume: approved.a });
  });

  it("lets a thread go on from a breakpoint, as long as it stands there", async () => {
    server.state = { ...stateOf({}), next: ["send"], row: { status: "idle", interrupts: {} } };
    await rejects(sessions.continue(thread), /does not stand at a breakpoint any more/);
    server.state = { ...server.state, row: { status: "interrupted", interrupts: {} } };
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.continue(thread);
    deepEqual([server.started[0]!.input, server.started[0]!.command], [null, undefined]);
    deepEqual(sessions.streaming, [thread]);
  });

  it("goes on with what the run that asks was told, and from the newest state whatever its thread names", async () => {
    const told = { context: { tenant: "staging" }, interrupt_before: ["pay"] };
    const ask = (): void => {
      const run = server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: null });
      Object.assign(run.kwargs!, { ...told, config: { recursion_limit: 200 } });
    };
    ask();
    const config = { configurable: { checkpoint_id: "old" } };
    const again = { ...told, config: { recursion_limit: 200, configurable: { checkpoint_id: null } } };
    server.state = { ...asking("a"), row: { status: "interrupted", config } };
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.decide(thread, send, { type: "approve" });
    partialDeepStrictEqual(server.started[0], { ...again, command: { resume: approved } });
    sessions.dispose();
    server.state = { ...stateOf({}), next: ["pay"], row: { status: "interrupted", interrupts: {}, config } };
    ask();
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.continue(thread);
    partialDeepStrictEqual(server.started[1], { ...again, input: null });
  });

  it("begins its run by the clock of the server", async () => {
    server.state = asking("a");
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    clockAhead = 90_000;
    const before = Date.now() + clockAhead;
    await sessions.decide(thread, send, { type: "approve" });
    const run = sessions.of(thread)?.entries.findLast(({ kind }) => kind === "run");
    ok(run?.kind === "run" && run.startedAt! >= before, JSON.stringify(run));
  });

  it("is not sent when it is none that the agent allows now", async () => {
    const reviewed = {
      ...value,
      review_configs: [{ action_name: "send", allowed_decisions: ["reject"] }],
    };
    server.state = stateOf({}, [{ id: "t", name: "ask", interrupts: [{ id: "a", value: reviewed }] }]);
    await rejects(sessions.decide(thread, send, { type: "approve" }), /does not wait for that answer/);
    deepEqual(server.started, []);
  });

  it("is sent once, however often it is given", async () => {
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    const first = sessions.decide(thread, send, { type: "approve" });
    await rejects(sessions.decide(thread, send, { type: "approve" }), /answered already/);
    await first;
    equal(server.started.length, 1);
  });

  it("says why it did not arrive, and can be given again", async () => {
    server.failures.set("stream", [new Refusal(503, "busy")]);
    await rejects(sessions.decide(thread, send, { type: "approve" }), /busy/);
    deepEqual(changes, ["continued"]);
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.decide(thread, send, { type: "approve" });
    equal(server.started.length, 1);
  });

  it("goes the way of the session where there is one", async () => {
    const held = sessions.hold(thread, RunSession, () => undefined);
    await until("it is loaded", () => server.calls.includes("state") && held.session.state.kind === "idle");
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.decide(thread, send, { type: "approve" });
    const asked = held.session.entries.find(({ kind }) => kind === "interrupt");
    ok(asked?.kind === "interrupt" && asked.state === "answered");
    deepEqual(sessions.streaming, [thread]);
    held.release();
  });
});

describe("A thread that a panel shows", () => {
  let server: ScriptedServer;
  let sessions: InstanceType<typeof Sessions>;
  let clock: TestClock;
  let version: ThreadVersion;

  beforeEach(() => {
    server = new ScriptedServer();
    clock = new TestClock();
    version = { status: "idle", updatedAt: "1" };
    const services = {
      threadHosts: { of: () => ({ runs: server, version: () => Promise.resolve(version) }) },
      threads: { onDidChange: new EventEmitter().event, notify: () => undefined, noteRun: () => undefined },
      strandedThreads: { note: () => undefined },
      waitingThreads: { update: () => undefined },
      context: { globalState: new TestMemento() },
      ...{ agentServers: { clockAhead: () => 0 }, clock, attention: { slowestMs: () => 10_000 } },
    };
    sessions = new Sessions(services as unknown as Needs);
  });

  afterEach(() => sessions.dispose());

  it("follows what others do while it can be seen in one of its panels", async () => {
    const [first, second] = [0, 1].map(() => sessions.hold(thread, RunSession, () => undefined));
    ok(first && second);
    equal(first.session, second.session);
    first.watch(true);
    second.watch(true);
    const { session } = first;
    await until("it is loaded", () => server.calls.includes("state") && session.state.kind === "idle");
    const loads = () => server.calls.filter((call) => call === "state").length;
    const [before, began] = [loads(), clock.now()];
    first.release();
    version = { status: "idle", updatedAt: "2" };
    await clock.until(() => loads() > before);
    ok(clock.now() - began <= 10_000, String(clock.now() - began));
    await until("it is loaded again", () => session.state.kind === "idle");
    second.watch(false);
    version = { status: "idle", updatedAt: "3" };
    const seen = loads();
    void clock.sleep(100_000);
    await clock.until(() => clock.now() >= began + 100_000);
    equal(loads(), seen);
    second.release();
  });
});

function asking(...questions: readonly (string | Interrupt)[]) {
  const interrupts = questions.map((one) => (typeof one === "string" ? { id: one, value } : one));
  return stateOf({}, [{ id: "t", name: "ask", interrupts }]);
}
