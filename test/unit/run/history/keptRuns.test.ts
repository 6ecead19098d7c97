import { strict as assert } from "node:assert";
import type { Json, JsonObject, Run, RunStatus, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { keptRuns } from "../../../../src/run/history/keptRuns.ts";

type Task = Readonly<{
  name: string;
  result?: Json;
  error?: string;
  asks?: readonly (readonly [string, Json])[];
}>;

const begun = Date.parse("2026-11-22T12:00:00Z");
const at = (second: number): string => new Date(begun + second * 1000).toISOString();

/** A run that went on from one second to another. */
function run(id: string, from: number, to: number, kwargs: JsonObject, status: RunStatus = "success"): Run {
  const [created_at, updated_at] = [at(from), at(to)];
  return {
    run_id: id,
    thread_id: "t",
    assistant_id: "a",
    status,
    created_at,
    updated_at,
    metadata: {},
    kwargs,
  };
}

/** The state after a step of a run, as a server tells it. */
function state(
  id: string,
  second: number,
  about: { readonly parent?: string; readonly run?: string; readonly source?: string },
  values: JsonObject,
  tasks: readonly Task[] = [],
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    values,
    next: tasks.map(({ name }) => name),
    tasks: tasks.map(({ name, result, error, asks = [] }) => ({
      id: `${id}-${name}`,
      name,
      error: error ?? null,
      result: result ?? null,
      interrupts: asks.map(([asked, value]) => ({ id: asked, value })),
    })),
    metadata: { source: about.source ?? "loop", ...(about.run !== undefined && { run_id: about.run }) },
    created_at: at(second),
    checkpoint: checkpoint(id),
    parent_checkpoint: about.parent === undefined ? null : checkpoint(about.parent),
  };
}

/** What is kept, in short: the steps of each run, with what they asked, said and wrote. */
function told(
  runs: readonly Run[],
  newestFirst: readonly ThreadState[],
  graph?: "subgraph",
): readonly string[] {
  const checkpoints = new Checkpoints();
  for (const one of newestFirst) checkpoints.add([one]);
  return keptRuns(runs, checkpoints, graph).map(({ runId, input, steps }) => {
    const lines = steps.map((step) => {
      const parts = [
        `${step.node} ${step.status}`,
        step.wrote === undefined ? "" : `wrote ${step.wrote.keys.join(" ")}`,
        step.messages.length === 0 ? "" : `said ${JSON.stringify(step.messages)}`,
        step.questions.length === 0 ? "" : `asked ${step.questions.map(({ id }) => id).join(" ")}`,
        step.lostQuestion ? "asked what is lost" : "",
        step.lostError ? "failed with what is lost" : "",
        step.error === undefined ? "" : `failed: ${JSON.stringify(step.error)}`,
        step.outcome.length === 0 ? "" : `left ${step.outcome.join(" ")}`,
        step.endedAt === undefined ? "" : `${(step.endedAt - (step.startedAt ?? 0)) / 1000} s`,
      ];
      return parts.filter((part) => part !== "").join(", ");
    });
    return [runId, ...(input.length === 0 ? [] : [`given ${JSON.stringify(input)}`]), ...lines].join(" | ");
  });
}

const id = "0123456789abcdef0123456789abcdef";
const other = "fedcba9876543210fedcba9876543210";

