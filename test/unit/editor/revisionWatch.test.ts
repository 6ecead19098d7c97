import { deepEqual, equal, ok } from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";
import { ConnectionError } from "../../../src/editor/connections/connectionSettings.ts";
import { watchRevision } from "../../../src/editor/deployments/revisionWatch.ts";
import type { WatchState } from "../../../src/editor/deployments/revisionWatch.ts";
import { TestClock } from "../../support/testClock.ts";

type Answer = string | Error;

describe("a watch of a revision", () => {
  it("asks until the revision is deployed, and not once more", async () => {
    const watch = start(["CREATING", "BUILDING", "DEPLOYING", "DEPLOYED", "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.told(), ["CREATING", "BUILDING", "DEPLOYING", "done DEPLOYED"]);
    equal(watch.times.length, 4);
  });

  it("asks ever less often up to once a minute while nothing moves, and soon again after a change", async () => {
    const watch = start([
      ...Array.from({ length: 10 }, () => "BUILDING"),
      "DEPLOYING",
      "DEPLOYING",
      "DEPLOYED",
    ]);
    await watch.over();
    const pauses = watch.times.slice(1).map((time, index) => time - (watch.times[index] ?? 0));
    deepEqual(pauses, [1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000, 45_000, 45_000, 1500, 3000]);
  });

  for (const [status, end] of [
    ["CREATE_FAILED", "failed"],
    ["BUILD_FAILED", "failed"],
    ["DEPLOY_FAILED", "failed"],
    ["SKIPPED", "stopped"],
    ["INTERRUPTED", "stopped"],
  ] as const) {
    it(`ends as ${end} with ${status}`, async () => {
      const watch = start(["BUILDING", status]);
      await watch.over();
      deepEqual(watch.told(), ["BUILDING", `${end} ${status}`]);
    });
  }

  it("goes on with a status that it does not know, and with UNKNOWN", async () => {
    const watch = start(["AWAITING_MOON", "UNKNOWN", "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.told(), ["AWAITING_MOON", "UNKNOWN", "done DEPLOYED"]);
  });

  it("waits while the network or the Local Platform is away, and goes on by itself", async () => {
    const stopped = new ConnectionError("localPlatformStopped", "It is not running.", "Start it.");
    const watch = start(["BUILDING", failure("refused"), failure("dns"), stopped, "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.told(), [
      "BUILDING",
      "waiting BUILDING",
      "waiting BUILDING",
      "waiting BUILDING",
      "done DEPLOYED",
    ]);
  });

  it("leaves a server alone for as long as it asked", async () => {
    const watch = start([failure("rateLimited", 429, 90_000), "DEPLOYED"]);
    await watch.over();
    ok((watch.times[1] ?? 0) - (watch.times[0] ?? 0) >= 90_000);
    deepEqual(watch.told(), ["waiting ", "done DEPLOYED"]);
  });

  it("gives up at its deadline, with a last question", async () => {
    const watch = start([...Array.from({ length: 200 }, () => "BUILDING")], 30 * 60_000);
    await watch.over();
    equal(watch.told().at(-1), "deadline BUILDING");
    equal((watch.times.at(-1) ?? 0) - (watch.times[0] ?? 0), 30 * 60_000);
    ok(watch.times.length < 50, `${String(watch.times.length)} questions`);
  });

  it("ends when the deployment is gone, and when the key is refused", async () => {
    const gone = start(["BUILDING", failure("notFound", 404)]);
    await gone.over();
    equal(gone.told().at(-1), "gone BUILDING");
    const refused = start(["BUILDING", failure("unauthorized", 401)]);
    await refused.over();
    equal(refused.told().at(-1), "refused BUILDING");
  });

  it("ends at once when a person cancels it", async () => {
    const watch = start(Array.from({ length: 50 }, () => "BUILDING"));
    await watch.clock.until(() => watch.times.length === 3);
    watch.cancel();
    await watch.over();
    equal(watch.told().at(-1), "cancelled BUILDING");
    equal(watch.times.length, 3);
  });
});

function start(answers: readonly Answer[], deadlineMs = Infinity) {
  const clock = new TestClock();
  const states: WatchState[] = [];
  const times: number[] = [];
  const controller = new AbortController();
  const running = watchRevision({
    read: () => {
      const answer = answers[times.length] ?? new Error("asked too often");
      times.push(clock.now());
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    onState: (state) => states.push(state),
    signal: controller.signal,
    deadlineMs,
    clock,
    random: () => clock.random(),
  });
  return {
    clock,
    times,
    cancel: () => controller.abort(),
    over: async (): Promise<void> => {
      await clock.until(() => states.at(-1)?.kind === "ended");
      await running;
    },
    told: (): string[] => states.map(words),
  };
}

function words(state: WatchState): string {
  const status = state.status ?? "";
  switch (state.kind) {
    case "asking":
      return status;
    case "waiting":
      return `waiting ${status}`;
    case "ended":
      return `${state.end} ${status}`;
    default:
      return state satisfies never;
  }
}

function failure(kind: ErrorKind, status?: number, retryAfterMs?: number): ApiError {
  return new ApiError(kind, { method: "GET", url: "https://a.example/v2", status, retryAfterMs });
}
