import { strict as assert } from "node:assert";
import type { JsonObject, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { human, opened } from "./openedSession.ts";
import { Refusal, ScriptedServer, streamOf } from "./scriptedServer.ts";

const start = 1_700_000_000_000;

function stateAt(
  [namespace, id, parent]: readonly [namespace: string, id: string, parent?: string | undefined],
  second: number,
  runId: string,
  values: JsonObject,
  tasks: readonly (readonly [id: string, node: string])[] = [],
  source = "loop",
): ThreadState {
  const checkpoint = (name: string) => ({
    thread_id: "thread",
    checkpoint_ns: namespace,
    checkpoint_id: name,
  });
  return {
    values,
    next: tasks.map(([, node]) => node),
    tasks: tasks.map(([task, node]) => ({ id: task, name: node, interrupts: [] })),
    metadata: { source, run_id: runId },
    created_at: new Date(start + second * 1000).toISOString(),
    checkpoint: checkpoint(id),
    parent_checkpoint: parent === undefined ? null : checkpoint(parent),
  };
}

interface Nodes {
  /** The tasks of each run, one list for each run. */
  readonly tasks: readonly (readonly (readonly [id: string, node: string])[])[];
  /** What is kept of a namespace. */
  readonly kept?: (namespace: string) => readonly ThreadState[] | Error;
  /** What each run streamed. */
  readonly bytes?: Uint8Array;
}

/** A thread whose runs went through one step each, and the namespaces that it is asked for. */
function threadOf({ tasks, kept = () => [], bytes }: Nodes) {
  const server = new ScriptedServer();
  const states: ThreadState[] = [];
  const asked: string[] = [];
  let [now, most] = [0, 0];
  for (const [turn, own] of tasks.entries()) {
    const script = { bytes: bytes ?? streamOf(), status: "success", resumable: bytes !== undefined };
    const { run_id: runId } = server.add(script, {
      assistant_id: "a",
      input: { messages: [human(`Q${turn}`)] },
    });
    const [first, second] = [`c${2 * turn}`, `c${2 * turn + 1}`];
    const at = turn * 2 + 1;
    const parent = states.at(-1)?.checkpoint?.checkpoint_id;
    states.push(stateAt(["", first, parent], at, runId, { turn }, own));
    states.push(stateAt(["", second, first], at + 0.5, runId, { turn, done: true }));
  }
  states.reverse();
  server.state = states[0] ?? server.state;
  server.threads.history = async (_, options) => {
    const namespace = options?.checkpoint?.checkpoint_ns;
    if (namespace === undefined) {
      const from = states.findIndex(({ checkpoint }) => checkpoint?.checkpoint_id === options?.before) + 1;
      return states.slice(from, from + (options?.limit ?? 10));
    }
    asked.push(namespace);
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    const found = kept(namespace);
    if (found instanceof Error) throw found;
    return found;
  };
  return { ...opened({ threadId: "thread", server }), asked, together: () => most };
}

/** What a subgraph did that said one thing, and maybe called another one. */
function saying(namespace: string, runId: string, text: string, inner?: string): readonly ThreadState[] {
  const task = [`${text}-task`, inner ?? "model"] as const;
  const message = { type: "ai", id: text, content: text };
  return [
    stateAt([namespace, `${text}2`, `${text}1`], 1.4, runId, { messages: [message] }),
    stateAt([namespace, `${text}1`], 1.2, runId, { messages: [] }, [task]),
  ];
}

describe("the subgraphs of a thread's runs", () => {
  it("are read of the newest runs, and of others as they come in sight", async () => {
    const lanes = [1, 2, 3].map((run) => `agent:t${run}`);
    const { session, asked, load, shown } = threadOf({
      tasks: [1, 2, 3].map((run) => [[`t${run}`, "agent"]] as const),
      kept: (lane) => (lanes.includes(lane) ? saying(lane, `run${lane.slice(-1)}`, `in ${lane}`) : []),
    });
    await load();
    assert.deepEqual(asked.filter((lane) => lanes.includes(lane)).toSorted(), lanes.slice(1));
    assert.doesNotMatch(shown(), /in agent:t1/);
    await session.readRuns(["run1"]);
    assert.deepEqual(asked.filter((lane) => lanes.includes(lane)).toSorted(), lanes);
    for (const lane of lanes) assert.match(shown(), new RegExp(`lane agent done\\n {2}ai: in ${lane}\\n`));
    await session.readRuns(["run1"]);
    await session.refresh();
    assert.equal(new Set(asked).size, asked.length, "each is asked for once");
  });

  it("ask nothing any more in a run that others came behind, also where that is read later", async () => {
    const interrupts = [{ id: "q", value: "Sure?" }];
    const { session, load, entries } = threadOf({
      tasks: [1, 2, 3].map((run) => [[`t${run}`, "agent"]] as const),
      kept: (lane) => {
        if (lane !== "agent:t1") return saying(lane, `run${lane.slice(-1)}`, lane);
        const asking = stateAt([lane, "x1"], 1.2, "run1", {}, [["ask-task", "ask"]]);
        const tasks = asking.tasks.map((task) => ({ ...task, interrupts }));
        return [{ ...asking, tasks }];
      },
    });
    await load();
    assert.deepEqual(entries("interrupt"), []);
    await session.readRuns(["run1"]);
    assert.deepEqual(
      entries("interrupt").map(({ runId, lane, state }) => [runId, lane, state]),
      [["run1", "agent:t1", "dropped"]],
    );
  });

  it("are read of a run that was stopped before anything of it streamed", async () => {
    const { server, session, load, idle, shown } = threadOf({
      tasks: [[["t1", "agent"]]],
      kept: (lane) => (lane === "agent:t1" ? saying(lane, "run2", "found") : []),
    });
    const all = server.threads.history?.bind(server.threads);
    const waiting = (await all?.("thread", { limit: 9 })) ?? [];
    server.threads.history = async (...asked) =>
      (await all?.(...asked))?.filter(({ checkpoint }) => checkpoint?.checkpoint_id !== "c1") ?? [];
    server.state = waiting.at(-1) ?? assert.fail();
    await load();
    server.script.push({ bytes: streamOf(), status: "interrupted" });
    await session.run({ assistant_id: "a", command: { resume: "yes" } });
    await idle();
    assert.match(shown(), /run interrupted\nlane agent stopped\n {2}ai: found\n/);
  });

  it("say when they ran, also where an earlier run left nothing of them", async () => {
    const agent = [["t1", "agent"]] as const;
    let times = 0;
    const { load, entries, asked } = threadOf({
      tasks: [agent, agent],
      // The newest run's are asked for first.
      kept: (lane) => (lane === "agent:t1" && times++ === 0 ? saying(lane, "run2", "found") : []),
    });
    await load();
    assert.deepEqual(asked, ["agent:t1", "agent:t1", "agent:t1|model:found-task"]);
    assert.deepEqual(
      entries("lane").map(({ runId, startedAt, endedAt }) => [
        runId,
        startedAt !== undefined,
        endedAt !== undefined,
      ]),
      [["run2", true, true]],
    );
  });

  it("are asked for twice of each node, where those turn out to be none", async () => {
    const { asked, load, session, entries } = threadOf({
      tasks: [
        [
          ["t1", "plain"],
          ["t2", "plain"],
          ["t3", "plain"],
          ["t4", "other"],
        ],
      ],
    });
    await load();
    await session.refresh();
    assert.deepEqual(asked.filter((lane) => lane.startsWith("plain")).length, 2);
    assert.deepEqual(
      asked.filter((lane) => lane.startsWith("other")),
      ["other:t4"],
    );
    assert.deepEqual(
      entries("step").map(({ name, status }) => `${name} ${status}`),
      ["plain done", "plain done", "plain done", "other done"],
    );
  });

  it("are read of all steps of a node side by side, as soon as one of them turns out to be one", async () => {
    const tasks = Array.from({ length: 9 }, (_, task) => [`t${task}`, "worker"] as const);
    const { load, asked, shown } = threadOf({
      tasks: [tasks],
      kept: (lane) => (lane.includes("|") ? [] : saying(lane, "run1", `by ${lane.slice(7)}`)),
    });
    await load();
    assert.deepEqual(
      asked.filter((lane) => !lane.includes("|")),
      tasks.map(([id]) => `worker:${id}`),
    );
    for (const [id] of tasks) assert.match(shown(), new RegExp(`lane worker done\\n {2}ai: by ${id}\\n`));
  });

  it("within subgraphs are read, too, and stand in the lane that holds them", async () => {
    const { load, shown } = threadOf({
      tasks: [[["t1", "outer"]]],
      kept: (lane) => {
        if (lane === "outer:t1") return saying(lane, "run1", "out", "inner");
        return lane === "outer:t1|inner:out-task" ? saying(lane, "run1", "in") : [];
      },
    });
    await load();
    assert.match(
      shown(),
      /lane outer done\n( {2}ai: out\n)? {2}lane inner done\n {4}ai: in\n( {2}ai: out\n)?/,
    );
  });

  it("that can't be read cost nothing else, and what is of another namespace is not taken for theirs", async () => {
    const { load, shown, session } = threadOf({
      tasks: [[["t1", "broken"]], [["t2", "foreign"]]],
      kept: (lane) =>
        lane === "broken:t1" ? new Refusal(500, "no") : saying("elsewhere:t9", "run2", "not mine"),
    });
    await load();
    assert.deepEqual(session.state, { kind: "idle" });
    assert.doesNotMatch(shown(), /not mine|lane/);
    assert.match(shown(), /^run success\nhuman: Q0\nrun success\nhuman: Q1\n$/);
  });

  it("are asked for four at a time, and sixty in one go", async () => {
    const tasks = Array.from({ length: 70 }, (_, task) => [`t${task}`, "worker"] as const);
    const streamed = tasks.map(([id, node]) => [`custom|${node}:${id}`, 1] as const);
    const { load, asked, together } = threadOf({ tasks: [tasks], bytes: streamOf(...streamed) });
    await load();
    // Which lanes there were is known once what the run streamed was read.
    for (const count of [2, 62, 70]) {
      assert.equal(asked.length, count);
      await load();
    }
    assert.equal(together(), 4);
  });
});

describe("what the runs of a thread streamed", () => {
  it("is asked for of four runs at a time, and no run that streamed something is said to be lost", async () => {
    const tasks = Array.from({ length: 12 }, (_, run) => [[`t${run}`, "plain"]] as const);
    const { session, server, load, entries } = threadOf({ tasks, bytes: streamOf(["custom", 1]) });
    await load();
    const rejoin = server.runs.rejoin.bind(server.runs);
    let [now, most] = [0, 0];
    server.runs.rejoin = async (...asked) => {
      now += 1;
      most = Math.max(most, now);
      const stream = await rejoin(...asked);
      const events = async function* () {
        yield* stream.events;
        now -= 1;
      };
      return { ...stream, events: events() };
    };
    await session.readRuns(Array.from({ length: 12 }, (_, run) => `run${run + 1}`));
    assert.equal(most, 4);
    assert.deepEqual(
      entries("run").filter(({ eventsLost, unread }) => eventsLost === true || unread === true),
      [],
    );
    await session.refresh();
    assert.deepEqual(
      entries("run").filter(({ unread }) => unread === true),
      [],
    );
  });
});
