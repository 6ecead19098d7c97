import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { LookSchedule, nextDelay } from "../../../src/editor/kit/tree/lookSchedule.ts";
import type { Look } from "../../../src/editor/kit/tree/lookSchedule.ts";

const quiet: Look = { changed: false, busy: false };

describe("the schedule of looks", () => {
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

  it("looks only while somebody watches", async () => {
    let looks = 0;
    const schedule = new LookSchedule(
      () => Promise.resolve((looks++, { changed: true, busy: true })),
      () => 10,
    );
    await pause(40);
    equal(looks, 0);
    schedule.watch(true);
    await pause(100);
    schedule.watch(false);
    const seen: number = looks;
    ok(seen >= 3, `looked ${String(seen)} times`);
    await pause(60);
    equal(looks, seen);
  });

  it("ends a look that is under way when nobody watches any more", async () => {
    let aborted = false;
    const schedule = new LookSchedule(
      (signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(((aborted = true), quiet)))),
      () => 5,
    );
    schedule.watch(true);
    await pause(40);
    schedule.watch(false);
    await pause(5);
    equal(aborted, true);
  });

  it("leaves a server alone for as long as it asked", async () => {
    let looks = 0;
    const schedule = new LookSchedule(
      () => Promise.resolve((looks++, { changed: true, busy: true, retryAfterMs: 10_000 })),
      () => 5,
    );
    schedule.watch(true);
    await pause(60);
    schedule.dispose();
    equal(looks, 1);
  });
});
