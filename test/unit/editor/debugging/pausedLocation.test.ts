import { strict as assert } from "node:assert";
import { pausedLocation } from "../../../../src/editor/debugging/pausedLocation.ts";
import { DebugStates, pauseWords } from "../../../../src/editor/workspaceGraphs/debugStates.ts";

const told = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64");

/** A debug session that answers so. */
function session(answers: Readonly<Record<string, unknown>>) {
  return {
    customRequest: (command: string) =>
      command in answers ? Promise.resolve(answers[command]) : Promise.reject(new Error(`no ${command}`)),
  };
}

const library = { id: 1, name: "invoke", line: 7, source: { path: "/p/node_modules/l/i.js" } };
const own = { id: 2, name: "RunnableCallable.plan", line: 14, source: { path: "/p/graphs/a b.mts" } };
const elsewhere = { id: 3, name: "run", line: 3, source: { path: "/project/run.js" } };
const stop = { threadId: 1, reason: "breakpoint" };

describe("Where a debugger holds a server", () => {
  it("is the first location in the project's own sources, by the node that runs", async () => {
    const stackTrace = { stackFrames: [library, elsewhere, own] };
    const evaluate = { result: `'${told({ node: "work", threadId: "t1" })}'` };
    const pause = await pausedLocation(session({ stackTrace, evaluate }), stop, "/p");
    const location = { file: "/p/graphs/a b.mts", line: 14 };
    assert.deepEqual(pause, { node: "work", threadId: "t1", location, thrown: undefined });
    assert.equal(pauseWords(pause), "paused in work, a b.mts:14");
  });

  it("is told by the function where no node is known, also from a remote host", async () => {
    const source = { path: "vscode-remote://host%3A1/p/graphs/a%20b.mts" };
    const stackTrace = { stackFrames: [{ ...own, source }] };
    const pause = await pausedLocation(session({ stackTrace }), stop, "/p");
    assert.equal(pauseWords(pause), "paused in plan, a b.mts:14");
  });

  it("is in the project's own Python, not in what is installed for it", async () => {
    const installed = { ...library, source: { path: "/p/.venv/lib/python3.11/site-packages/l/pregel.py" } };
    const python = { id: 2, name: "plan", line: 4, source: { path: "/p/agent.py" } };
    const pause = await pausedLocation(
      session({ stackTrace: { stackFrames: [installed, python] } }),
      stop,
      "/p",
    );
    assert.equal(pauseWords(pause), "paused in plan, agent.py:4");
  });

  it("is told as far as it is known, and with what was thrown", async () => {
    const stackTrace = { stackFrames: [{ ...library, name: "Object.<anonymous>" }] };
    const exceptionInfo = { exceptionId: "Error", description: "Error: No words.\n    at x" };
    const pause = await pausedLocation(
      session({ stackTrace, exceptionInfo }),
      { ...stop, reason: "exception" },
      "/p",
    );
    assert.equal(pauseWords(pause), "paused in the debugger: Error: No words.");
  });

  it("keeps those waiting who ask the server, until it goes on or nobody debugs it", async () => {
    let changes = 0;
    const states = new DebugStates(() => (changes += 1));
    assert.equal(states.heldUntil("a"), undefined);
    states.set("a", { pausesOnExceptions: false, pause: {} });
    const wait = states.heldUntil("a");
    states.set("a", { pausesOnExceptions: false, pause: { node: "plan" } });
    states.set("a", { pausesOnExceptions: false, pause: { node: "plan" } });
    assert.equal(states.heldUntil("a"), wait);
    assert.deepEqual([states.anyHeld, states.heldUntil("b"), changes], [true, undefined, 2]);
    states.set("a", undefined);
    await wait;
    assert.deepEqual([states.anyHeld, states.heldUntil("a"), states.of("a")], [false, undefined, undefined]);
  });
});
