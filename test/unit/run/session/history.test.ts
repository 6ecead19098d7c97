import { strict as assert } from "node:assert";
import type { Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { human, opened } from "./openedSession.ts";
import { ScriptedServer, streamOf } from "./scriptedServer.ts";

const start = 1_700_000_000_000;

/** A thread whose runs are each one node with an answer. */
function longThread() {
  const server = new ScriptedServer();
  const states: ThreadState[] = [];
  const asked: (number | undefined)[] = [];
  const sent: string[] = [];
  const messages: { id: string; type: string; content: string }[] = [];
  const checkpoint = (id: number) => ({ thread_id: "thread", checkpoint_ns: "", checkpoint_id: `c${id}` });
  let turn = 0;
  /** Adds so many runs, whose states hold so many more characters; a quiet one says nothing. */
  const grow = (count: number, padding: number, isQuiet = false) => {
    for (const end = turn + count; turn < end; turn += 1) {
      const script = { bytes: streamOf(), status: "success", resumable: false };
      const run: Run = server.add(script, {
        assistant_id: "chat",
        input: { messages: [human(`Q${turn}`)] },
      });
      const add = (source: string, tasks: ThreadState["tasks"]) => {
        const number = states.length;
        states.unshift({
          values: { messages: [...messages], padding: "x".repeat(padding) },
          next: [],
          tasks,
          metadata: { source, run_id: run.run_id },
          created_at: new Date(start + (turn + 1) * 1000 + number).toISOString(),
          checkpoint: checkpoint(number),
          parent_checkpoint: number === 0 ? null : checkpoint(number - 1),
        });
      };
      add("input", []);
      if (!isQuiet) messages.push({ id: `q${turn}`, type: "human", content: `Q${turn}` });
      add("loop", [{ id: `t${turn}`, name: "model", interrupts: [] }]);
      if (!isQuiet) messages.push({ id: `a${turn}`, type: "ai", content: `A${turn}` });
      add("loop", []);
    }
    server.state = states[0] ?? server.state;
  };
  server.threads.history = (_, options) => {
    if (options?.checkpoint !== undefined) return Promise.resolve([]);
    asked.push(options?.limit);
    const from = states.findIndex(({ checkpoint: one }) => one?.checkpoint_id === options?.before) + 1;
    const page = states.slice(from, from + (options?.limit ?? 10));
    sent.push(...page.map((state) => state.checkpoint?.checkpoint_id ?? ""));
    return Promise.resolve(page);
  };
  return { server, asked, sent, grow };
}

/** A session that has read such a thread, and what of it can be seen. */
async function opening(count: number, padding: number) {
  const thread = longThread();
  thread.grow(count, padding);
  const one = opened({ threadId: "thread", server: thread.server });
  await one.load();
  const steps = () => one.entries("step").length;
  return { ...thread, ...one, steps };
}

describe("the history of a thread", () => {
  it("gives every run its heading, its step and its answer, in as many pages as it takes", async () => {
    const { session, shown, steps, asked } = await opening(60, 10);
    const turns = Array.from({ length: 60 }, (_, turn) => `run success\nhuman: Q${turn}\nai: A${turn}\n`);
    assert.equal(shown(), turns.join(""));
    assert.equal(steps(), 60);
    assert.equal(session.earlier, "none");
    assert.deepEqual(asked, [50, 50, 50, 50]);
  });

  it("of large states is read few at a time up to a budget, and the rest when asked for", async () => {
    const { session, shown, steps, asked } = await opening(8, 3_000_000);
    assert.deepEqual([steps(), session.earlier], [3, "more"]);
    assert.deepEqual(
      asked,
      Array.from({ length: 8 }, () => 1),
    );
    assert.match(shown(), /^run success\nhuman: Q0\nai: A0\nrun success\nhuman: Q1\n/);
    const before = shown();
    const reading = session.readEarlier();
    assert.equal(session.earlier, "reading");
    await reading;
    assert.equal(session.earlier, "more");
    await session.readEarlier();
    assert.deepEqual([steps(), session.earlier], [8, "none"]);
    assert.equal(shown(), before);
  });

  it("of very many small states is read forty pages at a time", async () => {
    const { server, asked, grow } = longThread();
    grow(700, 0, true);
    const { session, load } = opened({ threadId: "thread", server });
    await load();
    assert.deepEqual([asked.length, session.earlier], [40, "more"]);
    await session.refresh();
    assert.deepEqual([asked.length, session.earlier], [40, "more"]);
    await session.readEarlier();
    assert.deepEqual([asked.length, session.earlier], [43, "none"]);
    assert.equal(session.entries.filter(({ kind }) => kind === "step").length, 700);
  });

  it("is of its newest state what is kept of it, not what nodes wrote that were done before others failed", async () => {
    const { server, grow } = longThread();
    grow(1, 1);
    const kept = server.state;
    const [done, failed] = [
      { id: "x", name: "left", result: { notes: ["one"] }, interrupts: [] },
      { id: "y", name: "right", error: "no", interrupts: [] },
    ];
    const one = opened({ threadId: "thread", server });
    Object.assign(kept, { tasks: [done, failed], next: ["left", "right"] });
    server.state = { ...kept, values: { ...kept.values, notes: ["one"] } };
    await one.load();
    assert.deepEqual(
      one.entries("values").map(({ keys }) => keys),
      [["padding"]],
    );
  });

  it("is asked again for its newest state where nodes were done since that was read", async () => {
    const { server, grow } = longThread();
    grow(1, 1);
    const kept = server.state;
    const one = opened({ threadId: "thread", server });
    await one.load();
    const said = { type: "ai", content: "Noted." };
    const asks = { id: "t1", name: "ask", interrupts: [{ id: "q", value: "?" }] };
    const note = (id?: string) => ({
      ...{ id: "t2", name: "note", interrupts: [] },
      result: { messages: [{ ...said, ...(id !== undefined && { id }) }] },
    });
    // Asked for by itself, a state has ids in it that the server makes up each time.
    Object.assign(kept, { tasks: [asks, note()], next: ["ask", "note"] });
    for (const id of ["made up", "made up anew"]) {
      server.state = { ...kept, tasks: [asks, note(id)] };
      await one.session.refresh();
    }
    assert.equal(one.shown().match(/Noted\./g)?.length, 1);
  });

  it("is read from what is newest by then where the thread went on while its state was read", async () => {
    const { server, grow } = longThread();
    grow(1, 1);
    const newest = server.state;
    const [, before] = (await server.threads.history?.("thread", {})) ?? [];
    assert.ok(before);
    const asks = { id: "t1", name: "ask", interrupts: [{ id: "q", value: "?" }] };
    const note = (id?: string) => ({
      ...{ id: "t2", name: "note", interrupts: [] },
      result: { messages: [{ type: "ai", content: "A0", ...(id !== undefined && { id }) }] },
    });
    Object.assign(before, { tasks: [asks, note()], next: ["ask", "note"] });
    const one = opened({ threadId: "thread", server });
    server.state = { ...before, tasks: [asks, note("made up")] };
    await one.load();
    server.state = newest;
    await one.session.refresh();
    assert.equal(one.shown().match(/A0/g)?.length, 1);
  });

  it("is also asked for its newest state where one of several nodes that asked was answered", async () => {
    const asks = (name: string) => ({ id: `t${name}`, name, interrupts: [{ id: name, value: "?" }] });
    for (const [next, times] of [
      [["left", "right"], 0],
      [["right"], 1],
    ] as const) {
      const { server, grow } = longThread();
      grow(1, 1);
      Object.assign(server.state, { tasks: [asks("left"), asks("right")], next });
      const history = server.threads.history?.bind(server.threads);
      let asked = 0;
      server.threads.history = (threadId, options) => {
        if (options?.before === undefined && options?.checkpoint === undefined) asked += 1;
        return history?.(threadId, options) ?? assert.fail();
      };
      await opened({ threadId: "thread", server }).load();
      assert.equal(asked, times, next.join());
    }
  });

  it("is read no further than what is known when the thread is looked at again", async () => {
    const { session, asked } = await opening(20, 10);
    const before = asked.length;
    await session.refresh();
    assert.equal(asked.length, before);
  });

  it("is read back to what is known, however much came since, and what was not read before stays to be read", async () => {
    const { session, sent, grow, steps, shown, server } = await opening(8, 3_000_000);
    grow(60, 10);
    await session.refresh();
    assert.deepEqual([steps(), session.earlier], [67, "more"]);
    sent.length = 0;
    await session.readEarlier();
    assert.deepEqual([steps(), session.earlier], [68, "none"]);
    assert.deepEqual(sent, ["c2", "c1", "c0"]);
    const again = opened({ threadId: "thread", server });
    await again.load();
    assert.equal(shown(), again.shown());
  });

  it("has nothing earlier to be read when all was read and more came than fits on a page", async () => {
    const { session, grow, steps } = await opening(8, 10);
    grow(60, 10);
    await session.refresh();
    assert.deepEqual([steps(), session.earlier], [68, "none"]);
  });

  it("that grew by more than is read at once has a gap, which is closed when asked for, and leaves nothing behind", async () => {
    const { session, sent, grow, steps, entries } = await opening(8, 10);
    grow(8, 3_000_000);
    await session.refresh();
    assert.deepEqual([steps(), session.earlier], [8 + 3, "more"]);
    assert.deepEqual(new Set(entries("run").map(({ left }) => left)), new Set([undefined]));
    const read = sent.length;
    while (session.earlier === "more") await session.readEarlier();
    assert.equal(steps(), 16);
    assert.equal(sent.length - read, 24 - 1 - 8 + 1);
  });
});
