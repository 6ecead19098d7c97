import { deepEqual, equal, match, rejects } from "node:assert/strict";
import type { SseEvent } from "../../../../src/api/exchange.ts";
import type { Run } from "../../../../src/api/agentServer/wire.ts";
import type { Clock } from "../../../../src/api/retry.ts";
import { Follower, withRunId } from "../../../../src/run/session/follower.ts";
import type { EventBatches } from "../../../../src/run/session/server.ts";
import { Refusal, ScriptedServer, streamOf } from "./scriptedServer.ts";

const event = (id: string): SseEvent => ({ id, event: "custom", data: id });

/** A clock that says what it was asked to wait, and goes on by that at once. */
class HandClock implements Clock {
  time = 1000;
  readonly slept: number[] = [];

  now(): number {
    return this.time;
  }

  random(): number {
    return 1;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.time += ms;
    return Promise.resolve();
  }
}

/** What the n-th connection brings: an error, or batches, before each of which so many milliseconds go by. */
type Connection = Error | readonly (readonly [afterMs: number, ...events: readonly SseEvent[]])[];

function followed(connections: readonly Connection[], statuses: readonly (string | Error)[] = ["success"]) {
  const clock = new HandClock();
  const server = new ScriptedServer();
  const run: Run = server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "a" });
  const joined: (string | undefined)[] = [];
  const delivered: string[] = [];
  const attempts: number[] = [];
  const [left, told] = [[...connections], [...statuses]];
  const events = async function* (connection: Connection): AsyncIterable<readonly SseEvent[]> {
    if (connection instanceof Error) return;
    for (const [afterMs, ...batch] of connection) {
      await Promise.resolve();
      clock.time += afterMs;
      yield batch;
    }
    clock.time += 1;
    if (left.length > 0) throw new Error("terminated");
  };
  server.runs.rejoin = (_, runId, options) => {
    joined.push(options?.lastEventId);
    attempts.push(follower.attempt);
    const connection = left.shift() ?? [];
    return connection instanceof Error
      ? Promise.reject(connection)
      : Promise.resolve({ runId, events: events(connection) });
  };
  server.runs.get = () => {
    const status = told.length > 1 ? told.shift() : told[0];
    return status instanceof Error
      ? Promise.reject(status)
      : Promise.resolve({ ...run, status: status ?? "" });
  };
  const parts = {
    ...{ server, clock, threadId: "thread", onChange: () => undefined },
    deliver: (_: string, batch: readonly SseEvent[], replayed: boolean) => {
      delivered.push(`${batch.map(({ id }) => id).join()}${replayed ? " again" : ""}`);
      bench.onDelivery();
    },
  };
  const follower = new Follower(parts, run.run_id);
  const first = (): EventBatches => ({ runId: run.run_id, events: events(left.shift() ?? []) });
  const bench = { follower, first, clock, joined, delivered, attempts, onDelivery: (): void => undefined };
  return bench;
}

const [refused, busy] = [new Error("refused"), new Refusal(503, "busy")];

