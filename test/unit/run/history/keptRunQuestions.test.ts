import { strict as assert } from "node:assert";
import type { JsonObject, Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { keptRuns } from "../../../../src/run/history/keptRuns.ts";
import { run, state, told, type Task } from "./toldRuns.ts";

const id = "0123456789abcdef0123456789abcdef";
const other = "fedcba9876543210fedcba9876543210";

describe("what checkpoints tell of questions and breakpoints", () => {
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
    const isInState = (...history: readonly ThreadState[]): boolean | undefined => {
      const checkpoints = new Checkpoints();
      checkpoints.add(history);
      return keptRuns(runs, checkpoints)[0]?.steps.find(({ node }) => node === "say")?.isInState;
    };
    assert.deepEqual([isInState(asked), isInState(after, asked)], [false, true]);
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
