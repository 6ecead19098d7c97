import assert from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";
import { growingPause, isTransient, retryAfterMs } from "../../../src/api/retry.ts";
import { ConnectionError } from "../../../src/editor/connections/connectionSettings.ts";

describe("A transient failure", () => {
  const failure = (kind: ErrorKind, status?: number): ApiError =>
    new ApiError(kind, { method: "GET", url: "https://a.example", status });

  it("is a network that is away, a server that fails, or one that asks for fewer requests", () => {
    const transient = [
      ...(["dns", "refused", "unreachable", "proxy", "timeout", "cut"] as const).map((kind) => failure(kind)),
      ...[500, 502, 503, 504, 599].map((status) => failure("server", status)),
      failure("rateLimited", 429),
      failure("timeout", 408),
      failure("invalid", 425),
      failure("proxy", 407),
      failure("cut", 200),
      new ConnectionError("localPlatformStopped", "It does not run.", "Start it."),
      { status: 503 },
    ];
    for (const error of transient) assert.ok(isTransient(error), JSON.stringify(error));
  });

  it("is none that needs a person, or that will be the same the next time", () => {
    const lasting = [
      ...(["tls", "aborted", "redirected", "malformed", "notJson", "runFailed"] as const).map((kind) =>
        failure(kind),
      ),
      failure("unauthorized", 401),
      failure("notFound", 404),
      failure("invalid", 422),
      failure("server", 501),
      new ConnectionError("unknown", "It is gone.", "Choose another."),
      new Error("broken"),
      "text",
      undefined,
      null,
    ];
    for (const error of lasting) assert.equal(isTransient(error), false, JSON.stringify(error));
  });
});

describe("A growing pause", () => {
  const pauses = { firstMs: 2000, mostMs: 60_000 };
  const attempts = [0, 1, 2, 3, 4, 5, 6, 1000];

  it("doubles from 2 s to 60 s", () => {
    const expected = [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000];
    assert.deepEqual(
      attempts.map((attempt) => growingPause(attempt, pauses)),
      expected,
    );
    assert.deepEqual(
      attempts.map((attempt) => growingPause(attempt, { ...pauses, random: () => 1 })),
      expected,
    );
  });

  it("is half random where chance is given", () => {
    assert.deepEqual(
      attempts.map((attempt) => growingPause(attempt, { ...pauses, random: () => 0 })),
      [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
    );
  });

  it("is an hour at most where a server says how long", () => {
    const now = Date.UTC(2026, 0, 1);
    const inTwoMonths = new Date(Date.UTC(2026, 2, 1)).toUTCString();
    for (const value of ["3601", "3600000", "9".repeat(400), inTwoMonths])
      assert.equal(retryAfterMs(value, now), 3_600_000, value);
    assert.equal(retryAfterMs("3599.5", now), 3_599_500);
    assert.equal(retryAfterMs(new Date(now + 90_000).toUTCString(), now), 90_000);
    assert.equal(retryAfterMs(new Date(now - 90_000).toUTCString(), now), 0);
  });

  it("knows no Retry-After that says nothing", () => {
    assert.equal(retryAfterMs("soon"), undefined);
    assert.equal(retryAfterMs(undefined), undefined);
    assert.equal(retryAfterMs("0"), 0);
  });
});
