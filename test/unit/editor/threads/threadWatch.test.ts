import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ThreadVersion } from "../../../../src/editor/threads/servers/threadHost.ts";
import { goneVersion, ThreadWatch } from "../../../../src/editor/threads/threadWatch.ts";
import { TestClock } from "../../../support/testClock.ts";

describe("A watch of one thread", () => {
  let clock: TestClock;
  let began: number;
  let version: ThreadVersion | Error | undefined;
  let state: "polls" | "follows" | "busy";
  let news: boolean;
  let failing: boolean;
  let looks: number[];
  let renewals: number[];
  let watch: ThreadWatch;

  beforeEach(() => {
    clock = new TestClock();
    began = clock.now();
    [version, state, news] = [{ status: "idle", updatedAt: "1" }, "polls", false];
    [looks, renewals] = [[], []];
    failing = false;
    watch = new ThreadWatch({
      read: () => {
        looks.push(clock.now() - began);
        return version instanceof Error ? Promise.reject(version) : Promise.resolve(version);
      },
      state: () => state,
      isNews: () => Promise.resolve(news),
      renew: () => {
        renewals.push(clock.now() - began);
        return failing ? Promise.reject(new Error("busy")) : Promise.resolve();
      },
      clock,
      slowestMs: () => 10_000,
    });
  });

  afterEach(() => watch.dispose());

  const later = (ms: number) => {
    const end = clock.now() + ms;
    // A timer of its own: the watch may have none.
    void clock.sleep(ms);
    return clock.until(() => clock.now() >= end);
  };

  it("looks ever less often, ten seconds apart at most, and never while nobody sees the thread", async () => {
    watch.start();
    watch.watch(true);
    await later(40_000);
    deepEqual(looks, [0, 2000, 8000, 18_000, 28_000, 38_000]);
    deepEqual(renewals, []);
    watch.watch(false);
    await later(600_000);
    equal(looks.length, 6);
  });

  it("has the thread read anew when it changed, once, and looks soon again", async () => {
    watch.start();
    watch.watch(true);
    await later(9000);
    version = { status: "busy", updatedAt: "2" };
    await later(12_000);
    deepEqual(renewals, [18_000]);
    deepEqual(looks.slice(3, 5), [18_000, 20_000]);
    version = { status: "idle", updatedAt: "3" };
    await later(5000);
    equal(renewals.length, 2);
    await later(60_000);
    equal(renewals.length, 2);
  });

  it("asks nothing while the thread is followed otherwise, and starts over afterwards", async () => {
    watch.start();
    watch.watch(true);
    await later(1000);
    state = "follows";
    version = { status: "idle", updatedAt: "own run" };
    await later(30_000);
    equal(looks.length, 1);
    state = "polls";
    watch.hurry();
    await later(2000);
    deepEqual([looks.length, renewals], [2, []]);
    // What was followed may be over before the next look.
    await later(10);
    state = "follows";
    watch.hurry();
    [state, version] = ["polls", { status: "idle", updatedAt: "own short run" }];
    watch.hurry();
    await later(3000);
    deepEqual([looks.length, renewals], [3, []]);
    version = { status: "idle", updatedAt: "another's" };
    await later(10_000);
    equal(renewals.length, 1);
  });

  it("takes for news what the thread itself does not know after it was followed", async () => {
    news = true;
    watch.watch(true);
    await later(3000);
    deepEqual(renewals, [2000]);
    await later(30_000);
    deepEqual(renewals, [2000]);
  });

  it("goes on looking after a failure, no sooner than the server wants, and finds that a thread is gone", async () => {
    watch.start();
    watch.watch(true);
    await later(1000);
    version = new ApiError("rateLimited", {
      method: "POST",
      url: "http://one",
      status: 429,
      retryAfterMs: 25_000,
    });
    await later(2000);
    deepEqual(looks, [0, 2000]);
    version = { status: "idle", updatedAt: "2" };
    await later(25_000);
    deepEqual([looks.at(-1), renewals.length], [27_000, 1]);
    version = goneVersion(new ApiError("notFound", { method: "GET", url: "http://one", status: 404 }));
    await later(10_000);
    equal(renewals.length, 2);
    await later(30_000);
    equal(renewals.length, 2);
  });

  it("has the thread read again with the next look when it could not be read anew", async () => {
    watch.start();
    watch.watch(true);
    await later(1000);
    version = { status: "idle", updatedAt: "2" };
    failing = true;
    await later(2000);
    equal(renewals.length, 1);
    failing = false;
    await later(30_000);
    equal(renewals.length, 2);
  });

  it("takes nothing for news where the server does not tell by a small answer", async () => {
    version = undefined;
    watch.start();
    watch.watch(true);
    await later(30_000);
    deepEqual(renewals, []);
  });
});
