import { deepEqual } from "node:assert/strict";
import type { Json, Run } from "../../../../src/api/agentServer/wire.ts";
import type { KeptTask } from "../../../../src/run/history/checkpoints.ts";
import { type Attempt, questionsOf } from "../../../../src/run/history/keptQuestions.ts";

const engineId = "0123456789abcdef0123456789abcdef";

const failed = (task: KeptTask): KeptTask => ({ ...task, error: "no" });

function asking(id: string, ...questions: readonly (string | undefined)[]): KeptTask {
  const interrupts = questions.map((question) => ({
    value: "?",
    ...(question !== undefined && { id: question }),
  }));
  return { id, node: id, error: undefined, interrupts, result: undefined, messages: [], said: new Set() };
}

function attempt(runId: string, resume: Json | undefined, finished = false, status = "success"): Attempt {
  return {
    run: { run_id: runId, status } as Run,
    finished,
    resume,
    startedAt: undefined,
    endedAt: undefined,
  };
}

/** What each task did in which run: "asks" or how it ended, "lost" where that is not kept, "again" where it asks again. */
function told(
  tasks: readonly KeptTask[],
  tried: readonly Attempt[],
  coming?: number,
): Readonly<Record<string, unknown>> {
  const words = [...questionsOf(tasks, tried, coming)].map(([task, runs]) => [
    task,
    Object.fromEntries(
      [...runs].map(([run, { status, lost, again }]) => [
        run,
        [lost ? "lost" : "", lost || status !== "interrupted" ? status : "asks", again ? "again" : ""]
          .filter((word) => word !== "")
          .join(" "),
      ]),
    ),
  ]);
  return Object.fromEntries(words) as Record<string, unknown>;
}

