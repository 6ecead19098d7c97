import assert from "node:assert/strict";
import { inspect } from "node:util";
import { wordsFor } from "../../../src/api/advice.ts";
import { errorOfReply } from "../../../src/api/errorBody.ts";
import { ApiError, isGone, maskUrl, unlessGone } from "../../../src/api/errors.ts";
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
  });

  it("makes one line of what a server says in JSON, and keeps its beginning", () => {
    const reply = { method: "GET", url: "https://api.example.com/", status: 500, headers: {} };
    const detail = (body: object) => errorOfReply({ ...reply, text: JSON.stringify(body) }).detail ?? "";
    const trace = "Traceback:\n  File a\r\n\tFile b\nValueError: boom\n";
    assert.equal(detail({ detail: trace }), "Traceback: File a File b ValueError: boom");
    assert.equal(
      detail({ errors: [{ path: ["a"], message: trace }] }),
      "a: Traceback: File a File b ValueError: boom",
    );
    const many = Array.from({ length: 5000 }, (_, index) => ({ path: [index], message: "no" }));
    for (const body of [{ detail: "x".repeat(50_000) }, { message: "a\n".repeat(50_000) }, { errors: many }])
      assert.match(detail(body), /^.{1000}…$/);
  });

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

describe("an ApiError", () => {
  const facts = { method: "GET", url: "https://api.example.com/things/1?x=1" };

  it("has for its own message the status and what was said, or else the kind", () => {
    const message = (more: object): string => new ApiError("cut", { ...facts, ...more }).message;
    assert.equal(message({}), "GET https://api.example.com/things/1?x: cut");
    assert.equal(message({ status: 502 }), "GET https://api.example.com/things/1?x: 502");
    assert.equal(message({ status: 502, detail: "no" }), "GET https://api.example.com/things/1?x: 502 no");
  });
});
