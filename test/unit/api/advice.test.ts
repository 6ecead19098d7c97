import assert from "node:assert/strict";
import { isDown, refusesKey, wordsFor } from "../../../src/api/advice.ts";
import { ApiError } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";

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

describe("wordsFor", () => {
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

  it("takes a full stop off what was said, and reads that once, whatever it is made of", () => {
    const said = (detail: string): string => wordsFor(new ApiError("server", { ...facts, detail })).message;
    assert.match(said("It is full. \n. "), /: It is full$/);
    for (const part of [" ", ".", "\n", ". "]) {
      const detail = `a${part.repeat(100_000)}x`;
      const begun = performance.now();
      assert.ok(said(detail).endsWith(detail));
      assert.ok(performance.now() - begun < 1000);
    }
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
});

describe("what a failure says of who was asked", () => {
  const those = (holds: (error: unknown) => boolean): readonly ErrorKind[] =>
    kinds.filter((kind) => holds(new ApiError(kind, { method: "GET", url: "https://api.example.com" })));

  it("is that another key is wanted, or one at all", () => {
    assert.deepEqual(those(refusesKey), ["unauthorized", "forbidden"]);
    assert.equal(refusesKey(new Error("unauthorized")), false);
  });

  it("is that it is out of order, or only unable to do what was asked", () => {
    assert.deepEqual(those(isDown), [
      ...["dns", "refused", "unreachable", "tls", "proxy", "timeout", "redirected"],
      ...["unauthorized", "forbidden", "server", "notJson", "malformed", "cut"],
    ]);
    assert.equal(isDown(new Error("server")), false);
  });
});
