import assert from "node:assert/strict";
import type { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { parseJson } from "../../../src/api/wholeAnswer.ts";
import { serve } from "../../support/testServer.ts";

const mb = 1024 * 1024;
const facts = { method: "GET", url: "https://api.example.com/x", status: 200 };

/** How it fails, in short; undefined when it does not. */
async function failure(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const { kind, detail } = error as ApiError;
    return `${kind}: ${detail ?? ""}`;
  }
}

describe("A whole answer", () => {
  const tooLong = "answerTooLarge: the answer is longer than 1 MB";
  const request = { method: "GET", path: "/x", mostMb: 1 } as const;

  for (const [size, expected] of [
    [mb, undefined],
    [mb + 1, tooLong],
  ] as const) {
    it(`of ${size} bytes is ${expected === undefined ? "read" : "refused, and not asked for again"} where 1 MB may come`, async () => {
      for (const isTold of [true, false]) {
        await using server = await serve(() => (response) => {
          response.writeHead(200, isTold ? { "content-length": size } : {});
          response.end("x".repeat(size));
        });
        const http = new Http({ baseUrl: server.url });
        assert.equal(await failure(() => http.reply(request)), expected, `told: ${isTold}`);
        assert.equal(server.asked.length, 1);
      }
    });
  }

  it("is given up as soon as its length is told, and its connection ended", async () => {
    await using server = await serve(() => (response) => {
      response.writeHead(200, { "content-length": 3000 * mb });
      response.write("{");
      response.once("close", () => ended.resolve(undefined));
    });
    const ended = Promise.withResolvers<undefined>();
    assert.equal(await failure(() => new Http({ baseUrl: server.url }).reply(request)), tooLong);
    await ended.promise;
  });

  it("has no more values than a machine's memory takes, however short they are", async () => {
    const tooMany = "answerTooLarge: it has more than 4000000 values";
    const list = (part: string, count: number) => `[${`${part},`.repeat(count - 1)}${part}]`;
    assert.equal(await failure(() => parseJson(list("10", 4_000_000), facts)), undefined);
    assert.equal(await failure(() => parseJson(list("10", 4_000_001), facts)), tooMany);
    for (const part of ["{}", "[]"])
      assert.equal(await failure(() => parseJson(list(part, 2_700_000), facts)), tooMany, part);
  });

  it("is JSON, nothing, or says what it is instead", async () => {
    assert.deepEqual(parseJson(' {"a":[1]} ', facts), { a: [1] });
    assert.equal(parseJson(" \n", facts), undefined);
    assert.equal(
      await failure(() => parseJson("\n <html></html>", facts)),
      "notJson: answered with an HTML page",
    );
    assert.equal(await failure(() => parseJson("a < b", facts)), "notJson: answered with text");
  });
});
