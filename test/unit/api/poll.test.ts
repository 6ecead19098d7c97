import assert from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";
import { poll, PollTimeout, pollWithin, sleep } from "../../../src/api/poll.ts";
import { TestClock } from "../../support/testClock.ts";

describe("poll", () => {
  const quick = { minMs: 2, maxMs: 8 };

  it("asks until the value is accepted", async () => {
    let asked = 0;
    const value = await poll(() => Promise.resolve(++asked), { ...quick, until: (count) => count === 4 });
    assert.equal(value, 4);
  });

  it("waits as long as Retry-After says", async () => {
    const limited = new ApiError("rateLimited", {
      method: "GET",
      url: "https://a.example",
      status: 429,
      retryAfterMs: 150,
    });
    const clock = new TestClock();
    const times: number[] = [];
    const ask = (): Promise<string> =>
      times.push(clock.now()) === 1 ? Promise.reject(limited) : Promise.resolve("done");
    let value: string | undefined;
    void poll(ask, { ...quick, until: () => true, clock }).then((done) => (value = done));
    await clock.until(() => value === "done");
    assert.deepEqual(
      times.map((time) => time - (times[0] ?? 0)),
      [0, 150],
    );
  });

  it("asks again after a transient failure, for those who hear of it, as late as the server wants", async () => {
    const clock = new TestClock();
    const began = clock.now();
    const failure = (kind: ErrorKind, retryAfterMs?: number) =>
      new ApiError(kind, { method: "GET", url: "https://a.example", retryAfterMs });
    const [away, limited, gone] = [failure("unreachable"), failure("timeout", 90_000), failure("notFound")];
    const answers = [away, "first", limited, "second", gone];
    const heard: unknown[] = [];
    const ask = (): Promise<string> => {
      const answer = answers.shift();
      return typeof answer === "string" ? Promise.resolve(answer) : Promise.reject(answer ?? new Error());
    };
    const onTransient = (error: unknown): void => {
      heard.push(error);
    };
    const polling = poll(ask, { until: () => false, onTransient, clock });
    let end: unknown;
    polling.catch((error: unknown) => {
      end = error;
    });
    await clock.until(() => end !== undefined);
    assert.equal(end, gone);
    assert.deepEqual(heard, [away, limited]);
    assert.ok(clock.now() - began >= 90_000);
    await assert.rejects(
      poll(() => Promise.reject(away), { until: () => true, clock }),
      away,
    );
  });

  it("throws any other failure", async () => {
    const gone = new ApiError("notFound", { method: "GET", url: "https://a.example", status: 404 });
    await assert.rejects(
      poll(() => Promise.reject(gone), { ...quick, until: () => true }),
      gone,
    );
  });

  it("gives up at its deadline and when it is aborted", async () => {
    const never = { ...quick, until: () => false };
    await assert.rejects(
      poll(() => Promise.resolve(0), { ...never, deadlineMs: 30 }),
      PollTimeout,
    );
    const signal = AbortSignal.timeout(30);
    await assert.rejects(
      poll(() => Promise.resolve(0), { ...never, minMs: 60_000, maxMs: 60_000, signal }),
      { name: "AbortError" },
    );
  });

  it("gives up at once where it is told to wait for longer than it may", async () => {
    const clock = new TestClock();
    const began = clock.now();
    const later = new ApiError("rateLimited", {
      method: "GET",
      url: "https://a.example",
      retryAfterMs: 60_000,
    });
    const asked = { until: () => false, deadlineMs: 30_000, clock };
    await assert.rejects(
      poll(() => Promise.reject(later), asked),
      /still not done after 30 s/,
    );
    assert.equal(clock.now(), began);
  });

  it("answers undefined within a deadline that passed, and still throws what is no deadline", async () => {
    const clock = new TestClock();
    const began = clock.now();
    const options = { until: (count: number) => count === 4, deadlineMs: 30_000, clock };
    const asking = async (ask: () => Promise<number>): Promise<unknown> => {
      let end: { readonly value: unknown } | undefined;
      const settle = (value: unknown): void => void (end = { value });
      pollWithin(ask, options).then(settle, settle);
      await clock.until(() => end !== undefined);
      return end?.value;
    };
    let asked = 0;
    assert.equal(await asking(() => Promise.resolve(++asked)), 4);
    assert.ok(clock.now() - began < 30_000);
    assert.equal(await asking(() => Promise.resolve(0)), undefined);
    assert.ok(clock.now() - began >= 30_000);
    const gone = new ApiError("notFound", { method: "GET", url: "https://a.example", status: 404 });
    assert.equal(await asking(() => Promise.reject(gone)), gone);
  });

  it("asks soon again when something has moved, and ever later while nothing does", async () => {
    const clock = new TestClock();
    const began = clock.now();
    const values = ["a", "a", "a", "a", "b", "b", "end"];
    const times: number[] = [];
    const ask = (): Promise<string> => {
      times.push(clock.now() - began);
      return Promise.resolve(values.shift() ?? "end");
    };
    let end: string | undefined;
    const until = (value: string): boolean => value === "end";
    const moved = (before: string, after: string): boolean => before !== after;
    void poll(ask, { until, moved, minMs: 1000, maxMs: 60_000, clock }).then((value) => (end = value));
    await clock.until(() => end !== undefined);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.equal(pauses.length, 6);
    const [first = 0, , , fourth = 0, fifth = 0, sixth = 0] = pauses;
    assert.ok(fourth > 2 * first, pauses.join());
    assert.ok(fifth < fourth && sixth > fifth, pauses.join());
  });

  it("asks once more in the last millisecond, and not when there is none left", async () => {
    const askedIn = async (deadlineMs: number): Promise<number> => {
      let [now, asked] = [0, 0];
      const clock = {
        now: () => now,
        random: () => 1,
        sleep: (ms: number) => {
          now += Math.min(ms, 10);
          return Promise.resolve();
        },
      };
      const ask = (): Promise<number> => Promise.resolve((asked += 1));
      await assert.rejects(
        poll(ask, { ...quick, minMs: 10, maxMs: 10, until: () => false, deadlineMs, clock }),
        PollTimeout,
      );
      return asked;
    };
    assert.deepEqual(
      [await askedIn(0), await askedIn(1), await askedIn(10), await askedIn(11)],
      [1, 2, 2, 3],
    );
  });

  it("waits two seconds first and a minute at most, unless it is told otherwise", async () => {
    const slept: number[] = [];
    const clock = {
      now: () => 0,
      random: () => 1,
      sleep: (ms: number) => {
        slept.push(ms);
        return Promise.resolve();
      },
    };
    await poll(() => Promise.resolve(slept.length), { until: (count) => count === 7, clock });
    assert.deepEqual(slept, [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("hands a transient failure over as long as nobody gave it up", async () => {
    const away = new ApiError("unreachable", { method: "GET", url: "https://a.example" });
    const heard: unknown[] = [];
    const onTransient = (error: unknown): void => void heard.push(error);
    const left = new AbortController();
    let asked = 0;
    const ask = (): Promise<number> => (++asked === 1 ? Promise.reject(away) : Promise.resolve(asked));
    const options = { ...quick, until: () => true, onTransient, signal: left.signal };
    assert.equal(await poll(ask, options), 2);
    assert.deepEqual(heard, [away]);
    left.abort();
    await assert.rejects(
      poll(() => Promise.reject(away), options),
      away,
    );
    assert.equal(heard.length, 1);
  });
});

describe("A pause", () => {
  it("that is longer than a timer can be is long all the same", async () => {
    const left = new AbortController();
    const pauses = [2 ** 31, 3_600_000_000, Infinity].map((ms) =>
      assert.rejects(sleep(ms, left.signal), { name: "AbortError" }, String(ms)),
    );
    await sleep(20);
    left.abort();
    await Promise.all(pauses);
  });
});
