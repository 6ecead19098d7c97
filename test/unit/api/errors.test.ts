import assert from "node:assert/strict";
import { inspect } from "node:util";
import { errorOfReply } from "../../../src/api/errorBody.ts";
import { ApiError, maskUrl, wordsFor } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";
import { isGone, unlessGone } from "../../../src/api/gone.ts";
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
    const gone = errorOfReply({ ...reply, status: 404 });
    assert.equal(isGone(gone), true);
    assert.doesNotThrow(() => unlessGone(gone));
    for (const error of [errorOfReply({ ...reply, status: 500 }), new TypeError("bug"), undefined]) {
      assert.equal(isGone(error), false);
      assert.throws(
        () => unlessGone(error),
        (thrown: unknown) => thrown === error,
      );
    }
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

  const facts = { method: "GET", url: "https://api.example.com/things/1?x=1" };

  it("names the host, what it said without its full stop, and the request", () => {
    const error = new ApiError("server", { ...facts, status: 500, detail: "no disk. ", requestId: "r1" });
    assert.equal(wordsFor(error).message, "api.example.com failed with status 500: no disk (request r1)");
    const silent = new ApiError("server", { ...facts, url: "nowhere" });
    assert.equal(wordsFor(silent).message, "The server failed with status unknown");
  });

  it("says what is gone in the server's words, where it has some", () => {
    const gone = (detail?: string): string =>
      wordsFor(new ApiError("notFound", { ...facts, detail })).message;
    assert.equal(gone(), "api.example.com/things/1 does not exist");
    assert.equal(gone("no thing"), "api.example.com answered: no thing");
  });

  it("tells a request that was refused from one that was not sent, and names its fields", () => {
    const invalid = (more: object) => wordsFor(new ApiError("invalid", { ...facts, ...more }));
    assert.equal(invalid({ status: 422 }).message, "api.example.com did not accept the request");
    assert.equal(invalid({}).message, "The request was not sent");
    const field = (...loc: readonly (string | number)[]) => ({ loc, msg: "no", type: "x" });
    const fields = [field("body", "a", 0), field("query", "b"), field("body"), field("query", "b")];
    assert.equal(invalid({ fields }).remedy, "Correct a.0, b and send it again.");
    assert.equal(invalid({ fields: [field("body")] }).remedy, "Correct the input and send it again.");
    assert.equal(invalid({}).remedy, "Correct the input and send it again.");
  });

  it("tells a thread in use from a thing in another state", () => {
    const conflict = (url: string, detail?: string): string =>
      wordsFor(new ApiError("conflict", { ...facts, url, detail })).message;
    assert.match(conflict("https://a.example/threads/t/runs"), / is in use$/);
    assert.match(conflict("https://a.example/threads/t", "Thread is busy"), / is in use: Thread is busy$/);
    assert.match(
      conflict("https://a.example/agents/a", "has threads"),
      / in its present state: has threads$/,
    );
  });

  it("says when to try again, in whole seconds", () => {
    const limited = (retryAfterMs?: number): string =>
      wordsFor(new ApiError("rateLimited", { ...facts, retryAfterMs })).remedy;
    assert.equal(limited(1001), "Try again in 2 s.");
    assert.equal(limited(1000), "Try again in 1 s.");
    assert.equal(limited(), "Try again in a moment.");
  });

  it("says what to do about a certificate, by why it was not accepted", () => {
    const remedy = (cause: unknown): string => wordsFor(new ApiError("tls", { ...facts, cause })).remedy;
    const coded = (code: string): Error => Object.assign(new Error("no"), { code });
    assert.match(remedy(coded("CERT_HAS_EXPIRED")), /renew/);
    assert.match(remedy(coded("CERT_NOT_YET_VALID")), /clock/);
    assert.match(remedy(coded("ERR_TLS_CERT_ALTNAME_INVALID")), /a name that the certificate is for/);
    for (const cause of [coded("OTHER"), new Error("no"), { code: "CERT_HAS_EXPIRED" }, undefined])
      assert.match(remedy(cause), /trusted certificates/);
  });

  it("has for its own message the status and what was said, or else the kind", () => {
    const message = (more: object): string => new ApiError("cut", { ...facts, ...more }).message;
    assert.equal(message({}), "GET https://api.example.com/things/1?x: cut");
    assert.equal(message({ status: 502 }), "GET https://api.example.com/things/1?x: 502");
    assert.equal(message({ status: 502, detail: "no" }), "GET https://api.example.com/things/1?x: 502 no");
  });
});