describe("Following a run", () => {
  it("ends with the run, whose events came all", async () => {
    const { follower, first, delivered, joined } = followed([
      [
        [1, event("0")],
        [1, event("1"), event("2")],
      ],
    ]);
    const end = await follower.follow(first());
    deepEqual(
      [end.kind, end.kind === "over" && end.gap, delivered, joined],
      ["over", false, ["0", "1,2"], []],
    );
    equal(follower.connected, false);
  });

  it("waits half a second, then twice as long each time, up to ten seconds", async () => {
    const { follower, clock, attempts } = followed([...Array<Error>(7).fill(refused), [[1, event("0")]]]);
    equal((await follower.follow()).kind, "over");
    deepEqual(clock.slept, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    deepEqual(attempts, [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("gives up after forty attempts that brought nothing", async () => {
    const { follower, joined } = followed(Array<Error>(60).fill(busy));
    const end = await follower.follow();
    match(end.kind === "failed" ? String(end.error) : "", /can't be joined again/);
    equal(joined.length, 41);
  });

  it("counts anew when an attempt brought something, and the pauses when a connection lasted", async () => {
    const bringing = (from: number): readonly Connection[] =>
      Array.from({ length: 39 }, (_, at) => (at === 0 ? [[1, event(String(from))]] : refused));
    const { follower, joined } = followed([...bringing(0), ...bringing(1), [[1, event("2")]]]);
    equal((await follower.follow()).kind, "over");
    equal(joined.length, 79);
    const pauses = async (lastedMs: number): Promise<readonly number[]> => {
      const one = followed([refused, refused, [[lastedMs - 1, event("0")]], [[1, event("1")]]]);
      await one.follower.follow();
      return one.clock.slept;
    };
    deepEqual(await pauses(10_000), [500, 1000, 2000]);
    deepEqual(await pauses(10_001), [500, 1000, 500]);
  });

  it("asks for what comes behind the last event, of all where none came, and of what comes now without ids", async () => {
    const { follower, joined, delivered } = followed([
      refused,
      [[1, event("4"), event("5")]],
      [[1, event("5"), event("6")]],
    ]);
    await follower.follow();
    deepEqual(joined, ["-1", "-1", "5"]);
    deepEqual(delivered, ["4,5 again", "6"]);
    const nameless = followed([[[1, { event: "custom", data: "1" }]], []]);
    await nameless.follower.follow();
    deepEqual(nameless.joined, ["-1", undefined]);
  });

  it("takes for old what a joined stream brings within half a second, as long as it is the first", async () => {
    const { follower, delivered } = followed([
      [
        [499, event("0")],
        [1, event("1")],
      ],
    ]);
    await follower.follow();
    deepEqual(delivered, ["0 again", "1"]);
    const started = followed([[[1, event("0")]]]);
    await started.follower.follow(started.first());
    deepEqual(started.delivered, ["0"]);
  });

  it("tells of a gap where numbers were left out, or a stream broke that can't be joined where it was", async () => {
    const gap = async (...connections: readonly Connection[]): Promise<boolean> => {
      const { follower } = followed(connections);
      const end = await follower.follow();
      return end.kind === "over" && end.gap;
    };
    equal(await gap([[1, event("0")]]), false);
    equal(await gap(refused, [[1, event("0")]]), false);
    equal(await gap([[1, event("0")]], [[1, event("1")]]), true);
  });

  it("goes on while the run does, and ends where nobody may ask or nobody knows it", async () => {
    const going = followed([[[1, event("0")]]], ["running", new Error("away"), busy, "success"]);
    const over = await going.follower.follow();
    deepEqual([over.kind, going.joined.length], ["over", 4]);
    for (const [status, kind] of [
      [401, "failed"],
      [403, "failed"],
      [404, "gone"],
    ] as const) {
      const asked = followed([[]], [new Refusal(status, "no")]);
      deepEqual([(await asked.follower.follow()).kind, asked.joined.length], [kind, 1]);
      const joined = followed([new Refusal(status, "no"), []], [new Refusal(404, "no")]);
      deepEqual([(await joined.follower.follow()).kind, joined.joined.length], [kind, 1]);
    }
  });

  it("knows for how long nothing came, from ten seconds on", () => {
    const { follower, clock } = followed([]);
    clock.time += 9999;
    equal(follower.idleMs, undefined);
    clock.time += 1;
    equal(follower.idleMs, 10_000);
  });

  it("is left, or ends as the run is known to have ended, whatever comes then", async () => {
    const { follower, first, delivered } = followed([
      [
        [1, event("0")],
        [1, event("1")],
      ],
    ]);
    follower.leave();
    deepEqual(await follower.follow(first()), { kind: "left" });
    deepEqual(delivered, []);
    const known = followed([[[1, event("0")]]]);
    const run = { run_id: "run1", status: "success" } as Run;
    known.follower.finish(run);
    const end = await known.follower.follow();
    deepEqual([end.kind, end.kind === "over" && end.run], ["over", run]);
  });

  it("goes on behind the last event with a follower that takes over", async () => {
    const one = followed([
      [
        [1, event("0")],
        [1, event("1")],
      ],
      [[1, event("0"), event("1")]],
    ]);
    one.onDelivery = () => one.follower.leave();
    deepEqual(await one.follower.follow(one.first()), { kind: "left" });
    const end = await one.follower.resumed().follow();
    deepEqual([one.joined, one.delivered], [["0"], ["0", "1"]]);
    equal(end.kind === "over" && end.gap, true);
  });
});

describe("The id of a started run", () => {
  const batches = (...list: readonly (readonly SseEvent[])[]): EventBatches => ({
    runId: undefined,
    events: (async function* () {
      for (const batch of list) yield await Promise.resolve(batch);
    })(),
  });

  it("stands in its first event where no header names it, which is told with the others", async () => {
    const named = await withRunId(batches([{ event: "metadata", data: '{"run_id":"r"}' }], [event("1")]));
    const seen: string[] = [];
    for await (const batch of named.events) seen.push(batch.map((one) => one.event).join());
    deepEqual([named.runId, seen], ["r", ["metadata", "custom"]]);
    equal((await withRunId({ ...batches([event("1")]), runId: "h" })).runId, "h");
  });

  it("is missing where the server says why it started none, or nothing at all", async () => {
    await rejects(withRunId(batches()), /does not say which run it started/);
    await rejects(withRunId(batches([event("1")])), /does not say which run it started/);
    await rejects(
      withRunId(batches([{ event: "error", data: '{"message":"no graph"}' }])),
      /^Error: no graph$/,
    );
    await rejects(withRunId(batches([{ event: "error", data: "no graph" }])), /^Error: no graph$/);
  });
});
