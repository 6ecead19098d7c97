import { equal, match, ok } from "node:assert/strict";
import { inspect } from "node:util";
import { ApiError } from "../../../src/api/errors.ts";
import { errorOfFailure, ProxyError, SseError, TlsError } from "../../../src/api/networkFailure.ts";

const call = { method: "GET", url: "https://api.example.com/x?key=secret" };
const named = (name: string): Error => Object.assign(new Error("no"), { name });
const coded = (code: unknown, message = `it was ${String(code)}`): Error =>
  Object.assign(new Error(message), { code });

describe("What the network stack throws", () => {
  const kinds: readonly (readonly [string, unknown])[] = [
    ["proxy", new ProxyError("no tunnel")],
    ["tls", new TlsError("CERT_HAS_EXPIRED", "too old")],
    ["malformed", new SseError("<html>")],
    ["timeout", named("TimeoutError")],
    ["aborted", named("AbortError")],
    ...["ENOTFOUND", "EAI_AGAIN"].map((code) => ["dns", coded(code)] as const),
    ["refused", coded("ECONNREFUSED")],
    ...["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"].map(
      (code) => ["timeout", coded(code)] as const,
    ),
    ...["UND_ERR_ABORTED", "ABORT_ERR"].map((code) => ["aborted", coded(code)] as const),
    ["invalid", coded("UND_ERR_INVALID_ARG")],
    ...["HPE_INVALID_CONSTANT", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"].map(
      (code) => ["malformed", coded(code)] as const,
    ),
    ...["ERR_TLS_X", "ERR_SSL_X", "EPROTO", "CERT_X", "UNABLE_TO_X", "SELF_SIGNED_X", "DEPTH_ZERO_X"].map(
      (code) => ["tls", coded(code)] as const,
    ),
    ["unreachable", coded("EHOSTUNREACH")],
    ["unreachable", coded(7)],
    ["unreachable", new Error("no")],
    ["unreachable", "no"],
  ];
  for (const [kind, failure] of kinds)
    it(`is of the kind "${kind}": ${inspect(failure).split("\n", 1).join()}`, () => {
      const error = errorOfFailure(failure, call);
      equal(error.kind, kind);
      equal(error.url, "https://api.example.com/x?key");
    });

  it("is a cut where the answer's head had arrived", () => {
    equal(errorOfFailure(new Error("no"), { ...call, answered: true }).kind, "cut");
    equal(errorOfFailure(coded("ETIMEDOUT"), { ...call, answered: true }).kind, "timeout");
  });

  it("stays what it is when it is known already", () => {
    const known = new ApiError("conflict", call);
    equal(errorOfFailure(known, { ...call, signal: AbortSignal.abort() }), known);
  });

  it("was meant where somebody gave the call up, and is none where only its time was up", () => {
    const kindWith = (signal: AbortSignal, failure: Error = new Error("no")): string =>
      errorOfFailure(failure, { ...call, signal }).kind;
    equal(kindWith(AbortSignal.abort()), "aborted");
    equal(kindWith(AbortSignal.abort("left"), coded("ECONNREFUSED")), "aborted");
    equal(kindWith(AbortSignal.abort(new Error("TimeoutError"))), "aborted");
    equal(kindWith(AbortSignal.abort({ name: "TimeoutError" })), "aborted");
    equal(kindWith(AbortSignal.abort(named("TimeoutError")), named("TimeoutError")), "timeout");
    equal(kindWith(AbortSignal.abort(named("TimeoutError"))), "unreachable");
    equal(kindWith(new AbortController().signal, coded("ECONNREFUSED")), "refused");
  });

  it("is said in one line, or at least by its name", () => {
    const detail = (failure: unknown): string => errorOfFailure(failure, call).detail ?? "";
    equal(detail(new Error(" first \r\nsecond")), "first ");
    equal(detail(named("")), "no");
    equal(detail(Object.assign(new Error(""), { name: "Odd" })), "Odd");
    equal(detail("plain"), "plain");
    equal(detail(coded("ERR_SSL_WRONG_VERSION_NUMBER", "0A00010B")), "no TLS is spoken there");
    equal(detail(new AggregateError([new Error("a"), "b"], "")), "a; b");
    equal(detail(new AggregateError([new Error("a")], "all")), "all");
    ok(errorOfFailure("plain", call).cause instanceof Error);
    match(errorOfFailure(new Error("x"), call).message, /^GET https:\/\/api\.example\.com\/x\?key: x$/);
  });
});
