import { strict as assert } from "node:assert";
import type { Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { human, opened } from "./openedSession.ts";
import { ScriptedServer, streamOf } from "./scriptedServer.ts";

const start = 1_700_000_000_000;

/** A thread of so many runs of one node, each with an answer, whose states hold so many more characters. */
function longThread(count: number, padding: number): ScriptedServer & { asked: (number | undefined)[] } {
  const server = new ScriptedServer();
  const states: ThreadState[] = [];
  const asked: (number | undefined)[] = [];
  const messages: { id: string; type: string; content: string }[] = [];
  const checkpoint = (id: number) => ({ thread_id: "thread", checkpoint_ns: "", checkpoint_id: `c${id}` });
  for (let turn = 0; turn < count; turn += 1) {
    const script = { bytes: streamOf(), status: "success", resumable: false };
    const run: Run = server.add(script, { assistant_id: "chat", input: { messages: [human(`Q${turn}`)] } });
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
    messages.push({ id: `q${turn}`, type: "human", content: `Q${turn}` });
    add("loop", [{ id: `t${turn}`, name: "model", interrupts: [] }]);
    messages.push({ id: `a${turn}`, type: "ai", content: `A${turn}` });
    add("loop", []);
  }
  server.state = states[0] ?? server.state;
  server.threads.history = (_, options) => {
    if (options?.checkpoint !== undefined) return Promise.resolve([]);
    asked.push(options?.limit);
    const from = states.findIndex(({ checkpoint: one }) => one?.checkpoint_id === options?.before) + 1;
    return Promise.resolve(states.slice(from, from + (options?.limit ?? 10)));
  };
  return Object.assign(server, { asked });
}

describe("the history of a thread", () => {
  it("gives every run its heading, its step and its answer, in as many pages as it takes", async () => {
    const server = longThread(60, 10);
    const { session, shown, load } = opened({ threadId: "thread", server });
    await load();
    const turns = Array.from({ length: 60 }, (_, turn) => `run success\nhuman: Q${turn}\nai: A${turn}\n`);
    assert.equal(shown(), turns.join(""));
    assert.equal(session.entries.filter(({ kind }) => kind === "step").length, 60);
    assert.equal(session.earlier, "none");
    assert.deepEqual(server.asked, [50, 50, 50, 50]);
  });

  it("of large states is read few at a time up to a budget, and the rest when asked for", async () => {
    const server = longThread(8, 3_000_000);
    const { session, shown, load } = opened({ threadId: "thread", server });
    await load();
    const steps = () => session.entries.filter(({ kind }) => kind === "step").length;
    assert.deepEqual([steps(), session.earlier], [3, "more"]);
    assert.deepEqual(
      server.asked,
      Array.from({ length: 8 }, () => 1),
    );
    assert.match(shown(), /^run success\nhuman: Q0\nai: A0\nrun success\nhuman: Q1\n/);
    const before = shown();
    await session.readEarlier();
    await session.readEarlier();
    assert.deepEqual([steps(), session.earlier], [8, "none"]);
    assert.equal(shown(), before);
  });

  it("is read no further than what is known when the thread is looked at again", async () => {
    const server = longThread(20, 10);
    const { session, load } = opened({ threadId: "thread", server });
    await load();
    const asked = server.asked.length;
    await session.refresh();
    assert.equal(server.asked.length, asked);
  });
});
