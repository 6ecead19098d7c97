import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { Hono } from "hono";
import * as z from "zod";
import { readQuery } from "../../../../src/emulator/http/body.ts";
import type { Env } from "../../../../src/emulator/http/env.ts";
import { Faults } from "../../../../src/emulator/http/faults.ts";
import { operation, routesOf } from "../../../../src/emulator/http/operation.ts";
import { closePlatform, openPlatform } from "../../../../src/emulator/platform/platform.ts";
import { RecentRequests } from "../../../../src/emulator/statusPage/recentRequests.ts";
import { compose } from "../../../../src/emulator/server.ts";
import { is, LocalPlatform, temporaryDirectory, text } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";

describe("the Local Platform's description of itself", () => {
  let platform: LocalPlatform;
  let document: Shape;

  before(async () => {
    platform = await LocalPlatform.start();
    document = (await platform.send("GET", `${platform.ready.localUrl}/openapi.json`)).body;
  });
  after(() => platform.remove());

  it("names every route that is served, and no other", async () => {
    const directory = await temporaryDirectory();
    const composed = openPlatform(directory, undefined, () => "");
    const served = compose(composed, new Faults(), new RecentRequests())
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    await closePlatform(composed);
    await rm(directory, { recursive: true });
    const described = Object.entries(document.paths!).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(described.sort(), [...new Set(served)].sort());
  });

  it("is open to everyone and names the security schemes", async () => {
    const answer = await fetch(`${platform.ready.localUrl}/openapi.json`);
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(document.components?.securitySchemes ?? {}), [
      "API Key",
      "Tenant ID",
      "Bearer Auth",
    ]);
  });

  it("says which interface asks for the workspace beside the key", () => {
    assert.deepEqual(document.paths!["/api/v1/bulk-exports"]?.post?.security, [
      { "API Key": [], "Tenant ID": [] },
    ]);
    assert.equal(document.paths!["/v1/managed/agents"]?.get?.security, undefined);
  });

  it("has a different operation id, a summary and answers for each operation", () => {
    const operations = Object.values(document.paths!).flatMap((methods) =>
      Object.values(methods as Record<string, Shape>),
    );
    const ids = new Set(operations.map(({ operationId }) => text(operationId)));
    assert.equal(ids.size, operations.length);
    for (const { summary, responses } of operations) {
      assert.match(text(summary), /^[A-Z]/);
      assert.ok(Object.keys(responses ?? {}).some((status) => /^[123]/.test(status)));
    }
  });

  it("shows what bodies and queries are checked against", () => {
    const threads = document.paths!["/deployments/{deployment_id}/threads/search"]?.post;
    const schema = threads?.requestBody?.content?.["application/json"]?.schema;
    assert.match(JSON.stringify(schema), /"maximum":1000/);
    const runs = document.paths!["/deployments/{deployment_id}/threads/{thread_id}/runs"]?.get;
    const names = (runs!.parameters as unknown as Shape[]).map(({ name }) => text(name));
    assert.deepEqual(names, ["deployment_id", "thread_id", "limit", "offset", "status"]);
  });

  it("is what routes are held to: reading by another schema than described fails", async () => {
    const app = new Hono<Env>();
    const described = operation("Say", { 200: "Yes." }, { query: z.object({}) });
    app.get("/", described, (c) => c.json(readQuery(c, z.object({}))));
    app.onError((error, c) => c.text(error.message, 500));
    assert.equal(routesOf(app)[0]?.operation?.summary, "Say");
    const answer = await app.request("/");
    assert.ok(is(await answer.text(), `"Say" describes another query than it reads.`));
  });
});
