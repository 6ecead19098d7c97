import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import type { ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { hello, opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";

const over = { bytes: streamOf(["metadata", { run_id: "run1" }]), status: "success" } as const;
const going = { ...over, status: "interrupted", endless: true } as const;
const said = (...texts: readonly string[]) => ({
  messages: texts.map((content) => ({ type: "ai", id: content, content })),
});

describe("After a run", () => {
  it("its state tells how many messages its stream lost, if any", async () => {
    for (const [texts, told] of [
      [[], undefined],
      [["a"], undefined],
      [["a", "b"], "1 message came"],
      [["a", "b", "c"], "2 messages came"],
    ] as const) {
      const { session, server, shown, idle } = opened();
      const bytes = streamOf(["updates", { m: said("a") }]);
      server.script.push({ bytes, status: "success", cutAt: bytes.length, resumable: false });
      server.state = stateOf(said(...texts));
      await session.start(hello);
      await idle();
      if (told === undefined) doesNotMatch(shown(), /warning/);
      else
        match(
          shown(),
          new RegExp(`warning: The stream was interrupted and events are missing; ${told} from`),
        );
    }
  });

  it("that failed without a word its state says why, or nobody does", async () => {
    for (const [error, told] of [
      [{ message: "no disk" }, /error: no disk /],
      [undefined, /error: The run failed; the server does not say why\./],
    ] as const) {
      const { session, server, shown, idle } = opened();
      const task = { id: "t", name: "m", interrupts: [], ...(error && { error }) };
      server.script.push({
        ...over,
        status: "error",
        state: stateOf({}, [{ id: "u", name: "n", interrupts: [] }, task]),
      });
      await session.start(hello);
      await idle();
      match(shown(), told);
      equal(shown().match(/^error/gm)?.length, 1);
    }
    const { session, server, shown, idle } = opened();
    server.script.push({ ...over, bytes: streamOf(["error", { message: "no net" }]), status: "error" });
    await session.start(hello);
    await idle();
    equal(shown().match(/^error/gm)?.length, 1);
  });

  it("whose thread can't be read, that is said, and what it streamed stays", async () => {
    for (const [status, told] of [
      [500, /warning: The thread's state could not be read: Told: no\n$/],
      [404, /error: This thread is not on the server any more/],
    ] as const) {
      const { session, server, shown, idle } = opened();
      server.script.push({ ...over, bytes: streamOf(["custom", 1]) });
      server.failures.set("state", [new Refusal(status, "no")]);
      await session.start(hello);
      await idle();
      match(shown(), told);
      match(shown(), /^run success\nhuman: Hello\ncustom ×1 1\n/);
    }
  });

  it("that is gone from the server, that is said, and it is over", async () => {
    const { session, server, shown, idle } = opened();
    server.script.push({ ...over, bytes: streamOf(["custom", 1]) });
    server.failures.set("get", [new Refusal(404, "no run")]);
    await session.start(hello);
    await idle();
    match(
      shown(),
      /^run interrupted\nhuman: Hello\ncustom ×1 1\nwarning: The server has deleted this run\.\n$/,
    );
  });

  it("what it asks again of those who answered is a new question", async () => {
    const question = { id: "a", value: "Sure?" };
    const waiting = stateOf({}, [{ id: "t", name: "ask", interrupts: [question] }]);
    const { session, server, load, idle, entries } = opened({ threadId: "thread" });
    server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "a", input: {} });
    server.state = waiting;
    await load();
    server.script.push({ bytes: streamOf(), status: "success", state: waiting });
    await session.answers.resume("interrupt:a", "yes");
    await idle();
    deepEqual(
      entries("interrupt").map(({ state }) => state),
      ["answered", "open"],
    );
  });

  it("its steps are read that the server keeps", async () => {
    const { session, server, idle, entries } = opened();
    const checkpoint = (id: string) => ({ thread_id: "thread", checkpoint_ns: "", checkpoint_id: id });
    const stateAt = (id: string, parent: string | undefined, tasks: ThreadState["tasks"]): ThreadState => ({
      ...stateOf({}, tasks),
      metadata: { source: "loop", run_id: "run1" },
      created_at: new Date(1_700_000_000_000).toISOString(),
      checkpoint: checkpoint(id),
      parent_checkpoint: parent === undefined ? null : checkpoint(parent),
    });
    const states = [
      stateAt("b", "a", []),
      stateAt("a", undefined, [{ id: "t", name: "model", interrupts: [] }]),
    ];
    server.threads.history = (_, options) => Promise.resolve(options?.before === "b" ? states.slice(1) : []);
    server.script.push({ ...over, state: states[0] ?? server.state });
    await session.start(hello);
    await idle();
    deepEqual(
      entries("step").map(({ name, status }) => [name, status]),
      [["model", "done"]],
    );
  });

  it("that was stopped, its stream may go on for three seconds", async () => {
    const server = new ScriptedServer();
    let stoppedAt = 0;
    server.runs.cancel = () => Promise.resolve();
    const get = server.runs.get.bind(server.runs);
    server.runs.get = async (...asked) => {
      stoppedAt = clock.now();
      return { ...(await get(...asked)), status: "interrupted" };
    };
    const { session, clock, idle } = opened({ server });
    server.script.push(going);
    await session.start(hello);
    const stopped = session.stop();
    await idle();
    await stopped;
    equal(clock.now() - stoppedAt, 100 + 200 + 400 + 800 + 1600);
  });

  it("that could not be followed another one is, and the first may still be joined", async () => {
    const { session, server, clock } = opened();
    server.script.push({ ...going, cutAt: 10 });
    server.failures.set("rejoin", [new Refusal(403, "no")]);
    await session.start(hello);
    await clock.until(() => session.state.kind === "failed");
    equal(session.newestFollowed, "run1");
    server.script.push({ ...over, bytes: streamOf() });
    await session.start(hello);
    await clock.until(() => session.state.kind === "detached");
    equal(session.newestFollowed, "run2");
    session.dispose();
  });

  it("that was started although no answer came it is found by what it was told, and joined", async () => {
    const { session, server, shown, clock } = opened({ threadId: "thread" });
    const run = { bytes: streamOf(["custom", 1]), status: "success" } as const;
    server.runs.stream = (_, body) => {
      server.add(run, body);
      return Promise.reject(new Error("terminated"));
    };
    deepEqual(await session.start(hello), { accepted: true });
    await clock.until(() => session.state.kind === "idle" && shown().includes("custom"));
    match(shown(), /^run success\nhuman: Hello\ncustom ×1 1\n$/);
    server.runs.stream = () => Promise.reject(new Error("terminated"));
    deepEqual(await session.start(hello), { accepted: false, message: "Told: terminated" });
    server.runs.list = () => Promise.reject(new Error("refused"));
    deepEqual(await session.start(hello), { accepted: false, message: "Told: terminated" });
  });

  it("that was left and then stopped, it is over with what its state has", async () => {
    const { session, server, shown, idle } = opened();
    server.script.push(going);
    await session.start(hello);
    session.detach();
    server.state = stateOf(said("a"));
    const stopping = session.stop();
    await idle();
    deepEqual(await stopping, { accepted: true });
    match(shown(), /^ai: a\nrun interrupted\nhuman: Hello\nwarning: The stream was interrupted/);
  });
});
