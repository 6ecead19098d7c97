import { deepEqual, equal } from "node:assert/strict";
import { nextDelay, PollSchedule } from "../../../../src/editor/kit/fetching/pollSchedule.ts";
import type { PollResult } from "../../../../src/editor/kit/fetching/pollSchedule.ts";
import { TestClock } from "../../../support/testClock.ts";

const quiet: PollResult = { changed: false, busy: false };
const moving: PollResult = { changed: true, busy: true };

describe("the schedule of polls", () => {
  it("slows down to a minute while nothing changes, and starts over after a change", () => {
    let delay = 5000;
    const delays = Array.from(
      { length: 8 },
      () => (delay = nextDelay(delay, { changed: false, busy: true }, 5000)),
    );
    deepEqual(delays.slice(0, 3), [7500, 11250, 16875]);
    equal(delays.at(-1), 60_000);
    equal(nextDelay(60_000, { changed: true, busy: false }, 5000), 5000);
    equal(nextDelay(30_000, quiet, 5000), 60_000);
  });

  it("polls only while somebody watches", async () => {
    const { clock, polls, schedule } = scheduled(moving);
    await clock.until(after(clock, 60_000));
    deepEqual(polls, []);
    schedule.watch(true);
    await clock.until(after(clock, 17_000));
    schedule.watch(false);
    deepEqual(polls, [65_000, 70_000, 75_000]);
    await clock.until(after(clock, 60_000));
    equal(polls.length, 3);
  });

  it("polls at once when it is watched again after a long time, and not when it was polled just before", async () => {
    const { clock, polls, schedule } = scheduled(moving);
    schedule.watch(true);
    await clock.until(() => polls.length === 1);
    schedule.watch(false);
    await clock.until(after(clock, 1000));
    schedule.watch(true);
    await clock.until(() => polls.length === 2);
    schedule.watch(false);
    await clock.until(after(clock, 60_000));
    schedule.watch(true);
    await clock.until(() => polls.length === 3);
    deepEqual(polls, [5000, 10_000, 70_000]);
  });

  it("comes back to the fastest pace when something happened", async () => {
    const { clock, polls, schedule } = scheduled(quiet);
    schedule.watch(true);
    await clock.until(() => polls.length === 2);
    schedule.hurry();
    await clock.until(() => polls.length === 3);
    deepEqual(polls, [5000, 20_000, 25_000]);
  });

  it("ends a poll that is under way when nobody watches any more", async () => {
    const clock = new TestClock();
    const seen: string[] = [];
    const poll = (signal: AbortSignal): Promise<PollResult> =>
      new Promise((resolve) => {
        seen.push("began");
        signal.addEventListener("abort", () => {
          seen.push("aborted");
          resolve(quiet);
        });
      });
    const schedule = new PollSchedule(poll, () => 5, clock);
    schedule.watch(true);
    await clock.until(() => seen.length === 1);
    schedule.watch(false);
    deepEqual(seen, ["began", "aborted"]);
    await clock.until(after(clock, 60_000));
    equal(seen.length, 2);
  });

  it("leaves a server alone for as long as it asked", async () => {
    const { clock, polls, schedule } = scheduled({ ...moving, retryAfterMs: 90_000 });
    schedule.watch(true);
    await clock.until(() => polls.length === 2);
    deepEqual(polls, [5000, 95_000]);
  });
});

/** A schedule whose polls all find the same; `polls` has the moment of each in ms. */
function scheduled(result: PollResult) {
  const clock = new TestClock();
  const start = clock.now();
  const polls: number[] = [];
  const poll = (): Promise<PollResult> => {
    polls.push(clock.now() - start);
    return Promise.resolve(result);
  };
  return { clock, polls, schedule: new PollSchedule(poll, () => 5000, clock) };
}

/** Holds when so much time has passed. */
function after(clock: TestClock, ms: number): () => boolean {
  const end = clock.now() + ms;
  let over = false;
  void clock.sleep(ms, new AbortController().signal).then(() => (over = true));
  return () => over && clock.now() >= end;
}
