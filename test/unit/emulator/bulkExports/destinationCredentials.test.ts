import assert from "node:assert/strict";
import { ExportBench } from "./exportBench.ts";
import { credentials, secret } from "./exportClient.ts";
import { text } from "../../../support/localPlatform.ts";
import type { Answer } from "../../../support/localPlatform.ts";

describe("a destination whose credentials are replaced", () => {
  let bench: ExportBench;

  before(async () => {
    bench = await ExportBench.start();
  });
  after(() => bench.stop());

  const create = async (): Promise<Answer> =>
    await bench.client.send("POST", "/destinations", bench.bin.order());

  const renewed = { ...credentials, secret_access_key: "another-secret-54321", session_token: "token-1" };

  it("answers with what has changed, and only the credentials have", async () => {
    const { body: before } = await create();
    const path = `/destinations/${text(before.id)}`;
    const patched = await bench.client.send("PATCH", path, {
      credentials: renewed,
      config: { prefix: "elsewhere" },
    });
    assert.equal(patched.status, 200, patched.text);
    assert.deepEqual(Object.keys(patched.body).sort(), [
      "created_at",
      "credentials_keys",
      "id",
      "tenant_id",
      "updated_at",
    ]);
    assert.deepEqual(patched.body.credentials_keys, ["access_key_id", "secret_access_key", "session_token"]);
    const { body: after } = await bench.client.send("GET", path);
    assert.deepEqual(after.config, before.config);
    assert.equal(after.display_name, before.display_name);
    assert.ok(text(after.updated_at) > text(before.updated_at));
  });

  it("writes with the new credentials before it keeps them", async () => {
    const { body } = await create();
    bench.bin.visits.length = 0;
    await bench.client.send("PATCH", `/destinations/${text(body.id)}`, { credentials: renewed });
    assert.equal(bench.bin.visits[0]?.token, "token-1");
    assert.match(bench.bin.visits[0].url, /^\/traces\/p\/tmp\/[0-9a-f-]{36}\.txt/);
  });

  it("needs credentials, and repeats none", async () => {
    const { body } = await create();
    for (const wrongBody of [{}, { credentials: null }, { credentials: { access_key_id: secret } }]) {
      const answer = await bench.client.send("PATCH", `/destinations/${text(body.id)}`, wrongBody);
      assert.equal(answer.status, 422);
      assert.equal(answer.text.includes(secret), false);
    }
  });

  it("needs one of two permissions, which is named when it is missing", async () => {
    const { body } = await create();
    const patch = async (permissions: string[]): Promise<Answer> => {
      const made = await bench.platform.send("POST", `${bench.platform.ready.localUrl}/api-keys`, {
        permissions,
      });
      const key = { "x-api-key": text(made.body.api_key) };
      return await bench.client.send("PATCH", `/destinations/${text(body.id)}`, { credentials }, key);
    };
    const refused = await patch(["deployments:read"]);
    assert.equal(refused.status, 403);
    assert.match(refused.headers.get("content-type") ?? "", /^text\/plain/);
    assert.equal(refused.text, "missing permission bulk-exports:manage");
    assert.equal((await patch(["bulk-exports:manage"])).status, 200);
    assert.equal((await patch(["workspaces:manage"])).status, 200);
  });
});
