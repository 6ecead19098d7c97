import { strict as assert } from "node:assert";
import type { Json, Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { parseEvents } from "../../../../src/api/exchange.ts";
import { recordedJson, recordingBytes } from "../../../support/recordings.ts";
import { hello, human, opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";

/** A thread with one run that is over and can't be replayed. */
function served(): ScriptedServer {
  const server = new ScriptedServer();
  const script = { bytes: streamOf(), status: "success", resumable: false };
  server.add(script, { assistant_id: "chat", input: { messages: [human("One")] } });
  server.state = stateOf({
    messages: [
      { ...human("One"), id: "1" },
      { type: "ai", id: "2", content: "Uno" },
    ],
  });
  return server;
}

const conversation = "run success\nhuman: One\nai: Uno\n";

describe("a thread on a server that answers oddly", () => {
  it("is shown without steps where no history is kept, which is said once", async () => {
    const server = served();
    server.state = { ...server.state, checkpoint: checkpointOf("b") };
    let asked = 0;
    server.threads.history = () => {
      asked += 1;
      return Promise.reject(new Refusal(404, "404 Not Found"));
    };
    const { shown, load, session } = opened({ threadId: "thread", server });
    await load();
    await session.refresh();
    assert.match(
      shown(),
      new RegExp(`^info: This server keeps no history of the thread: .*\n${conversation}$`),
    );
    assert.equal(asked, 1);
    assert.deepEqual(session.state, { kind: "idle" });
  });

  it("goes on when its history can't be read for a moment, and reads it when asked again", async () => {
    const server = served();
    const history = await recordedJson<readonly ThreadState[]>("researcher-history");
    const [head] = history;
    server.state = head ?? server.state;
    const failures = [new Refusal(500, "busy")];
    server.threads.history = (_, options) => {
      const failure = failures.shift();
      if (failure !== undefined) return Promise.reject(failure);
      const from = history.findIndex(({ checkpoint }) => checkpoint?.checkpoint_id === options?.before) + 1;
      return Promise.resolve(options?.checkpoint === undefined ? history.slice(from) : []);
    };
    const { session, shown, load } = opened({ threadId: "thread", server });
    await load();
    assert.match(shown(), /\nwarning: The thread's history could not be read: Told: busy\n/);
    assert.equal(session.earlier, "more");
    await session.readEarlier();
    assert.equal(session.earlier, "none");
  });

  it("says once that states are missing which others name as the one before them, and shows the rest", async () => {
    const history = await recordedJson<readonly ThreadState[]>("researcher-history");
    const shownWith = async (states: readonly ThreadState[]): Promise<string> => {
      const server = served();
      server.state = states[0] ?? server.state;
      server.threads.history = (_, options) => {
        const from = states.findIndex(({ checkpoint }) => checkpoint?.checkpoint_id === options?.before) + 1;
        return Promise.resolve(options?.checkpoint === undefined ? states.slice(from) : []);
      };
      const { session, shown, load } = opened({ threadId: "thread", server });
      await load();
      await session.refresh();
      assert.equal(session.earlier, "none");
      return shown();
    };
    const said = "info: The server has some earlier states of this thread no more: ";
    const whole = await shownWith(history);
    assert.equal(whole.includes(said), false);
    for (const missing of [1, history.length - 1]) {
      const lines = (await shownWith(history.filter((_, at) => at !== missing))).split("\n");
      const rest = lines.filter((line) => !line.startsWith(said));
      assert.equal(lines.length - rest.length, 1, `said once without ${missing}`);
      assert.equal(rest.join("\n"), whole, `without ${missing}`);
    }
  });

  it("shows runs whose input is not told, and says which entries of the list name no run", async () => {
    const server = served();
    const list = server.runs.list.bind(server.runs);
    server.runs.list = async () => {
      const runs = (await list("thread")).map((run) => ({ ...run, kwargs: {} }));
      return [...runs, { status: "success" } as unknown as Run, null as unknown as Run];
    };
    const { shown, load } = opened({ threadId: "thread", server });
    await load();
    assert.equal(
      shown(),
      "human: One\nai: Uno\nwarning: The server lists 2 runs without an ID: left out here.\nrun success\n",
    );
  });

  it("ends a run that the server tells of under another id", async () => {
    const { session, server, shown, idle } = opened();
    const get = server.runs.get.bind(server.runs);
    server.runs.get = async (...args) => ({ ...(await get(...args)), run_id: "another" });
    server.script.push({ bytes: await recordingBytes("chat"), status: "success" });
    await session.start(hello);
    await idle();
    assert.match(shown(), /^run success.*\nhuman: Hello\nai: You said/);
  });

  it("follows a run no more whose end can't be understood, and says so", async () => {
    const { session, server, shown, idle } = opened();
    const get = server.runs.get.bind(server.runs);
    server.runs.get = async (...args) => {
      const run = await get(...args);
      return new Proxy(run, {
        get: (target, name) => {
          if (name === "created_at") throw new TypeError("what a run");
          return Reflect.get(target, name) as unknown;
        },
      });
    };
    server.script.push({ bytes: await recordingBytes("chat"), status: "success" });
    await session.start(hello);
    await idle();
    assert.match(shown(), /warning: How the run ended could not be read: Told: what a run\n$/);
  });

  it("shows what is known of a thread whose state is nested thousands of levels deep", async () => {
    const server = served();
    const args = JSON.parse("[".repeat(5000) + "]".repeat(5000)) as Json;
    server.state = stateOf({ deep: args });
    const { shown, load, session } = opened({ threadId: "thread", server });
    await load();
    assert.equal(
      shown(),
      "warning: Told: The thread's state is nested deeper than 500 levels.\nrun success\nhuman: One\n",
    );
    assert.deepEqual(session.state, { kind: "idle" });
  });

  it("says once that a thread is gone which its server lost while runs went on and waited for their turn", async () => {
    const { session, server, shown, idle } = opened();
    const bytes = streamOf(["metadata", { run_id: "run1" }]);
    const script = { bytes, status: "success", endless: true, silence: () => Promise.resolve() };
    server.script.push(script, script);
    server.runs.rejoin = async (_thread, runId) => {
      await Promise.resolve();
      const events = parseEvents(new Blob(['event: error\ndata: "Run not found"\n\n']).stream());
      return { runId, events };
    };
    const gone = () => Array.from({ length: 9 }, () => new Refusal(404, "not found"));
    for (const call of ["get", "state"]) server.failures.set(call, gone());
    await session.start(hello);
    await session.start({ ...hello, strategy: "enqueue" });
    await idle();
    assert.doesNotMatch(shown(), /Run not found/);
    assert.doesNotMatch(shown(), /Run not found/);
    assert.equal(shown().match(/This thread is not on the server any more/g)?.length, 1);
    assert.equal(shown().match(/^run interrupted/gm)?.length, 2);
  });

  it("keeps what is shown of a thread that is deleted while it is open, and says so once", async () => {
    const server = served();
    const { shown, load, session } = opened({ threadId: "thread", server });
    await load();
    const gone = () => new Refusal(404, "Thread not found");
    server.failures.set("state", [gone(), gone()]);
    await session.refresh();
    await session.refresh();
    assert.match(
      shown(),
      /^run success\nhuman: One\nai: Uno\nerror: This thread is not on the server any more\.[^\n]*\n$/,
    );
  });

  it("brings in what others did since, and loses nothing of what streamed", async () => {
    const { session, server, shown, idle } = opened();
    server.script.push({ bytes: streamOf(["custom", { progress: 1 }]), status: "success" });
    await session.start(hello);
    await idle();
    const before = shown();
    const script = { bytes: streamOf(), status: "success", resumable: false };
    server.add(script, { assistant_id: "chat", input: { messages: [human("More")] } });
    server.state = stateOf({ messages: [{ type: "ai", id: "9", content: "Of others" }] });
    await session.refresh();
    assert.match(shown(), /custom ×1 \{"progress":1\}/);
    assert.match(shown(), /human: More/);
    assert.ok(before.split("\n").every((line) => shown().includes(line)));
  });
});

function checkpointOf(id: string): NonNullable<ThreadState["checkpoint"]> {
  return { thread_id: "thread", checkpoint_ns: "", checkpoint_id: id };
}
