import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Json, JsonObject, Run } from "../../../../src/api/agentServer/wire.ts";
import type { Clock } from "../../../../src/api/retry.ts";
import type { StateNow } from "../../../../src/run/fold/threadState.ts";
import { mostNested } from "../../../../src/run/json/json.ts";
import {
  assistantIn,
  isOfRun,
  NestingError,
  readRun,
  readRunsOf,
  readState,
  readThread,
  readWithoutState,
  type SessionParts,
  statusOf,
  stopRun,
} from "../../../../src/run/session/server.ts";
import { Refusal, ScriptedServer, stateOf, streamOf } from "./scriptedServer.ts";

const nested = (levels: number): Json => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json;

function threadWith(server: ScriptedServer, signal: AbortSignal = new AbortController().signal) {
  return { server, threadId: "thread", signal };
}

function withRuns(...ids: readonly string[]): {
  readonly server: ScriptedServer;
  readonly runs: readonly Run[];
} {
  const server = new ScriptedServer();
  const first = server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: {} });
  const runs = ids.map((run_id) => ({ ...first, run_id }));
  server.runs.list = () => Promise.resolve(runs);
  return { server, runs };
}

describe("What a thread is now", () => {
  it("is its state and its runs, which are read again where the state is of none of them", async () => {
    for (const [madeBy, lists] of [
      ["r1", 1],
      ["unknown", 2],
      [undefined, 1],
    ] as const) {
      const { server } = withRuns("r1");
      server.state = { ...server.state, ...(madeBy !== undefined && { metadata: { run_id: madeBy } }) };
      let asked = 0;
      const list = server.runs.list.bind(server.runs);
      server.runs.list = (...call) => {
        asked += 1;
        return list(...call);
      };
      const now = await readThread(threadWith(server));
      deepEqual([now.runs.map(({ run_id }) => run_id), now.nameless, asked], [["r1"], 0, lists]);
    }
  });

  it("is made by a known run, or by nobody known", () => {
    const isKnown = (runId: string): boolean => runId === "r1";
    const of = (metadata: JsonObject | null): boolean => isOfRun({ ...stateOf({}), metadata }, isKnown);
    deepEqual(
      [of({ run_id: "r1" }), of({ run_id: "r2" }), of({ run_id: 7 }), of({}), of(null)],
      [true, false, true, true, true],
    );
  });

  it("has what its row says, where there is one and it can be read", async () => {
    const { server } = withRuns();
    const row = { status: "idle" };
    const state = async (read?: () => Promise<typeof row | undefined>): Promise<StateNow> => {
      Object.assign(server.threads, { row: read });
      return readState(threadWith(server));
    };
    deepEqual((await state(() => Promise.resolve(row))).row, row);
    for (const none of [undefined, () => Promise.resolve(undefined), () => Promise.reject(new Error("no"))])
      equal("row" in (await state(none)), false);
  });

  it("can't be told where its state or its row is nested too deep", async () => {
    const { server } = withRuns();
    // The state is a level of its own, and so are its values.
    server.state = stateOf({ deep: nested(mostNested - 2) });
    equal((await readState(threadWith(server))).values["deep"] !== undefined, true);
    server.state = stateOf({ deep: nested(mostNested - 1) });
    await rejects(readState(threadWith(server)), NestingError);
    server.state = stateOf({});
    Object.assign(server.threads, { row: () => Promise.resolve({ config: { deep: nested(mostNested) } }) });
    await rejects(readState(threadWith(server)), NestingError);
  });

  it("is its runs alone where nothing can show its state", async () => {
    const { server } = withRuns("r1");
    const { state, runs } = await readWithoutState(threadWith(server));
    deepEqual([state, runs.length], [stateOf({}), 1]);
  });

  it("has no input of a run that is nested too deep, and no runs without an id", async () => {
    const { server, runs } = withRuns("r1", "r2");
    const list = [
      { ...runs[0], kwargs: { input: nested(mostNested) } },
      { ...runs[1], kwargs: { input: nested(mostNested - 1) } },
      { ...runs[0], run_id: "" },
      { ...runs[0], run_id: 7 },
      null,
    ];
    server.runs.list = () => Promise.resolve(list as readonly Run[]);
    const now = await readRunsOf(threadWith(server), stateOf({}));
    deepEqual(
      now.runs.map(({ run_id, kwargs }) => [run_id, kwargs?.["input"] !== undefined]),
      [
        ["r1", false],
        ["r2", true],
      ],
    );
    equal(now.nameless, 3);
  });

  it("names who runs it: its newest run, the only one there is, or what its row says", () => {
    const runs = withRuns("r1").runs;
    const who = (own: readonly Run[], sole: string | undefined, metadata?: Record<string, Json>): unknown =>
      assistantIn(
        {
          state: { ...stateOf({}), ...(metadata && { row: { status: "idle", metadata } }) },
          runs: own,
          nameless: 0,
        },
        Object.assign(new ScriptedServer(), { soleAssistant: sole }),
      );
    const both = { assistant_id: "assistant", graph_id: "graph" };
    equal(who(runs, "sole", both), "chat");
    equal(who([], "sole", both), "sole");
    equal(who([], undefined, both), "assistant");
    equal(who([], undefined, { assistant_id: 7, graph_id: "graph" }), "graph");
    equal(who([], undefined, {}), undefined);
    equal(who([], undefined), undefined);
  });

  it("is asked with errors of which some carry a status", () => {
    deepEqual(
      [new Refusal(404, "no"), { status: "404" }, new Error("no"), null, "404", undefined].map(statusOf),
      [404, undefined, undefined, undefined, undefined, undefined],
    );
  });
});

