import assert from "node:assert/strict";
import { inspect } from "node:util";
import { errorOfReply } from "../../../src/api/errorBody.ts";
import { ApiError, maskUrl, wordsFor } from "../../../src/api/errors.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";

interface Case {
  readonly name: string;
  readonly status: number;
  readonly text: string;
  readonly kind: ErrorKind;
  readonly detail?: string;
  readonly permission?: string;
  readonly fields?: readonly (readonly (string | number)[])[];
  /** What the words for a person must say. */
  readonly says: RegExp;
}

const issue = { code: "invalid_type", expected: "string", path: ["assistant_id"], message: "Required" };

const cases: readonly Case[] = [
  {
    name: "a validation error body",
    status: 422,
    text: JSON.stringify({
      detail: [{ loc: ["query", "provider_id"], msg: "Field required", type: "missing" }],
    }),
    kind: "invalid",
    detail: "query.provider_id: Field required",
    fields: [["query", "provider_id"]],
    says: /Correct provider_id/,
  },
  {
    name: "a schema validator's issues",
    status: 400,
    text: JSON.stringify({ success: false, error: { issues: [issue], name: "ZodError" } }),
    kind: "invalid",
    detail: "assistant_id: Required",
    fields: [["assistant_id"]],
    says: /Correct assistant_id/,
  },
  {
    name: "a flat Unauthorized",
    status: 401,
    text: '{"error":"Unauthorized"}',
    kind: "unauthorized",
    detail: "Unauthorized",
    says: /Set the connection's API key/,
  },
  {
    name: "a flat Forbidden",
    status: 403,
    text: '{"error":"Forbidden"}',
    kind: "forbidden",
    detail: "Forbidden",
    says: /workspace/,
  },
  {
    name: "a missing permission in plain text",
    status: 403,
    text: "missing permission bulk-exports:manage",
    kind: "missingPermission",
    permission: "bulk-exports:manage",
    says: /permission bulk-exports:manage/,
  },
  {
    name: "a missing permission in JSON, at a sentence's end",
    status: 403,
    text: '{"detail":"Missing permission: agents.write."}',
    kind: "missingPermission",
    permission: "agents.write",
    says: /agents\.write/,
  },
  { name: "a 403 without a body", status: 403, text: "", kind: "forbidden", says: /API key was refused/ },
  {
    name: "a detail text",
    status: 404,
    text: '{"detail":"Deployment ID x not found."}',
    kind: "notFound",
    detail: "Deployment ID x not found.",
    says: /Deployment ID x not found/,
  },
  {
    name: "plain text",
    status: 404,
    text: "Thread with ID x not found",
    kind: "notFound",
    detail: "Thread with ID x not found",
    says: /Refresh/,
  },
  {
    name: "a busy thread",
    status: 409,
    text: "Thread is busy",
    kind: "conflict",
    detail: "Thread is busy",
    says: /stop it/,
  },
  {
    name: "a thread that runs, as 422",
    status: 422,
    text: "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.",
    kind: "conflict",
    says: /another strategy/,
  },
  {
    name: "a structured error",
    status: 502,
    text: '{"type":"https://e.example/x","code":"upstream_auth_failed","detail":"upstream said no","status":502}',
    kind: "server",
    detail: "upstream said no",
    says: /status 502: upstream said no/,
  },
  {
    name: "an error code and message",
    status: 422,
    text: '{"error":"invalid_state_update","message":"no such node"}',
    kind: "invalid",
    detail: "no such node",
    says: /no such node/,
  },
  {
    name: "a JSON string in a JSON string",
    status: 500,
    text: JSON.stringify({ error: JSON.stringify({ error: "Error", message: "disk full" }) }),
    kind: "server",
    detail: "disk full",
    says: /disk full/,
  },
  {
    name: "a bare JSON string",
    status: 400,
    text: '"Bad bucket"',
    kind: "invalid",
    detail: "Bad bucket",
    says: /Bad bucket/,
  },
  {
    name: "an HTML page",
    status: 502,
    text: "<html><head><title>Bad Gateway</title></head></html>",
    kind: "server",
    detail: "answered with an HTML page: Bad Gateway",
    says: /Bad Gateway/,
  },
  { name: "too much", status: 413, text: "", kind: "tooLarge", says: /too large/ },
  { name: "too often", status: 429, text: "slow down", kind: "rateLimited", says: /limits the rate/ },
  {
    name: "an unknown status",
    status: 418,
    text: "teapot",
    kind: "invalid",
    detail: "teapot",
    says: /teapot/,
  },
];

describe("errorOfReply", () => {
  for (const { name, status, text, kind, detail, permission, fields, says } of cases) {
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
  }).timeout(5000);

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
