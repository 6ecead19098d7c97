import { deepEqual, equal } from "node:assert/strict";
import type { Run } from "../../../../src/api/agentServer/wire.ts";
import { runFacts } from "../../../../src/run/session/hydration.ts";

const run: Run = {
  ...{ run_id: "r", thread_id: "t", assistant_id: "a", status: "success", metadata: {}, kwargs: {} },
  created_at: "2026-11-22T12:00:00Z",
  updated_at: "2026-11-22T12:00:05Z",
};

describe("What a run object says of a run", () => {
  it("is who ran, how it stands, since when, and until when it did once it is over", () => {
    const startedAt = Date.parse(run.created_at);
    const facts = { runId: "r", assistantId: "a", status: "success", startedAt, endedAt: startedAt + 5000 };
    deepEqual(runFacts(run), facts);
    deepEqual(runFacts({ ...run, multitask_strategy: "enqueue" }), { ...facts, strategy: "enqueue" });
    deepEqual(Object.keys(runFacts({ ...run, status: "running" })).includes("endedAt"), false);
    deepEqual(runFacts({ ...run, created_at: "soon", updated_at: "late", multitask_strategy: null }), {
      ...{ runId: "r", assistantId: "a", status: "success" },
    });
  });

  it("is where its trace is, where its metadata has the address", () => {
    const trace = (metadata: unknown): unknown =>
      runFacts({ ...run, metadata: metadata as Run["metadata"] }).trace;
    for (const name of ["trace_url", "traceUrl", "TRACE_LINK", "langsmith_trace_url", "tracelink"])
      equal(trace({ other: 1, [name]: "https://t.example/r" }), "https://t.example/r", name);
    equal(trace({ trace_url: "http://t.example/" }), "http://t.example/");
    for (const none of [
      { mytraceurl: "https://t.example/" },
      { trace_url_of: "https://t.example/" },
      { trace_url: "ftp://t.example/" },
      { trace_url: "nowhere" },
      { trace_url: 7 },
      null,
      [],
    ])
      equal(trace(none), undefined, JSON.stringify(none));
  });
});
