import { deepEqual, equal } from "node:assert/strict";
import { recordingBytes } from "../../../support/recordings.ts";
import { hello, human, type Opening, opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";

const going = {
  bytes: streamOf(["metadata", { run_id: "run1" }]),
  status: "interrupted",
  endless: true,
} as const;
const question = { id: "a", value: "Sure?" };
const waiting = stateOf({}, [{ id: "t", name: "ask", interrupts: [question] }]);

/** A session, and whether whoever listens to it knows at any time what can be seen of it. */
function watched(opening: Opening = {}) {
  const one = opened(opening);
  const { session, clock } = one;
  const seen = () => ({ state: session.state, earlier: session.earlier, entries: session.entries });
  let told = seen();
  let changes = 0;
  session.listen(() => {
    told = seen();
    changes += 1;
  });
  const settled = (): void => deepEqual(told, seen());
  return {
    ...one,
    changes: () => changes,
    /** Until then, and at any moment before, what was told is what is. */
    until: (holds: () => boolean) =>
      clock.until(() => {
        settled();
        return holds();
      }),
    kind: () => session.state.kind,
  };
}

describe("Whoever listens to a session", () => {
  it("knows of a run that is started, left, joined and stopped", async () => {
    const { session, server, until, kind } = watched();
    server.script.push(going);
    let isStarted = false;
    void session.start(hello).then(() => (isStarted = true));
    await until(() => isStarted && kind() === "streaming");
    session.detach();
    await until(() => kind() === "detached");
    session.reattach();
    await until(() => kind() === "streaming");
    let isStopped = false;
    void session.stop().then(() => (isStopped = true));
    await until(() => kind() === "stopping");
    await until(() => isStopped && kind() === "idle");
  });

  it("knows of a run that is refused, and of one that was left and is stopped", async () => {
    const { session, server, until, kind } = watched({ threadId: "thread" });
    server.failures.set("stream", [new Refusal(409, "busy")]);
    let outcome: unknown;
    void session.start(hello).then((one) => (outcome = one));
    await until(() => outcome !== undefined);
    equal(kind(), "idle");
    server.script.push(going);
    await session.start(hello);
    await until(() => kind() === "streaming");
    session.detach();
    let isStopped = false;
    void session.stop().then(() => (isStopped = true));
    await until(() => isStopped && kind() === "idle");
  });

  it("knows of a stream that breaks, is joined again, and is given up", async () => {
    const { session, server, until, kind } = watched();
    server.script.push({ ...going, bytes: await recordingBytes("slow-cancelled"), cutAt: 900 });
    server.failures.set("rejoin", [new Error("refused"), new Error("refused")]);
    await session.start(hello);
    await until(() => kind() === "reconnecting");
    await until(() => kind() === "streaming");
    session.dispose();
    const lost = watched();
    lost.server.script.push({ ...going, cutAt: 10 });
    lost.server.failures.set("rejoin", [new Refusal(403, "no")]);
    await lost.session.start(hello);
    await lost.until(() => lost.kind() === "failed");
    lost.session.dispose();
  });

  it("knows of a thread that is loaded, fails to be, and is looked at again", async () => {
    const server = new ScriptedServer();
    const script = { bytes: streamOf(["custom", 1]), status: "success" } as const;
    server.add(script, { assistant_id: "a", input: { messages: [human("One")] } });
    const { session, until, kind } = watched({ threadId: "thread", server });
    server.failures.set("state", [new Refusal(500, "no disk")]);
    let loads = 0;
    void session.load().then(() => (loads += 1));
    await until(() => kind() === "loading");
    await until(() => loads === 1 && kind() === "failed");
    void session.retry().then(() => (loads += 1));
    await until(() => loads === 2 && kind() === "idle");
    server.state = stateOf({ messages: [{ type: "ai", id: "9", content: "Of others" }] });
    void session.refresh().then(() => (loads += 1));
    await until(() => loads === 3);
    server.failures.set("state", [new Refusal(404, "gone")]);
    void session.refresh().then(() => (loads += 1));
    await until(() => loads === 4);
  });

  it("knows what becomes of an answer", async () => {
    const server = new ScriptedServer();
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "a", input: {} });
    server.state = waiting;
    const { session, until, kind, entry } = watched({ threadId: "thread", server });
    let isLoaded = false;
    void session.load().then(() => (isLoaded = true));
    await until(() => isLoaded);
    let outcomes = 0;
    server.failures.set("stream", [new Refusal(500, "no disk")]);
    void session.answers.resume(entry("interrupt").id, "yes").then(() => (outcomes += 1));
    await until(() => outcomes === 1 && entry("interrupt").state === "failed");
    server.script.push({ bytes: streamOf(), status: "success", state: stateOf({}) });
    void session.answers.resume(entry("interrupt").id, "yes").then(() => (outcomes += 1));
    await until(() => entry("interrupt").state === "sending");
    await until(() => outcomes === 2 && kind() === "idle");
    equal(entry("interrupt").state, "answered");
  });

  it("knows what becomes of feedback", async () => {
    for (const failure of [undefined, new Error("no")]) {
      const submitFeedback = (): Promise<void> =>
        failure === undefined ? Promise.resolve() : Promise.reject(failure);
      const { session, server, until, kind } = watched({ submitFeedback });
      const bytes = streamOf(["feedback", { score: "https://f.example/x" }]);
      server.script.push({ bytes, status: "success" });
      await session.start(hello);
      await until(() => kind() === "idle");
      let outcome: { readonly accepted: boolean } | undefined;
      void session.answers.feedback("run1", "score", { score: 1 }).then((one) => (outcome = one));
      await until(() => outcome !== undefined);
      equal(outcome?.accepted, failure === undefined);
    }
  });

  it("knows now and then for how long nothing came, from ten seconds on", async () => {
    const { session, server, clock } = opened();
    server.script.push(going);
    await session.start(hello);
    const idle: number[] = [];
    session.listen(() => {
      if (session.state.kind === "streaming" && session.state.idleMs !== undefined)
        idle.push(session.state.idleMs);
    });
    await clock.until(() => (idle.at(-1) ?? 0) >= 60_000);
    const [first = 0] = idle;
    equal(first >= 10_000 && first < 20_000 && idle.length > 2, true, idle.join());
    session.dispose();
  });

  it("knows of every run that it is about to start, also of the second one", async () => {
    const { session, server, until } = watched();
    for (let run = 1; run <= 3; run += 1) {
      server.script.push({ bytes: streamOf(["custom", run]), status: "success" });
      const starting = session.start(hello);
      deepEqual(session.state, { kind: "streaming", runId: undefined });
      await starting;
      await until(() => session.state.kind === "idle");
    }
  });
});
