import type { ErrorKind } from "../../../src/api/errors.ts";

/** A refusal as a server sends it, and what is to be understood of it. */
export interface Refusal {
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

/** The bodies that servers and gateways send. */
export const refusals: readonly Refusal[] = [
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
    name: "a field that is named by a text, and one by no name at all",
    status: 422,
    text: JSON.stringify({ detail: [{ loc: "topic" }, { msg: "too many", loc: [{}, "items", 2] }, {}] }),
    kind: "invalid",
    detail: "topic: is not valid; items.2: too many; is not valid",
    fields: [["topic"], ["items", 2], []],
    says: /topic/,
  },
  {
    name: "a list of errors under another name, each with a code",
    status: 422,
    text: JSON.stringify({ errors: [{ path: ["a"], message: "no", code: "custom" }] }),
    kind: "invalid",
    detail: "a: no",
    fields: [["a"]],
    says: /a/,
  },
  {
    name: "a proxy that wants to know who asks",
    status: 407,
    text: "Who are you?",
    kind: "proxy",
    detail: "it answered 407 Who are you?",
    says: /proxy/i,
  },
  { name: "what is gone", status: 410, text: "", kind: "notFound", says: /Refresh/ },
  { name: "a gateway that waited too long", status: 504, text: "", kind: "timeout", says: /time|later/ },
  { name: "a server that waited too long", status: 408, text: "", kind: "timeout", says: /time|later/ },
  { name: "an error of the server", status: 500, text: "", kind: "server", says: /500/ },
  {
    name: "a page without a title",
    status: 500,
    text: "<p>Oh no</p>",
    kind: "server",
    detail: "answered with an HTML page",
    says: /HTML page/,
  },
  {
    name: "a long text of several lines by its beginning",
    status: 500,
    text: `${"x".repeat(400)}\r\nmore`,
    kind: "server",
    detail: "x".repeat(300),
    says: /xxx/,
  },
  {
    name: "an unknown status",
    status: 418,
    text: "teapot",
    kind: "invalid",
    detail: "teapot",
    says: /teapot/,
  },
];
