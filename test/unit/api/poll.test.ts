import assert from "node:assert/strict";
import { backoff, retryAfterMs } from "../../../src/api/backoff.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { poll, PollTimeout } from "../../../src/api/poll.ts";

describe("backoff", () => {
  it("doubles from 2 s to 60 s, half of it random", () => {
    const least = [0, 1, 2, 3, 4, 5, 6, 1000].map((attempt) => backoff(attempt, 2000, 60_000, () => 0));
    const most = [0, 1, 2, 3, 4, 5, 6, 1000].map((attempt) => backoff(attempt, 2000, 60_000, () => 1));
    assert.deepEqual(least, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    assert.deepEqual(most, [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it("ignores a Retry-After that says nothing", () => {
    assert.equal(retryAfterMs("soon"), undefined);
    assert.equal(retryAfterMs(undefined), undefined);
    assert.equal(retryAfterMs("0"), 0);
  });
});

describe("poll", () => {
  const quick = { minMs: 2, maxMs: 8, random: () => 0 };

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
    let asked = 0;
    const started = performance.now();
    await poll(() => (++asked === 1 ? Promise.reject(limited) : Promise.resolve("done")), {
      ...quick,
      until: () => true,
    });
    assert.ok(performance.now() - started >= 145);
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
});
