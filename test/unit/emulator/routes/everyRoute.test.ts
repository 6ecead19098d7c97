import assert from "node:assert/strict";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";

interface Route {
  readonly method: string;
  readonly path: string;
}

const ids = {
  "a number": "0",
  "an unknown id": crypto.randomUUID(),
  "a way out of the folder": "..%2F..%2Fetc%2Fpasswd",
  "a NUL": "%00",
  "a header": "a%0d%0aX-Evil:%201",
  "a broken escape": "%C0%AF",
  SQL: "'%20OR%201=1--",
  "5,000 characters": "x".repeat(5000),
};
const deep = '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000);
const bodies = {
  "half an object": '{"name":',
  "a list": "[]",
  null: "null",
  "a text": '"x"',
  "a NUL": "\u0000",
  "100,000 levels": deep,
  "100,000 levels in a member": `{"metadata":${deep}}`,
  "what would change every object": '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
};

describe("every route of the Local Platform", () => {
  let platform: LocalPlatform;
  let routes: Route[];

  before(async () => {
    platform = await LocalPlatform.start();
    const { body } = await platform.send("GET", `${platform.ready.localUrl}/openapi.json`);
    routes = Object.entries(body.paths as unknown as Record<string, Record<string, Shape>>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
    assert.ok(routes.length > 90, `${routes.length} routes`);
  });
  after(() => platform.remove());

  const answered = async ({ method, path }: Route, id: string, sent: string): Promise<void> => {
    const own = path.replace(
      "{deployment_id}",
      path.startsWith("/deployments") ? platform.ready.deploymentId : id,
    );
    const url = platform.ready.baseUrl + own.replaceAll(/\{\w+\}/g, id);
    const tenant = { "x-tenant-id": platform.ready.workspaceId };
    const leave = new AbortController();
    const body = method === "GET" ? undefined : sent;
    const response = await platform.fetch(method, url, body, tenant, leave.signal);
    const what = `${method} ${path} ${response.status}`;
    assert.ok(response.status < 500, what);
    assert.equal(response.headers.get("x-evil"), null, what);
    if (response.status >= 400) assertOwnBody(path, await response.text(), what);
    leave.abort();
  };

  for (const [what, id] of Object.entries(ids)) {
    it(`answers ${what} in the place of an id, and never with a failure of its own`, async () => {
      for (const route of routes) if (route.path.includes("{")) await answered(route, id, "{}");
    });
  }

  for (const [what, body] of Object.entries(bodies)) {
    it(`answers ${what} in the place of a body, and never with a failure of its own`, async () => {
      const unknown = crypto.randomUUID();
      for (const route of routes) {
        if (route.method !== "GET" && route.method !== "DELETE") await answered(route, unknown, body);
      }
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
      assert.equal((await platform.send("GET", "/ok")).status, 200);
    });
  }
});

/** An error is told in the form of its interface. */
function assertOwnBody(path: string, text: string, what: string): void {
  if (path.includes("/auth/callback/")) {
    assert.match(text, /^<!doctype html>/, what);
    return;
  }
  const body = JSON.parse(text) as Record<string, unknown>;
  if (path.startsWith("/v1/managed")) {
    assert.deepEqual(
      [typeof body.type, typeof body.code, typeof body.status],
      ["string", "string", "number"],
      what,
    );
  } else if (path.includes("/api/threads") || path.endsWith("/commands")) {
    assert.ok(body.error !== undefined || body.detail !== undefined, what);
  } else {
    assert.ok(typeof body.detail === "string" || Array.isArray(body.detail), `${what} ${text}`);
  }
}
