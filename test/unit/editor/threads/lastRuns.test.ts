import { strict as assert } from "node:assert";

import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import { LastRuns } from "../../../../src/editor/threads/lastRuns.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import type { RunSession } from "../../../../src/run/session/session.ts";
import { until } from "../../../support/until.ts";

const thread = (threadId: string): ThreadRef => {
  return { connectionId: "here", server: { kind: "workspaceGraphs" }, threadId };
};
const run = (runId: string, startedAt: number): Entry => ({
  ...{ kind: "run", id: `run:${runId}`, runId, assistantId: "planner", status: "success", startedAt },
});
const step = (runId: string, name: string, before?: string, lane = ""): Entry => ({
  ...{ kind: "step", id: `${runId}${name}`, runId, lane, name, keys: [], status: "done" },
  ...(before !== undefined && { checkpoints: { before } }),
});
const input = (runId: string): Entry => {
  return { kind: "values", id: `in${runId}`, runId, lane: "", of: "input", keys: [], text: "{}" };
};

describe("The last runs of graphs of the workspace", () => {
  let open: Map<ThreadRef, Entry[]>;
  let tell: (change: ThreadChange) => void;
  let changes: number;
  /** What the server keeps of any thread. */
  const kept = [run("9", 10), input("9"), step("9", "plan")];
  let runs: LastRuns;
  const listeners = new Map<ThreadRef, () => void>();

  beforeEach(() => {
    open = new Map();
    changes = 0;
    const sessions = {
      get threads() {
        return [...open.keys()];
      },
      of: (wanted: ThreadRef) => {
        const entries = open.get(wanted);
        const listen = (heard: () => void) => {
          listeners.set(wanted, heard);
          return () => undefined;
        };
        return entries && ({ entries, listen } as unknown as RunSession);
      },
      hold: (wanted: ThreadRef, _: unknown, heard: () => void) => {
        // It seems to be idle, loads, and has it all then.
        const session = { state: { kind: "idle" } };
        const become = (kind: string) => {
          session.state = { kind };
          heard();
        };
        queueMicrotask(() => {
          become("loading");
          open.set(wanted, kept);
          become("idle");
        });
        const release = () => void open.delete(wanted);
        return { session: session as unknown as RunSession, release, watch: () => undefined };
      },
    };
    const onDidChange = (heard: (change: ThreadChange) => void) => {
      tell = heard;
      return { dispose: () => undefined };
    };
    runs = new LastRuns(sessions, { onDidChange }, () => (changes += 1));
  });
  afterEach(() => runs.dispose());

  const last = () => runs.of("here").map(({ thread, givenTo }) => `${thread.threadId} ${givenTo}`);
  const ran = (ref: ThreadRef, ...entries: Entry[]): void => {
    open.set(ref, entries);
    tell({ kind: "run", threads: [ref] });
  };

  it("are the newest of each agent, also when their session is over, until their thread is deleted", () => {
    const [a, b] = [thread("a"), thread("b")];
    ran(a, run("1", 100), input("1"));
    ran(b, run("2", 50), input("2"));
    assert.deepEqual(last(), ["a 1"]);
    ran(b, run("3", 200), input("3"), run("4", 300));
    open.clear();
    assert.deepEqual(last(), ["b 3"]);
    tell({ kind: "deleted", threads: [b] });
    assert.deepEqual(last(), []);
    assert.deepEqual(runs.of("elsewhere"), []);
  });

  it("say what stood before each node of the graph itself, also once the server tells when they began", () => {
    const a = thread("a");
    ran(a, run("1", 100), step("1", "plan"));
    assert.equal(runs.of("here")[0]?.before.size, 0);
    open.set(a, [
      run("1", 99),
      step("1", "plan", "c0"),
      step("1", "work", "c1"),
      step("1", "work", "c2", "x:1"),
    ]);
    assert.deepEqual(
      [...runs.of("here")[0]!.before],
      [
        ["plan", "c0"],
        ["work", "c1"],
      ],
    );
    assert.equal(runs.of("here")[0]?.marks.get("x:work")?.status, "done");
  });

  it("are read of a thread that nobody follows, and give way to what is newer", async () => {
    const [a, b] = [thread("a"), thread("b")];
    await runs.read(a);
    assert.deepEqual([last(), open.size], [["a 9"], 0]);
    assert.equal(runs.of("here")[0]?.marks.get("plan")?.status, "done");
    await until("it is told", () => changes > 0);
    ran(b, run("1", 100), input("1"));
    assert.deepEqual(last(), ["b 1"]);
    await runs.read(a);
    assert.deepEqual(last(), ["b 1"]);
    await runs.read(b);
    assert.equal(open.size, 1);
  });

  it("tell of changes a moment later, many at once", async () => {
    const a = thread("a");
    ran(a, run("1", 100));
    for (let index = 0; index < 100; index++) listeners.get(a)?.();
    await until("it is told", () => changes > 0);
    assert.equal(changes, 1);
  });
});
