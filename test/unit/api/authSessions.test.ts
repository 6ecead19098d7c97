import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import type { AuthSessions } from "../../../src/api/managedAgents/authSessions.ts";
import { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import { ToolServer } from "../../support/toolServer.ts";
import { LocalPlatform } from "../../support/localPlatform.ts";
import { McpClient } from "../../support/mcpClient.ts";
import { serve } from "../../support/testServer.ts";
import type { TestServer } from "../../support/testServer.ts";

const recording = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../fixtures/wire/authSessions/${name}.json`), "utf8");
const client = (server: TestServer): AuthSessions =>
  new ManagedAgents(new Http({ baseUrl: `${server.url}/v1/managed` })).authSessions;
const id = "c6c0a4a8-3c53-4b0e-9e65-0d7c3d2b1444";

describe("AuthSessions", () => {
  it("begins a session and says where the user agrees", async () => {
    await using server = await serve(() => ({ status: 201, body: recording("pending") }));
    const body = { provider_id: "p1", scopes: ["read"], strategy: "CREATE" } as const;
    assert.deepEqual(await client(server).start(body), {
      id,
      status: "PENDING",
      verification_url: "https://auth.example.com/authorize?client_id=c1&state=s1&code_challenge=p1",
    });
    const [asked] = server.asked;
    assert.deepEqual([asked?.method, asked?.url], ["POST", "/v1/managed/auth-sessions"]);
    assert.deepEqual(JSON.parse(asked?.body ?? ""), body);
  });

  it("drops the token of a grant that is reused, wherever it stands", async () => {
    await using server = await serve(() => ({ body: recording("reused") }));
    const started = await client(server).start({ provider_id: "p1", scopes: [], strategy: "REUSE" });
    assert.deepEqual(started, { status: "COMPLETED" });
  });

  it("keeps no token in the error for an answer that it can't understand", async () => {
    for (const body of ['{"token":"never-to-be-seen"}', "never-to-be-seen"]) {
      await using server = await serve(() => ({ body }));
      const starting = client(server).start({ provider_id: "p1", scopes: [], strategy: "REUSE" });
      await assert.rejects(starting, (error) => {
        assert.ok(error instanceof ApiError);
        assert.doesNotMatch(JSON.stringify(error) + String(error.stack) + String(error.cause), /to-be-seen/);
        return true;
      });
    }
  });

  it("gives no address that is not a web page", async () => {
    for (const address of ["file:///etc/passwd", "vscode://x/y", "javascript:alert(1)", "nowhere"]) {
      const body = JSON.stringify({ id, status: "PENDING", verification_url: address });
      await using server = await serve(() => ({ status: 201, body }));
      const started = await client(server).start({ provider_id: "p1", scopes: [], strategy: "CREATE" });
      assert.deepEqual(started, { id, status: "PENDING" });
    }
  });

  it("waits within the interface's limits, and says why a session ended", async () => {
    await using server = await serve(() => ({ body: recording("refused") }));
    const api = client(server);
    for (const waitSeconds of [0, 12, 99]) {
      assert.deepEqual(await api.get(id, { waitSeconds }), {
        id,
        status: "CONNECTION_REQUIRED",
        error: "access_denied",
      });
    }
    const path = `/v1/managed/auth-sessions/${id}?wait_seconds=`;
    assert.deepEqual(
      server.asked.map(({ method, url }) => `${method} ${url}`),
      [`GET ${path}1`, `GET ${path}12`, `GET ${path}25`],
    );
  });

  it("shows a status that nobody knows yet as it is", async () => {
    await using server = await serve(() => ({ body: '{"status":"WAITING_FOR_ADMIN"}' }));
    assert.deepEqual(await client(server).get(id), { status: "WAITING_FOR_ADMIN" });
  });

  it("ends connected on a Local Platform when the user agreed, at once and without a token", async () => {
    const [platform, tools] = await Promise.all([LocalPlatform.start(), ToolServer.start({ oauth: true })]);
    try {
      const { baseUrl, apiKey } = platform.ready;
      const headers = () => Promise.resolve({ "x-api-key": apiKey });
      const api = new ManagedAgents(new Http({ baseUrl: `${baseUrl}/v1/managed`, headers })).authSessions;
      const provider_id = await new McpClient(platform).provider(tools.url);
      const session = await api.start({ provider_id, scopes: [], strategy: "CREATE" });
      assert.equal(session.status, "PENDING");
      const waiting = api.get(session.id ?? "", { waitSeconds: 25 });
      await fetch(session.verification_url ?? "");
      assert.deepEqual(await waiting, { id: session.id, status: "COMPLETED" });
      const again = await api.start({ provider_id, scopes: [], strategy: "REUSE" });
      assert.deepEqual(again, { status: "COMPLETED" });
    } finally {
      await platform.remove();
      await tools.stop();
    }
  });
});
