import { deepEqual, equal, ok } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ErrorKind } from "../../../../src/api/errors.ts";
import { ConnectionError } from "../../../../src/editor/connections/connectionSettings.ts";
import { isRevisionOver, revisionEnd } from "../../../../src/editor/deployments/revisionStatus.ts";
import { Watches } from "../../../../src/editor/kit/watches.ts";
import type { Watched, WatchState } from "../../../../src/editor/kit/watches.ts";
import { TestClock } from "../../../support/testClock.ts";
import { TestMemento } from "../../../support/testMemento.ts";

type Answer = string | Error;

interface Target extends Watched {
  readonly id: string;
}

describe("A watch of something remote", () => {
  it("asks until the revision is deployed, and not once more", async () => {
    const watch = start(["CREATING", "BUILDING", "DEPLOYING", "DEPLOYED", "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.told, ["CREATING", "BUILDING", "DEPLOYING", "done DEPLOYED"]);
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
      deepEqual(watch.told, ["BUILDING", `${end} ${status}`]);
    });
  }

  it("goes on with a status that it does not know, and with UNKNOWN", async () => {
    const watch = start(["AWAITING_MOON", "UNKNOWN", "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.told, ["AWAITING_MOON", "UNKNOWN", "done DEPLOYED"]);
  });

  it("waits while the network or the Local Platform is away, and goes on by itself", async () => {
    const stopped = new ConnectionError("localPlatformStopped", "It is not running.", "Start it.");
    const watch = start(["BUILDING", failure("refused"), failure("dns"), stopped, "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.told, [
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
    deepEqual(watch.told, ["waiting ", "done DEPLOYED"]);
  });

  it("gives up at its deadline, with a last question", async () => {
    const watch = start([...Array.from({ length: 200 }, () => "BUILDING")], 30 * 60_000);
    await watch.over();
    equal(watch.told.at(-1), "deadline BUILDING");
    equal((watch.times.at(-1) ?? 0) - (watch.times[0] ?? 0), 30 * 60_000);
    ok(watch.times.length < 50, `${String(watch.times.length)} questions`);
  });

  it("ends when the deployment is gone, and when the key is refused", async () => {
    const gone = start(["BUILDING", failure("notFound", 404)]);
    await gone.over();
    equal(gone.told.at(-1), "gone BUILDING");
    const refused = start(["BUILDING", failure("unauthorized", 401)]);
    await refused.over();
    equal(refused.told.at(-1), "refused BUILDING");
  });

  it("ends at once when a person cancels it", async () => {
    const watch = start(Array.from({ length: 50 }, () => "BUILDING"));
    await watch.clock.until(() => watch.times.length === 3);
    watch.cancel();
    equal(watch.told.at(-1), "cancelled BUILDING");
    await watch.over();
    await watch.clock.until(() => true);
    equal(watch.times.length, 3);
    deepEqual(watch.memory.keys(), []);
  });

  it("is shown with its steps, what it waits for, and its end", async () => {
    const watch = start(["BUILDING", failure("refused"), "DEPLOYED"]);
    await watch.over();
    deepEqual(watch.shown, [
      "r since 1700000000000",
      "BUILDING",
      "Waiting: Nothing listens at a.example",
      "DEPLOYED",
      "done: done",
    ]);
  });

  it("is one, however often it is asked for", async () => {
    const watch = start(["BUILDING", "DEPLOYED"]);
    watch.watches.begin({ id: "r", startedAt: 0 });
    deepEqual(watch.watches.open, [{ id: "r", startedAt: 1_700_000_000_000 }]);
    await watch.over();
    equal(watch.times.length, 2);
    deepEqual(watch.watches.open, []);
  });

  it("goes on after the window was reloaded, until its first deadline, and is forgotten then", async () => {
    const first = start(
      Array.from({ length: 99 }, () => "BUILDING"),
      10 * 60_000,
    );
    await first.clock.until(() => first.times.length === 4);
    first.watches.dispose();
    await first.watches.ended("r").catch(() => undefined);
    equal(first.told.at(-1), "BUILDING", "nobody is told of an end");
    const { clock, memory } = first;
    const next = new Window(["DEPLOYING", ...first.answers], 10 * 60_000, first);
    next.watches.resume();
    await next.over();
    deepEqual([next.shown[0], next.told[0]], ["r since 1700000000000", "DEPLOYING"]);
    equal(next.told.at(-1), "deadline BUILDING");
    equal(clock.now(), 1_700_000_000_000 + 10 * 60_000);
    equal(first.times.length, 4);
    deepEqual(memory.keys(), []);
  });
});

/** A window: what is watched in it, what is asked at which times, and what is seen of it. */
class Window {
  readonly told: string[] = [];
  readonly shown: string[] = [];
  readonly times: number[] = [];
  readonly watches: Watches<Target, string>;
  readonly answers: readonly Answer[];
  readonly memory: TestMemento;
  readonly clock: TestClock;
  cancel = (): void => undefined;

  constructor(
    answers: readonly Answer[],
    deadlineMs: number,
    { memory, clock } = { memory: new TestMemento(), clock: new TestClock() },
  ) {
    this.answers = answers;
    this.memory = memory;
    this.clock = clock;
    this.watches = new Watches<Target, string>(
      {
        memoryName: "watches",
        keyOf: ({ id }) => id,
        read: () => this.#answer(),
        isOver: isRevisionOver,
        moved: (before, now) => before !== now,
        deadlineMs: () => deadlineMs,
        row: ({ id }) => ({ title: id }),
        stepText: (status) => status,
        endText: (_, ended) => ({ how: "done", message: revisionEnd(ended) }),
        changed: (_, state, before) => before !== undefined && this.told.push(words(state)),
      },
      {
        activity: {
          begin: ({ title, startedAt, cancel }) => {
            this.shown.push(`${title} since ${String(startedAt)}`);
            this.cancel = cancel ?? this.cancel;
            return {
              step: (label) => this.shown.push(label),
              wait: (reason) => this.shown.push(reason),
              finish: (how, message) => this.shown.push(`${how}: ${message}`),
            };
          },
        },
        memory,
        clock,
      },
    );
  }

  async over(): Promise<void> {
    let over = false;
    void this.watches.ended("r").finally(() => (over = true));
    await this.clock.until(() => over);
  }

  #answer(): Promise<string> {
    const answer = this.answers[this.times.length] ?? new Error("asked too often");
    this.times.push(this.clock.now());
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}

function start(answers: readonly Answer[], deadlineMs = Infinity): Window {
  const window = new Window(answers, deadlineMs);
  window.watches.begin({ id: "r", startedAt: window.clock.now() });
  return window;
}

function words(state: WatchState<string>): string {
  const status = state.answer ?? "";
  switch (state.kind) {
    case "asking":
      return status;
    case "waiting":
      return `waiting ${status}`;
    case "ended":
      return `${revisionEnd(state)} ${status}`;
    default:
      return state satisfies never;
  }
}

function failure(kind: ErrorKind, status?: number, retryAfterMs?: number): ApiError {
  return new ApiError(kind, { method: "GET", url: "https://a.example/v2", status, retryAfterMs });
}
