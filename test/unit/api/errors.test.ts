import assert from "node:assert/strict";
import { inspect } from "node:util";
import { errorOfReply } from "../../../src/api/errorBody.ts";
import { ApiError, maskUrl, unlessGone, wordsFor } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";
import { refusals } from "./refusals.ts";

describe("errorOfReply", () => {
  for (const { name, status, text, kind, detail, permission, fields, says } of refusals) {
    it(`understands ${name}`, () => {
      const error = errorOfReply({
        method: "GET",
        url: "https://api.example.com/v1/x",
        status,
        headers: {},
        text,
      });
      assert.equal(error.name, "ApiError");
      assert.equal(error.kind, kind);
      if (detail !== undefined) assert.equal(error.detail, detail);
      assert.equal(error.permission, permission);
      assert.deepEqual(
        error.fields?.map(({ loc }) => loc),
        fields,
      );
      const { message, remedy } = wordsFor(error);
      assert.match(`${message}. ${remedy}`, says);
      assert.notEqual(remedy, "");
    });
  }

  it("names the first id that a server or a gateway gave the request", () => {
    const reply = { method: "GET", url: "https://api.example.com/", status: 500, text: "" };
    for (const [headers, id] of [
      [{ "x-request-id": "a", "request-id": "b" }, "a"],
      [{ "request-id": "b", "cf-ray": "d" }, "b"],
      [{ "x-amzn-requestid": "c", "cf-ray": "d" }, "c"],
      [{ "cf-ray": "d" }, "d"],
      [{}, undefined],
    ] as const)
      assert.equal(errorOfReply({ ...reply, headers }).requestId, id);
  });

  it("tells what is gone from every other failure", () => {
    const reply = { method: "GET", url: "https://api.example.com/", headers: {}, text: "" };
    assert.doesNotThrow(() => unlessGone(errorOfReply({ ...reply, status: 404 })));
    for (const error of [errorOfReply({ ...reply, status: 500 }), new TypeError("bug"), undefined])
      assert.throws(
        () => unlessGone(error),
        (thrown: unknown) => thrown === error,
      );
  });

  it("reads Retry-After in seconds and as a date, and the request's id", () => {
    const reply = { method: "GET", url: "https://api.example.com/", status: 429, text: "" };
    const error = errorOfReply({ ...reply, headers: { "retry-after": "7", "x-request-id": "req-1" } });
    assert.equal(error.retryAfterMs, 7000);
    assert.match(wordsFor(error).message, /request req-1/);
    assert.match(wordsFor(error).remedy, /in 7 s/);
    const date = new Date(Date.now() + 60_000).toUTCString();
    const dated = errorOfReply({ ...reply, headers: { "retry-after": date } }).retryAfterMs ?? 0;
    assert.ok(dated > 55_000 && dated <= 60_000);
  });

  it("reads a page once, whatever it is made of", () => {
    for (const part of ["<title", "<title ", "<title>", " "]) {
      const text = `<html>${part.repeat(50_000)}`;
      const reply = { method: "GET", url: "https://api.example.com/", status: 500, headers: {}, text };
      assert.equal(errorOfReply(reply).detail, "answered with an HTML page");
    }
  }).timeout(60_000);

  it("keeps one line of a long answer", () => {
    const text = `${"x".repeat(100_000)}\nsecond line`;
    const reply = { method: "GET", url: "https://api.example.com/", status: 500, headers: {}, text };
    assert.ok(inspect(errorOfReply(reply), { showHidden: true, depth: 9 }).length < 5000);
  });
});

describe("maskUrl", () => {
  const masked = [
    ["https://u:p@api.example.com/x?token=s3cret&b=1", "https://api.example.com/x?token&b"],
    [
      "https://api.example.com/api/v1/feedback/tokens/s3cret?score=1",
      "https://api.example.com/api/v1/feedback/tokens/***?score",
    ],
    ["no url?token=s3cret", "no url"],
  ] as const;
  for (const [url, expected] of masked) {
    it(`shows ${url} as ${expected}`, () => assert.equal(maskUrl(url), expected));
  }
});

describe("wordsFor", () => {
  const kinds: readonly ErrorKind[] = [
    "dns",
    "refused",
    "unreachable",
    "tls",
    "proxy",
    "timeout",
    "aborted",
    "redirected",
    "unauthorized",
    "forbidden",
    "missingPermission",
    "notFound",
    "unsupported",
    "conflict",
    "invalid",
    "tooLarge",
    "answerTooLarge",
    "rateLimited",
    "server",
    "notJson",
    "malformed",
    "cut",
    "runFailed",
  ];
  for (const kind of kinds) {
    it(`says what happened to what and what to do now for "${kind}", without secrets`, () => {
      for (const status of [undefined, 200, 500]) {
        const url = "https://u:s3cret@api.example.com/api/v1/feedback/tokens/s3cret?key=s3cret";
        const { message, remedy } = wordsFor(
          new ApiError(kind, { method: "GET", url, status, detail: "because" }),
        );
        assert.match(message, /api\.example\.com|request|run/);
        assert.match(remedy, /^[A-Z].*\.$/);
        assert.doesNotMatch(message + remedy, /s3cret/);
      }
    });
  }

  it("has words for what is no ApiError", () => {
    assert.equal(wordsFor(new TypeError("oops")).message, "oops");
    assert.equal(wordsFor("oops").message, "oops");
  });
});
