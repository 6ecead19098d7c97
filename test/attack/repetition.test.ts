import { ok } from "node:assert/strict";
import type { Run } from "../../src/api/agentServer/wire.ts";
import type { SseEvent } from "../../src/api/exchange.ts";
import { Follower } from "../../src/run/session/follower.ts";
import type { RunServer } from "../../src/run/session/server.ts";
import { TestClock } from "../support/testClock.ts";

type Connection = (nth: number) => AsyncIterable<readonly SseEvent[]>;

/** Servers that never let a stream last. */
const connections: Readonly<Record<string, Connection>> = {
  "one event, then the end": (nth) => events([{ id: String(nth), event: "custom", data: "1" }]),
  "one event without an id, then the end": () => events([{ event: "custom", data: "1" }]),
  "one event, then a cut": (nth) =>
    events([{ id: String(nth), event: "custom", data: "1" }], new Error("cut")),
  "the same event each time": () => events([{ id: "1", event: "custom", data: "1" }]),
  "nothing at all": () => events([]),
  "a cut before anything": () => events([], new Error("cut")),
};

describe("A run whose stream never lasts", () => {
  for (const [name, connection] of Object.entries(connections)) {
    it(`is joined again ever less often: ${name}`, async () => {
      const clock = new TestClock();
      let requests = 0;
      const runs: Partial<RunServer["runs"]> = {
        rejoin: (_thread, runId) => Promise.resolve({ runId, events: connection((requests += 1)) }),
        get: () => {
          requests += 1;
          return Promise.resolve({ run_id: "r", status: "running" } as Run);
        },
      };
      const server = { runs } as RunServer;
      const parts = { server, clock, threadId: "t", deliver: () => undefined, onChange: () => undefined };
      const follower = new Follower(parts, "r");
      const began = clock.now();
      const followed = follower.follow();
      await Promise.race([clock.until(() => clock.now() - began > 60_000), followed]);
      follower.leave();
      await followed;
      ok(requests <= 40, `${requests} requests in 60 s`);
    });
  }
});

async function* events(batch: readonly SseEvent[], failure?: Error): AsyncIterable<readonly SseEvent[]> {
  await Promise.resolve();
  if (batch.length > 0) yield batch;
  if (failure !== undefined) throw failure;
}
