import assert from "node:assert/strict";
import { is, list, LocalPlatform, text } from "../../../support/localPlatform.ts";

describe("the Local Platform's API keys", () => {
  let platform: LocalPlatform;
  let keys: string;

  before(async () => {
    platform = await LocalPlatform.start();
    keys = `${platform.ready.localUrl}/api-keys`;
  });
  after(() => platform.remove());

  const make = async (body: unknown): Promise<Record<string, string>> => {
    const answer = await platform.send("POST", keys, body);
    assert.equal(answer.status, 201, answer.text);
    return { "x-api-key": text(answer.body.api_key) };
  };

  it("are told once and never listed", async () => {
    const made = await platform.send("POST", keys, { name: "reader", role: "viewer" });
    const key = text(made.body.api_key);
    const { text: listed, body } = await platform.send("GET", keys);
    assert.ok(!listed.includes(key));
    const mine = list(body).find(({ id }) => is(id, text(made.body.id)));
    assert.equal(mine?.name, "reader");
    assert.deepEqual(mine.permissions, ["*:read"]);
  });

  it("are good until they are deleted, also after a restart", async () => {
    const made = await platform.send("POST", keys, { name: "short-lived" });
    const headers = { "x-api-key": text(made.body.api_key) };
    assert.equal((await platform.send("GET", "/info", undefined, headers)).status, 200);
    await platform.stop();
    platform = await LocalPlatform.start(platform.directory);
    keys = `${platform.ready.localUrl}/api-keys`;
    assert.equal((await platform.send("GET", "/info", undefined, headers)).status, 200);
    const path = `${keys}/${text(made.body.id)}`;
    assert.equal((await platform.send("DELETE", path)).status, 204);
    assert.equal((await platform.send("DELETE", path)).status, 404);
    assert.equal((await platform.send("GET", "/info", undefined, headers)).status, 403);
  });

  it("without a permission get its name as plain text", async () => {
    const headers = await make({ permissions: ["agents:read"] });
    const answer = await platform.send("GET", keys, undefined, headers);
    assert.equal(answer.status, 403);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
    assert.equal(answer.text, "missing permission api-keys:manage");
    assert.equal((await platform.send("POST", keys, { role: "admin" }, headers)).status, 403);
  });

  it("with a permission pass, by its name, by a pattern or by a role", async () => {
    for (const body of [
      { permissions: ["api-keys:manage"] },
      { permissions: ["api-keys:*"] },
      { role: "admin" },
    ]) {
      assert.equal((await platform.send("GET", keys, undefined, await make(body))).status, 200);
    }
  });

  it("of an organisation need a workspace beside them", async () => {
    const headers = await make({ scope: "organization" });
    const without = await platform.send("GET", "/info", undefined, headers);
    assert.equal(without.status, 403);
    assert.match(text(without.body.detail), /requires workspace specification/);
    const workspace = { "x-tenant-id": platform.ready.workspaceId };
    assert.equal((await platform.send("GET", "/info", undefined, { ...headers, ...workspace })).status, 200);
  });

  const refused: [string, string, string, unknown, number][] = [
    ["an unknown role", "POST", "", { role: "king" }, 422],
    ["permissions that are a text", "POST", "", { permissions: "all" }, 422],
    ["a permission with a line break", "POST", "", { permissions: ["a\r\nset-cookie: b"] }, 422],
    ["malformed JSON", "POST", "", "{", 422],
    ["nesting without end", "POST", "", "[".repeat(50_000), 422],
    ["a body above 10 MB", "POST", "", JSON.stringify({ name: "x".repeat(10 * 1024 * 1024) }), 413],
    ["an id that climbs", "DELETE", "/..%2F..%2Ffaults", undefined, 422],
    ["an unknown id", "DELETE", `/${crypto.randomUUID()}`, undefined, 404],
  ];
  for (const [name, method, path, body, status] of refused) {
    it(`are refused with ${status} for ${name}`, async () => {
      const answer = await platform.send(method, keys + path, body);
      assert.equal(answer.status, status, answer.text);
      assert.notEqual(answer.body.detail, undefined);
    });
  }
});

describe("the Local Platform's error bodies", () => {
  let platform: LocalPlatform;
  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  it("have a type, a code, a detail and the status under the managed agents", async () => {
    const answer = await platform.send("GET", `${platform.ready.baseUrl}/v1/managed/nothing`);
    assert.equal(answer.status, 404);
    assert.deepEqual(Object.keys(answer.body).sort(), ["code", "detail", "status", "type"]);
    assert.equal(answer.body.status, 404);
  });

  it("have a detail elsewhere", async () => {
    const answer = await platform.send("GET", `${platform.ready.baseUrl}/nothing`);
    assert.deepEqual(answer.body, { detail: "Not Found" });
  });
});
