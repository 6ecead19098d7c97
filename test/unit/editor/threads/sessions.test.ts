import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { RunSession } from "../../../../src/run/session/session.ts";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";
import { TestMemento } from "../../../support/testMemento.ts";
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
const approved = { decisions: [{ type: "approve" }] };

describe("An answer to a thread that nobody shows", () => {
  let server: ScriptedServer;
  let sessions: InstanceType<typeof Sessions>;
  let changes: string[];
  let waiting: boolean[];

  beforeEach(() => {
    server = new ScriptedServer();
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: null });
    server.state = asking("a");
    [changes, waiting] = [[], []];
    const changed = new EventEmitter<ThreadChange>();
    changed.event(({ kind }) => changes.push(kind));
    const services = {
      threadHosts: { of: () => ({ runs: server }) },
      threads: { onDidChange: changed.event, notify: (change: ThreadChange) => changed.fire(change) },
      waitingThreads: { update: (_: ThreadRef, needsPerson: boolean) => waiting.push(needsPerson) },
      agentServers: {},
      context: { globalState: new TestMemento() },
    };
    sessions = new Sessions(services as unknown as Needs);
  });

  afterEach(() => sessions.dispose());

  it("is one look and one request, after which its run is followed to the end", async () => {
    server.script.push({ bytes: streamOf(), status: "success", endless: true });
    await sessions.decide(thread, send, { type: "approve" });
    deepEqual(server.calls, ["state", "list", "stream"]);
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

  it("is not sent for another question, nor for one of several", async () => {
    for (const state of [asking("b"), asking("a", "b"), stateOf({})]) {
      server.state = state;
      await rejects(sessions.decide(thread, send, { type: "approve" }), /does not wait for that answer/);
    }
    deepEqual(server.started, []);
    deepEqual(changes, ["continued", "continued", "continued"]);
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

function asking(...ids: readonly string[]) {
  return stateOf({}, [{ id: "t", name: "ask", interrupts: ids.map((id) => ({ id, value })) }]);
}
