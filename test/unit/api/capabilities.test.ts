import { strict as assert } from "node:assert";
import { Capabilities, isUnsupported } from "../../../src/api/capabilities.ts";
import { ApiError } from "../../../src/api/errors.ts";

const failing = (status: number) => (): Promise<string> =>
  Promise.reject(new ApiError("invalid", { method: "GET", url: "http://a/list", status }));

describe("What a server does not support", () => {
  for (const status of [404, 405, 501]) {
    it(`is found by ${String(status)}, and asked for once`, async () => {
      let changes = 0;
      const capabilities = new Capabilities(() => {
        changes += 1;
      });
      await assert.rejects(capabilities.ask("list", failing(status)), isUnsupported);
      const never = () => {
        assert.fail("it is asked again");
      };
      await assert.rejects(capabilities.ask("list", never), { kind: "unsupported", status });
      assert.equal(await capabilities.tryAsk("list", never), undefined);
      assert.deepEqual(capabilities.unsupported, ["list"]);
      assert.equal(changes, 1);
      assert.equal(await capabilities.ask("log", () => Promise.resolve("there")), "there");
    });
  }

  it("is not found by other failures", async () => {
    const capabilities = new Capabilities(() => {
      assert.fail("nothing was found");
    });
    for (const status of [400, 401, 403, 410, 422, 500, 503])
      await assert.rejects(capabilities.tryAsk("list", failing(status)), { status });
    await assert.rejects(
      capabilities.tryAsk("list", () => Promise.reject(new Error("broken"))),
      /broken/,
    );
  });

  it("is not found by a 404 of a thing that is gone, whose own failure is passed on", async () => {
    const capabilities = new Capabilities();
    const gone = () => Promise.reject(new ApiError("notFound", { method: "GET", url: "http://a/thing" }));
    await assert.rejects(capabilities.tryAsk("delete", failing(404), gone), { kind: "notFound" });
    assert.equal(capabilities.isUnsupported("delete"), false);
    assert.equal(await capabilities.tryAsk("delete", failing(405), gone), undefined);
  });
});
