import { strict as assert } from "node:assert";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { keptRuns } from "../../../../src/run/history/keptRuns.ts";
import { run, state, told } from "./toldRuns.ts";

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
    const stopped = run("s", 10, 11, { input: null }, "interrupted");
    const [first] = told([run("r", 0, 4, { input: {} }, "error"), stopped], history);
    assert.match(
      first ?? "",
      /^r \| bad error, failed with what may be lost, failed: "no", left error, 2 s \|/,
    );
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

  it("is told of many thousand runs about as fast as of few, for each", () => {
    const took = (count: number): number => {
      const runs = Array.from({ length: count }, (_, at) => run(`r${at}`, 2 * at, 2 * at + 1, { input: {} }));
      const checkpoints = new Checkpoints();
      checkpoints.add(
        runs
          .map(({ run_id: id }, at) => state(id, 2 * at, { run: id }, {}, [{ name: "model" }]))
          .toReversed(),
      );
      const begun = performance.now();
      assert.equal(keptRuns(runs, checkpoints).length, count);
      return performance.now() - begun;
    };
    took(1000);
    const [few, many] = [took(1000), took(20_000)];
    assert.ok(many < 1000 + 100 * few, `${String(few)} ms, ${String(many)} ms`);
  });
});