describe("what checkpoints tell of runs", () => {
  it("is which node ran how long, what it wrote, and what was new in the conversation behind it", () => {
    const [said, answer] = [
      { type: "human", id: "1", content: "Hi" },
      { type: "ai", id: "2", content: "Ho" },
    ];
    const history = [
      state("c", 5, { parent: "b", run: "r" }, { messages: [said, answer], score: 1 }),
      state("b", 2, { parent: "a", run: "r" }, { messages: [said] }, [
        { name: "model", result: { messages: [{ ...answer, id: null }], score: 1 } },
      ]),
      state("a", 1, { run: "r", source: "input" }, { messages: [] }, [{ name: "__start__" }]),
    ];
    assert.deepEqual(told([run("r", 0, 6, { input: {} })], history), [
      'r | given [{"type":"human","id":"1","content":"Hi"}] | model done, wrote messages score, said [{"type":"ai","id":"2","content":"Ho"}], 3 s',
    ]);
  });

  it("is no message where a step only wrote something else beside the same conversation", () => {
    const messages = [{ type: "human", id: "1", content: "Hi" }];
    const history = [
      state("b", 2, { parent: "a", run: "r" }, { messages, score: 2 }),
      state("a", 1, { run: "r" }, { messages, score: 1 }, [{ name: "grade" }]),
    ];
    assert.deepEqual(told([run("r", 0, 3, { input: {} })], history), [
      'r | given [{"type":"human","id":"1","content":"Hi"}] | grade done, wrote score, 1 s',
    ]);
  });

  it("is what a person wrote for a run to go on from, and what the thread left behind", () => {
    const said = (key: string) => ({ type: "human", id: key, content: key });
    const runs = [
      run("r", 0, 3, { input: {} }),
      run("s", 10, 13, { input: null }),
      run("t", 20, 23, { input: null }),
    ];
    const written = { parent: "a", source: "update" };
    const history = [
      state("g", 22, { parent: "f", run: "t" }, { messages: [said("1"), said("3")], n: 3 }),
      state("f", 20, { ...written, parent: "b" }, { messages: [said("1"), said("3")] }, [{ name: "model" }]),
      state("e", 12, { parent: "d", run: "s" }, { messages: [said("2")], n: 2 }),
      state("d", 10, written, { messages: [said("2")] }, [{ name: "model" }]),
      state("c", 2, { parent: "b", run: "r" }, { messages: [said("1")], n: 1 }),
      state("b", 1, { parent: "a", run: "r" }, { messages: [said("1")] }, [{ name: "model" }]),
      state("a", 0, { run: "r", source: "input" }, { messages: [] }, [{ name: "__start__" }]),
    ];
    const checkpoints = new Checkpoints();
    checkpoints.add(history);
    assert.deepEqual(
      keptRuns(runs, checkpoints).map(({ runId, input, left }) => [runId, input, left]),
      [
        ["r", [said("1")], "part"],
        ["s", [said("2")], "whole"],
        ["t", [said("3")], undefined],
      ],
    );
    const parentless = new Checkpoints();
    parentless.add(history.map((one) => ({ ...one, parent_checkpoint: null })));
    assert.deepEqual(new Set(keptRuns(runs, parentless).map(({ left }) => left)), new Set([undefined]));
  });

  it("is a question where it was asked, and its node again where it was answered", () => {
    const runs = [run("r", 0, 3, { input: {} }), run("s", 60, 70, { command: { resume: "yes" } })];
    const history = [
      state("b", 65, { parent: "a", run: "s" }, { sure: true }),
      state("a", 1, { run: "r", parent: "x" }, {}, [{ name: "ask", asks: [[id, "Sure?"]] }]),
    ];
    assert.deepEqual(told(runs, history), [
      `r | ask interrupted, asked ${id}, left interrupts, 2 s`,
      "s | ask done, wrote sure, 5 s",
    ]);
  });

  it("is the answer to one of two questions, though the server keeps it only with the other", () => {
    const asks: readonly Task[] = [
      { name: "one", asks: [[id, 1]] },
      { name: "two", asks: [[other, 2]] },
    ];
    const runs = [
      run("r", 0, 2, { input: {} }),
      run("s", 10, 12, { command: { resume: { [other]: "b" } } }),
      run("t", 20, 22, { command: { resume: { [id]: "a" } } }),
    ];
    const history = [
      state("b", 21, { parent: "a", run: "t" }, { answers: ["a", "b"] }),
      state("a", 1, { run: "r" }, {}, asks),
    ];
    assert.deepEqual(told(runs, history), [
      `r | one interrupted, asked ${id}, left interrupts, 1 s | two interrupted, asked ${other}, left interrupts, 1 s`,
      "s | two done, wrote answers, 2 s",
      "t | one done, wrote answers, 1 s",
    ]);
  });

  it("says that a question is lost where its node asked another one later", () => {
    const runs = [
      run("r", 0, 2, { input: {} }),
      run("s", 10, 12, { command: { resume: { [id]: "first" } } }),
      run("t", 20, 22, { command: { resume: { [id]: "second" } } }),
    ];
    const history = [
      state("b", 21, { parent: "a", run: "t" }, { done: true }),
      state("a", 1, { run: "r" }, {}, [{ name: "ask", asks: [[id, "And now?"]] }]),
    ];
    assert.deepEqual(told(runs, history), [
      "r | ask interrupted, asked what is lost, 1 s",
      `s | ask interrupted, asked ${id}, left interrupts, 2 s`,
      "t | ask done, wrote done, 1 s",
    ]);
  });

  it("is in which step a run failed, with what only of the last one that tried, and which others were cut short", () => {
    const runs = [
      run("r", 0, 4, { input: {} }, "error"),
      run("s", 10, 11, { input: null }, "error"),
      run("t", 20, 21, { input: {} }, "interrupted"),
    ];
    const history = [
      state("d", 20.5, { parent: "c", run: "t" }, {}, [{ name: "slow" }]),
      state("c", 20, { parent: "b", run: "t", source: "input" }, {}, [{ name: "__start__" }]),
      state("b", 2, { parent: "a", run: "r" }, {}, [
        { name: "bad", error: "no" },
        { name: "good", result: { x: 1 } },
        { name: "late" },
      ]),
      state("a", 1, { run: "r", source: "input" }, {}, []),
    ];
    assert.deepEqual(told(runs, history), [
      "r | bad error, failed with what is lost, 2 s | good done, wrote x, left result, 2 s | late stopped, 2 s",
      's | bad error, failed: "no", left error, 1 s | good done, wrote x, left result, 1 s | late stopped, 1 s',
      "t | slow stopped, 0.5 s",
    ]);
  });

  it("leaves out what did not run: nodes behind a breakpoint, and what a new input left behind", () => {
    const runs = [run("r", 0, 2, { input: {} }), run("s", 10, 12, { input: {} })];
    const history = [
      state("c", 12, { parent: "b", run: "s" }, { x: 1 }),
      state("b", 11, { parent: "a", run: "s", source: "input" }, {}, []),
      state("a", 1, { run: "r" }, {}, [{ name: "next" }]),
    ];
    assert.deepEqual(told(runs, history), ["r", "s"]);
  });

  it("is what a node said beside one that asks, in the run that ran it, before and after the answer", () => {
    const runs = [run("r", 0, 2, { input: {} }), run("s", 3, 5, { command: { resume: { [id]: 1 } } })];
    const [said, own] = [
      { type: "ai", id: "1", content: "Hi" },
      { type: "ai", id: "2", content: "Ho" },
    ];
    const asked = state("a", 1, { run: "r", source: "input" }, { messages: [] }, [
      { name: "ask", asks: [[id, "Who?"]] },
      { name: "say", result: { messages: [said] } },
    ]);
    const first = [
      `r | ask interrupted, asked ${id}, left interrupts, 1 s`,
      `say done, wrote messages, said [${JSON.stringify(said)}], left result, 1 s`,
    ].join(" | ");
    assert.deepEqual(told(runs.slice(0, 1), [asked]), [first]);
    const after = state("b", 4, { parent: "a", run: "s" }, { messages: [own, said] });
    assert.deepEqual(told(runs, [after, asked]), [
      first,
      `s | ask done, wrote messages, said [${JSON.stringify(own)}], 1 s`,
    ]);
  });

  it("is before which nodes a run stopped at a breakpoint, which asked and ran nothing there", () => {
    const stops = (one: Run, tasks: readonly Task[]): readonly string[] => {
      const checkpoints = new Checkpoints();
      checkpoints.add([state("a", 1, { run: "r" }, {}, tasks)]);
      return keptRuns([one], checkpoints).flatMap(({ stoppedBefore }) => stoppedBefore);
    };
    const [well, cut] = [run("r", 0, 2, {}), run("r", 0, 2, {}, "interrupted")];
    assert.deepEqual(stops(well, [{ name: "send" }, { name: "log" }]), ["send", "log"]);
    assert.deepEqual(stops(cut, [{ name: "send" }]), []);
    assert.deepEqual(stops(run("r", 0, 2, {}, "error"), [{ name: "send" }]), []);
    assert.deepEqual(stops(well, [{ name: "ask", asks: [[id, "Who?"]] }, { name: "send" }]), []);
    assert.deepEqual(stops(well, []), []);
  });

  it("is what a run of later asked or did behind a breakpoint, and nothing of that of the one which stopped there", () => {
    const asks = { name: "ask", asks: [[id, "Who?"]] as const };
    const went = run("s", 10, 11, { input: null });
    const kept = (kwargs: JsonObject): readonly string[] => {
      const runs = [run("r", 0, 2, { input: {}, ...kwargs }), went];
      const history = [
        state("b", 1, { parent: "a", run: "r" }, {}, [asks]),
        state("a", 0.5, { run: "r", source: "input" }, {}, [{ name: "model" }]),
      ];
      const checkpoints = new Checkpoints();
      checkpoints.add(history);
      const stops = keptRuns(runs, checkpoints).map(({ stoppedBefore }) => stoppedBefore.join(" "));
      return [...told(runs, history), ...stops];
    };
    const stopped = [
      "r | model done, wrote , 0.5 s",
      `s | ask interrupted, asked ${id}, left interrupts, 1 s`,
    ];
    for (const kwargs of [{ interrupt_before: ["ask"] }, { interrupt_before: "*" }])
      assert.deepEqual(kept(kwargs), [...stopped, "ask", ""]);
    assert.deepEqual(kept({ interrupt_after: ["model"] }), [...stopped, "ask", ""]);
    for (const kwargs of [{ interrupt_before: ["model"] }, { interrupt_after: ["ask"] }, {}])
      assert.match(kept(kwargs)[0] ?? "", /ask interrupted/);
  });

  it("is the step of a subgraph that failed on an answer, which made no state of its own there", () => {
    const runs = [run("r", 0, 2, {}), run("s", 3, 4, { command: { resume: { q: 1 } } }, "error")];
    const tasks = [{ name: "ask", asks: [["q", "Who?"]] as const, error: "no" }];
    const history = [state("a", 1, { run: "r", source: "input" }, {}, tasks)];
    assert.deepEqual(told(runs, history, "subgraph"), [
      "r | ask interrupted, asked q, left interrupts, 1 s",
      's | ask error, failed: "no", left error, 1 s',
    ]);
  });

  it("is a step without a name where a subgraph's node is not kept", () => {
    const said = { type: "ai", id: "1", content: "Ho" };
    const history = [
      state("d", 4, { parent: "c", run: "r" }, { messages: [said] }),
      state("c", 3, { parent: "b", run: "r" }, { messages: [] }),
      state("b", 1, { parent: "a", run: "r" }, { messages: [] }),
      state("a", 1, { run: "r", source: "input" }, {}),
    ];
    const runs = [run("r", 0, 5, { input: {} })];
    assert.deepEqual(told(runs, history, "subgraph"), [
      `r |  done, wrote , 2 s |  done, wrote messages, said ${JSON.stringify([said])}, 1 s`,
    ]);
    assert.deepEqual(told(runs, history), [`r |  done, wrote messages, said ${JSON.stringify([said])}, 1 s`]);
  });

  it("does without the runs of checkpoints, and without parents that nobody has", () => {
    const runs = [run("r", 0, 5, { input: {} }), run("s", 10, 15, { input: null })];
    const history = [
      state("c", 12, { parent: "b" }, { x: 2 }),
      state("b", 11, { parent: "unknown" }, { x: 1 }, [{ name: "two", result: { x: 2 } }]),
      state("a", 2, { parent: "nobody's" }, {}, [{ name: "one", result: { x: 1 } }]),
    ];
    assert.deepEqual(told(runs, history), ["r", "s | two done, wrote x, 1 s"]);
  });

  it("tells messages apart by id, by the call that they answer, and else by what they say", () => {
    const said = ["Hi", { type: "human", content: "Hi" }, { type: "ai", content: "Hi" }];
    const answers = [
      { type: "tool", tool_call_id: "1", content: "same" },
      { type: "tool", tool_call_id: "2", content: "same" },
    ];
    const history = [
      state("b", 2, { parent: "a", run: "r" }, { messages: [...said, ...answers, "Ho"] }, []),
      state("a", 1, { parent: "x", run: "r" }, { messages: [...said, answers[0] ?? ""] }, [
        { name: "tools" },
      ]),
    ];
    assert.deepEqual(told([run("r", 0, 3, { input: {} })], history), [
      `r | tools done, wrote messages, said ${JSON.stringify([answers[1], "Ho"])}, 1 s`,
    ]);
  });

  it("is done beside a node that asks, where the run ended well, and not run again with the answer", () => {
    const beside: readonly Task[] = [
      { name: "ask", asks: [[id, "Sure?"]] },
      { name: "work", result: { x: 1 } },
      { name: "silent" },
    ];
    const runs = [run("r", 0, 2, { input: {} }), run("s", 10, 12, { command: { resume: { [id]: "yes" } } })];
    const history = [
      state("b", 11, { parent: "a", run: "s" }, { x: 1, sure: true }),
      state("a", 1, { run: "r" }, {}, beside),
    ];
    assert.deepEqual(told(runs, history), [
      `r | ask interrupted, asked ${id}, left interrupts, 1 s | work done, wrote x, left result, 1 s | silent done, wrote x sure, 1 s`,
      "s | ask done, wrote x sure, 1 s",
    ]);
    const [first, second] = runs;
    const failed = told([{ ...(first ?? assert.fail()), status: "error" }, second ?? assert.fail()], history);
    assert.match(failed[0] ?? "", /work stopped, .* silent stopped/);
    assert.match(failed[1] ?? "", /ask done, .* work done, .* silent done/);
  });
});