describe("What a run is now", () => {
  it("is to be asked for again after a transient failure, and not after another one", async () => {
    const { server } = withRuns("run1");
    const read = async (error: Error, signal?: AbortSignal): Promise<unknown> => {
      server.runs.get = () => Promise.reject(error);
      return readRun(threadWith(server, signal), "run1");
    };
    equal(await read(new Refusal(503, "busy")), undefined);
    equal(await read(new Error("refused")), undefined);
    await rejects(read(new Refusal(404, "gone")), { status: 404 });
    await rejects(read(new Error("refused"), AbortSignal.abort()), /refused/);
  });

  it("is asked for ever less often while it stops, for half a minute", async () => {
    const { server, runs } = withRuns("run1");
    const times: number[] = [];
    const calls: string[] = [];
    let now = 0;
    const clock: Clock = {
      now: () => now,
      random: () => 0,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    };
    let endsAt = Infinity;
    server.runs.cancel = () => Promise.resolve(void calls.push("cancel"));
    server.runs.get = () => {
      times.push(now);
      const [run] = runs;
      return Promise.resolve({ ...(run as Run), status: now >= endsAt ? "interrupted" : "running" });
    };
    const parts = { ...threadWith(server), clock } as unknown as SessionParts;
    equal(await stopRun(parts, "run1"), undefined);
    const seconds = Array.from({ length: 15 }, (_, index) => 3000 + index * 2000);
    deepEqual(times, [200, 600, 1400, ...seconds]);
    deepEqual(calls, ["cancel"]);
    times.length = now = 0;
    endsAt = 600;
    equal((await stopRun(parts, "run1"))?.status, "interrupted");
    deepEqual(times, [200, 600]);
  });

  it("is not asked for any more at the end of that half minute", async () => {
    const { server } = withRuns("run1");
    let [now, asked] = [0, 0];
    const clock: Clock = {
      now: () => now,
      random: () => 0,
      sleep: () => {
        now += 15_000;
        return Promise.resolve();
      },
    };
    server.runs.cancel = () => Promise.resolve();
    server.runs.get = () => {
      asked += 1;
      return Promise.reject(new Error("refused"));
    };
    equal(await stopRun({ ...threadWith(server), clock } as unknown as SessionParts, "run1"), undefined);
    equal(asked, 2);
  });
});
