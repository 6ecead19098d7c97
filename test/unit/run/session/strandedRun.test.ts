import { strict as assert } from "node:assert";
import type { Run } from "../../../../src/api/agentServer/wire.ts";
import { findStranded, strandedText } from "../../../../src/run/session/strandedRun.ts";
import type { RunServer } from "../../../../src/run/session/server.ts";
import { TestClock } from "../../../support/testClock.ts";
import { opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";

const asked = { assistant_id: "chat", input: null };
const silent = { bytes: streamOf(), status: "success", endless: true } as const;
const speaking = { ...silent, bytes: streamOf(["metadata", { run_id: "run1" }]) };
/** The scripted server's first run begins one second later. */
const epoch = 1_700_000_000_000;
const { signal } = new AbortController();

/** What is known of the process that carries runs on. */
function known(server: ScriptedServer, process: RunServer["process"]): RunServer {
  const { threads, runs } = server;
  return { threads, runs, ...(process !== undefined && { process }) };
}

function processOf(at: number | undefined, keepsEvents = true): RunServer["process"] {
  const began = at === undefined ? undefined : { at };
  return { began: () => began, keepsEvents: () => Promise.resolve(keepsEvents) };
}

async function looked(server: ScriptedServer, process: RunServer["process"], clock = new TestClock()) {
  const thread = { server: known(server, process), threadId: "thread", signal, clock };
  let found: Awaited<ReturnType<typeof findStranded>> | undefined;
  let failed: unknown;
  void findStranded(thread, 1000).then(
    (look) => (found = look),
    (error: unknown) => (failed = error),
  );
  await clock.until(() => found !== undefined || failed !== undefined);
  return found ?? assert.fail(String(failed));
}

describe("a look whether a run is stranded", () => {
  it("finds none where nothing is running", async () => {
    const server = new ScriptedServer();
    assert.deepEqual(await looked(server, undefined), { kind: "none" });
    server.add({ ...silent, endless: false, status: "error" }, asked);
    server.add({ ...silent, endless: false, status: "pending" }, asked);
    assert.deepEqual(await looked(server, undefined), { kind: "none" });
    assert.ok(!server.calls.some((call) => call.startsWith("rejoin")));
  });

  it("finds a run whose events its server lost, and one that sends them goes on", async () => {
    const server = new ScriptedServer();
    const { run_id: runId } = server.add(silent, asked);
    assert.deepEqual(await looked(server, processOf(undefined)), {
      kind: "stranded",
      runId,
      next: [],
      sign: "events",
    });
    assert.ok(server.calls.includes("rejoin -1"));
    // Servers that drop events after a while tell nothing by it, and others tell nothing of themselves.
    for (const process of [processOf(undefined, false), undefined])
      assert.deepEqual(await looked(server, process), { kind: "stranded", runId, next: [], sign: "silence" });
    const other = new ScriptedServer();
    other.add(speaking, asked);
    assert.deepEqual(await looked(other, processOf(undefined)), { kind: "alive" });
  });

  it("does not listen to a run that can't be followed twice", async () => {
    const server = new ScriptedServer();
    const { run_id: runId } = server.add({ ...speaking, resumable: false }, asked);
    const look = await looked(server, processOf(epoch));
    assert.deepEqual(look, { kind: "stranded", runId, next: [], sign: "silence" });
    assert.ok(!server.calls.some((call) => call.startsWith("rejoin")));
  });

  it("finds a run that is older than its server without listening, unless it was taken up since", async () => {
    const server = new ScriptedServer();
    const { run_id: runId } = server.add(speaking, asked);
    const serverBeganAt = epoch + 5000;
    const look = await looked(server, processOf(serverBeganAt));
    assert.deepEqual(look, {
      kind: "stranded",
      runId,
      next: [],
      sign: "server",
      serverBegan: { at: serverBeganAt },
    });
    assert.ok(!server.calls.some((call) => call.startsWith("rejoin")));
    server.state = { ...stateOf({}), created_at: new Date(serverBeganAt + 1).toISOString() };
    assert.deepEqual(await looked(server, processOf(serverBeganAt)), { kind: "alive" });
    for (const sinceMs of [0, -1]) {
      server.state = { ...stateOf({}), created_at: new Date(serverBeganAt + sinceMs).toISOString() };
      assert.equal((await looked(server, processOf(serverBeganAt))).kind, "stranded");
    }
    // A run that began with the server, or after it, is listened to.
    assert.equal((await looked(server, processOf(epoch + 1000))).kind, "alive");
  });

  const moves: Readonly<Record<string, (server: ScriptedServer, run: Run) => void>> = {
    "its run ends": (server, run) => void server.runs.cancel("thread", run.run_id),
    "its run is gone": (server, run) => server.forget(run.run_id),
    "another state is reached": (server) => {
      const checkpoint = { thread_id: "thread", checkpoint_ns: "", checkpoint_id: "next" };
      server.state = { ...stateOf({}), checkpoint };
    },
    "its row changes": (server) => (server.state = { ...stateOf({}), row: { status: "idle" } }),
  };
  for (const [what, move] of Object.entries(moves)) {
    it(`finds that it goes on when ${what} meanwhile`, async () => {
      const server = new ScriptedServer();
      const run = server.add({ ...silent, resumable: false }, asked);
      const clock = new TestClock();
      void clock.sleep(800).then(() => move(server, run));
      assert.deepEqual(await looked(server, processOf(undefined), clock), { kind: "alive" });
    });
  }

  it("says what is known, and no more", () => {
    assert.match(strandedText({ sign: "events" }), /seems to be stranded: .*lost its events/);
    const at = new Date(epoch).toLocaleTimeString();
    const text = strandedText({ sign: "server", serverBegan: { at: epoch } });
    assert.ok(text.includes(`its server was started after it, at ${at}`), text);
    const saved = strandedText({ sign: "server", serverBegan: { at: epoch, savedFile: "graphs/a.mts" } });
    assert.ok(saved.includes(`graphs/a.mts was saved, its server loaded the graphs anew at ${at}`), saved);
    assert.match(strandedText({ sign: "silence" }), /may be stranded: .*is not known\.$/);
  });
});

describe("a session that follows a run in silence", () => {
  function following(process: RunServer["process"]) {
    const scripted = new ScriptedServer();
    const kept = scripted.add(silent, asked);
    const server = Object.assign(scripted, { process });
    const { session, clock, load } = opened({ threadId: "thread", server });
    const told = () => (session.state.kind === "streaming" ? session.state.stranded?.text : undefined);
    return { session, server, clock, load, told, kept };
  }

  it("tells within half a minute that its server lost it", async () => {
    const { clock, load, told } = following(processOf(undefined));
    await load();
    const began = clock.now();
    await clock.until(() => told() !== undefined);
    assert.match(told() ?? "", /lost its events/);
    assert.ok(clock.now() - began <= 30_000, String(clock.now() - began));
  });

  it("waits five minutes where silence alone tells, and looks ever less often", async () => {
    const { clock, load, told, server } = following(undefined);
    await load();
    const began = clock.now();
    await clock.until(() => told() !== undefined);
    assert.match(told() ?? "", /may be stranded/);
    assert.ok(clock.now() - began >= 300_000, String(clock.now() - began));
    assert.ok(server.calls.filter((call) => call === "state").length < 30);
  });

  it("says nothing when its server can't be asked, and tells it later", async () => {
    const { clock, load, told, server } = following(processOf(undefined));
    await load();
    server.failures.set("state", [new Refusal(503, "starting")]);
    await clock.until(() => told() !== undefined);
    assert.deepEqual(server.failures.get("state"), []);
  });

  it("tells it in seconds once a cut stream was joined again, and goes on telling it", async () => {
    const scripted = new ScriptedServer();
    const began = { at: epoch, savedFile: undefined as string | undefined };
    const process = { began: () => began, keepsEvents: () => Promise.resolve(true) };
    const cut = Promise.withResolvers<undefined>();
    scripted.add({ ...speaking, silence: () => cut.promise }, asked);
    const server = Object.assign(scripted, { process });
    const { session, clock, load } = opened({ threadId: "thread", server });
    await load();
    assert.equal(session.state.kind, "streaming");
    Object.assign(began, { at: epoch + 5000, savedFile: "graphs/a.mts" });
    const cutAt = clock.now();
    cut.resolve(undefined);
    const told = () => (session.state.kind === "streaming" ? session.state.stranded : undefined);
    await clock.until(() => told() !== undefined);
    assert.match(told()?.text ?? "", /graphs\/a\.mts was saved/);
    assert.ok(clock.now() - cutAt <= 6_000, String(clock.now() - cutAt));
    // It is still told when silence would only be noticed.
    const later = clock.now() + 12_000;
    void clock.sleep(12_000);
    await clock.until(() => clock.now() >= later);
    assert.ok(told() !== undefined);
  });

  it("tells it no more when the run is over", async () => {
    const { session, clock, load, told, server, kept } = following(processOf(undefined));
    await load();
    await clock.until(() => told() !== undefined);
    await server.runs.cancel("thread", kept.run_id);
    await clock.until(() => session.state.kind === "idle");
    assert.equal(told(), undefined);
  });
});