describe("Which run asked a question", () => {
  it("is the first that came to it, and each that was answered and yet did not get on", () => {
    const task = asking("t", "q");
    deepEqual(told([task], [attempt("r", undefined)]), { t: { r: "asks" } });
    for (const resume of ["yes", { x: 1 }, { q: "yes" }, [1]])
      deepEqual(
        told([task], [attempt("r", undefined), attempt("s", resume), attempt("u", "no", true)]),
        { t: { r: "lost interrupted", s: "asks", u: "done" } },
        JSON.stringify(resume),
      );
    deepEqual(told([task], [attempt("r", undefined), attempt("s", "yes", false, "error")]), {
      t: { r: "asks", s: "stopped again" },
    });
  });

  it("is also one that was stopped with an answer, unless the node asked something else since", () => {
    const [first, stopped] = [attempt("r", undefined), attempt("s", "yes", false, "interrupted")];
    const task = asking("t", "q");
    deepEqual(told([task], [first, stopped]), { t: { r: "asks", s: "stopped again" } });
    deepEqual(told([task], [first, stopped, attempt("u", "no", true)]), {
      t: { r: "asks", s: "stopped again", u: "done" },
    });
    deepEqual(told([task], [first, stopped, attempt("u", "no", false, "interrupted")]), {
      t: { r: "asks", s: "stopped again", u: "stopped again" },
    });
    deepEqual(told([task], [first, stopped, attempt("u", "no")]), {
      t: { r: "lost interrupted", s: "stopped", u: "asks" },
    });
  });

  it("is the run that surely came to it, where one before that was stopped, maybe before it asked", () => {
    const task = asking("t", "q");
    for (const status of ["interrupted", "timeout"]) {
      const stopped = attempt("r", undefined, false, status);
      deepEqual(told([task], [stopped]), { t: { r: "asks" } });
      deepEqual(told([task], [stopped, attempt("s", undefined), attempt("u", undefined)]), {
        t: { r: "stopped", s: "asks" },
      });
      deepEqual(told([task], [stopped, attempt("s", "yes", true)]), { t: { r: "asks", s: "done" } });
      // One that was stopped, too, or failed, says as little.
      for (const other of [status, "error"])
        deepEqual(
          told([task], [stopped, attempt("s", undefined, false, other), attempt("u", { [engineId]: "yes" })]),
          { t: { r: "stopped", s: "stopped", u: "asks" } },
        );
    }
  });

  it("is none that failed on its answer, and each failure but the last is lost", () => {
    const [first, wrong] = [attempt("r", undefined), attempt("s", "no", false, "error")];
    const task = failed(asking("t", "q"));
    deepEqual(told([task], [first, wrong]), { t: { r: "asks", s: "error" } });
    deepEqual(told([task], [first, wrong, attempt("u", { q: 1 }, true)]), {
      t: { r: "asks", s: "error", u: "done" },
    });
    // What is run on without an answer has the one before.
    deepEqual(told([task], [first, wrong, attempt("u", undefined, false, "error")]), {
      t: { r: "asks", s: "lost error", u: "error" },
    });
    deepEqual(told([task], [first, wrong, attempt("u", "ok"), attempt("v", "ok", true)]), {
      t: { r: "lost interrupted", s: "error", u: "asks", v: "done" },
    });
    const beside = asking("o", "p");
    deepEqual(
      told([task, beside], [first, attempt("s", { q: 1 }, false, "error"), attempt("u", { p: 1 }, true)]),
      {
        t: { r: "asks", s: "error", u: "done" },
        o: { r: "asks", u: "done" },
      },
    );
  });

  it("is none that goes on with its answer, until that run is stopped", () => {
    const task = asking("t", "q");
    for (const [status, word] of [
      ["interrupted", "stopped again"],
      ["timeout", "stopped again"],
      ["running", "running"],
    ] as const)
      deepEqual(told([task], [attempt("r", undefined), attempt("s", "yes", false, status)]), {
        t: { r: "asks", s: word },
      });
  });

  it("is none that brought an answer to another question, or no answer", () => {
    const task = asking("t", "q");
    for (const resume of [undefined, { [engineId]: "yes" }])
      deepEqual(told([task], [attempt("r", undefined), attempt("s", resume)]), { t: { r: "asks" } });
    deepEqual(told([asking("t", undefined)], [attempt("r", undefined), attempt("s", { [engineId]: 1 })]), {
      t: { r: "asks" },
    });
  });

  it("is none that answered the last but one beside one that lost its answer, where so many nodes still come", () => {
    const all = [asking("t", "q"), asking("u", "p")];
    const tried = [
      attempt("r", undefined),
      attempt("s", { q: 1 }, false, "interrupted"),
      attempt("v", undefined),
      attempt("w", { p: 2 }),
    ];
    deepEqual(told(all, tried, 1)["u"], { r: "asks", w: "done" });
    // Two that come asked again.
    deepEqual(told(all, tried, 2)["u"], { r: "lost interrupted", w: "asks" });
    deepEqual(told(all, [...tried, attempt("x", { p: 2 }, false, "interrupted")], 1)["u"], {
      r: "lost interrupted",
      w: "asks",
      x: "stopped again",
    });
  });

  it("is none whose question another one beside it was only then asked", () => {
    const both = [asking("t", "q"), asking("u", "p")];
    const stopped = attempt("r", undefined, false, "interrupted");
    deepEqual(told(both, [stopped, attempt("s", { p: 2 })]), {
      t: { r: "stopped", s: "asks" },
      u: { r: "asks", s: "done" },
    });
  });

  it("is that of the node whose answer was stopped, where another one is answered then and neither gets on", () => {
    const both = [asking("t", "q"), asking("u", "p")];
    const stopped = attempt("s", { q: 1 }, false, "interrupted");
    deepEqual(told(both, [attempt("r", undefined), stopped, attempt("v", { p: 2 })]), {
      t: { r: "asks", s: "stopped", v: "asks" },
      u: { r: "asks", v: "done" },
    });
  });

  it("is told for each of several, of which an answer may be for one", () => {
    const both = [asking("t", "q"), asking("u", "p")];
    deepEqual(told(both, [attempt("r", undefined), attempt("s", { q: 1 }), attempt("v", { p: 2 }, true)]), {
      t: { r: "asks", s: "done" },
      u: { r: "asks", v: "done" },
    });
    deepEqual(told([asking("t", "q"), asking("plain")], [attempt("r", undefined)]), { t: { r: "asks" } });
    deepEqual(told(both, []), { t: {}, u: {} });
  });
});
