import { strict as assert } from "node:assert";
import { ServerLog } from "../../../../src/editor/workspaceGraphs/serverLog.ts";

const loading = "\u001b[32minfo\u001b[39m:    \u001b[32m▪\u001b[0m \u001b[32mStarting server...\u001b[39m\n";
const ready = "info:    ▪ Server running at 127.0.0.1:4100\n";
const reload =
  "3:01:10 AM [tsx] change in ./graphs/a.mts Restarting...\ninfo:    ▪ Flushing to persistent storage, exiting...\n";

describe("The log of a graph server", () => {
  const read = (...parts: readonly string[]): ServerLog => {
    const log = new ServerLog("/home/p");
    for (const part of parts) log.take(part);
    return log;
  };

  it("tells whether the graphs are loading, loaded or about to be loaded again", () => {
    assert.equal(read(loading).phase, "loading");
    assert.equal(read(loading, ready).phase, "ready");
    assert.equal(read(loading, ready, reload).phase, "ending");
    assert.equal(read(loading, ready, reload, loading).loads, 2);
  });

  it("names the source that was saved, for the load that it caused", () => {
    const saved = (...parts: readonly string[]) => read(loading, ready, ...parts).savedFile;
    assert.deepEqual(
      [saved(), saved(reload), saved(reload, loading), saved(reload, loading, ready, loading)],
      [undefined, undefined, "graphs/a.mts", undefined],
    );
  });

  it("names langgraph.json and the env file, too, for which the command line starts its server again", () => {
    const detected = "warn:    ▪ Detected changes in .env, restarting server\n";
    assert.equal(read(loading, ready, detected).phase, "ending");
    assert.equal(read(loading, ready, detected, loading).savedFile, ".env");
  });

  it("is the same read in pieces of any size", () => {
    const text = loading + ready + reload + loading;
    const whole = read(text);
    const pieces = read(...text.match(/[^]/g)!);
    assert.deepEqual([pieces.text, pieces.phase, pieces.loads], [whole.text, whole.phase, whole.loads]);
    assert(!whole.text.includes("\u001b"));
  });

  it("names the line of a source that is no TypeScript", () => {
    const { error } = read(
      loading,
      'error:   ▪ Error: Transform failed with 1 error:\n/home/p/graphs/a.ts:9:14: ERROR: Expected ";" but found "=="\n',
      "    at failureErrorWithLog (/home/p/node_modules/esbuild/lib/main.js:1752:15)\n",
    );
    assert.deepEqual(error, {
      message: 'Expected ";" but found "=="',
      location: { file: "/home/p/graphs/a.ts", line: 9, column: 14 },
      graph: undefined,
    });
  });

  it("names the first line of the project in the stack of a graph that does not compile", () => {
    const { error } = read(
      loading,
      "error:   ▪ UnreachableNodeError: Node `work` is not reachable.\n\nMake sure.\n",
      "    at StateGraph.compile (/home/p/node_modules/@langchain/langgraph/src/graph/state.ts:1452:19)\n",
      "    at <anonymous> (/home/p/graphs/a.mts:27:4)\n      26 |   .addEdge()\n    > 27 |   .compile();\n",
      "    at async Promise.all (index 0)\n",
    );
    assert.equal(error?.message, "UnreachableNodeError: Node `work` is not reachable.");
    assert.deepEqual(
      [error.location, error.graph],
      [{ file: "/home/p/graphs/a.mts", line: 27, column: 4 }, 0],
    );
  });

  it("names the graph whose export is missing", () => {
    const { error } = read(
      loading,
      "error:   ▪ Error: Failed to load graph: graph is nullush\n    at async Promise.all (index 1)\n    at async Promise.all (index 0)\n",
    );
    assert.deepEqual([error?.location, error?.graph], [undefined, 1]);
    assert.match(error?.message ?? "", /^A graph is not exported by the source/);
  });

  it("names no location of a neighbour folder, of Node or of a package", () => {
    const { error } = read(
      loading,
      "error:   ▪ Error: no\n    at a (/home/p2/a.ts:1:2)\n    at b (node:fs:1:2)\n    at c (file:///home/p/node_modules/c.js:1:2)\n",
    );
    assert.equal(error?.location, undefined);
  });

  it("forgets the error when the graphs are loaded again", () => {
    assert.equal(read(loading, "error:   ▪ Error: no\n", loading).error, undefined);
  });

  it("keeps a bounded part of what was said, and says so", () => {
    const lines = Array.from({ length: 25_000 }, (_, index) => `line ${String(index)}\n`).join("");
    const { text } = read(lines);
    const kept = text.split("\n");
    assert.deepEqual([...kept.slice(0, 2), kept.length], ["… 10000 lines trimmed", "line 10000", 15_002]);
  });
});
