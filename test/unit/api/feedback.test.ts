import assert from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import { submitFeedback } from "../../../src/api/agentServer/feedback.ts";
import { serve } from "../../support/testServer.ts";

const token = "/api/v1/feedback/tokens/3f0c-s3cret";

describe("submitFeedback", () => {
  it("posts the fields as JSON, without authorization", async () => {
    await using server = await serve(() => ({ body: "null" }));
    const feedback = {
      score: 1,
      comment: "gut & günstig",
      correction: { answer: 42 },
      metadata: { from: "editor" },
    };
    await submitFeedback(`${server.url}${token}?sig=a%2Bb`, feedback);
    const [asked] = server.asked;
    assert.equal(asked?.method, "POST");
    assert.equal(asked.url, `${token}?sig=a%2Bb`);
    assert.deepEqual(JSON.parse(asked.body), feedback);
    assert.equal(asked.headers["x-api-key"] ?? asked.headers.authorization, undefined);
  });

  it("sends the fields in the query with GET, the correction as JSON", async () => {
    await using server = await serve(() => ({ body: "null" }));
    await submitFeedback(
      server.url + token,
      { score: -1, value: 2, comment: "a b&c", correction: { answer: 42 } },
      { method: "GET" },
    );
    const [asked] = server.asked;
    assert.equal(asked?.method, "GET");
    const query = Object.fromEntries(new URL(asked.url, server.url).searchParams);
    assert.deepEqual(query, { score: "-1", value: "2", comment: "a b&c", correction: '{"answer":42}' });
    assert.equal(asked.body, "");
  });

  it("refuses metadata with GET before anything is sent", async () => {
    await using server = await serve(() => ({ body: "null" }));
    const sending = submitFeedback(server.url + token, { score: 1, metadata: { a: 1 } }, { method: "GET" });
    await assert.rejects(
      sending,
      (error) => error instanceof ApiError && /metadata/.test(error.detail ?? ""),
    );
    assert.equal(server.asked.length, 0);
  });

  for (const method of ["POST", "GET"] as const) {
    it(`sends ${method} once even when it fails, and does not show the token`, async () => {
      await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" } }));
      const sending = submitFeedback(server.url + token, { score: 1 }, { method });
      await assert.rejects(sending, (error) => {
        assert.ok(error instanceof ApiError);
        assert.doesNotMatch(JSON.stringify(error) + String(error.stack), /s3cret/);
        return error.kind === "server";
      });
      assert.equal(server.asked.length, 1);
    });
  }

  it("refuses a URL that is none", async () => {
    for (const url of ["", "file:///etc/passwd", "javascript:1"]) {
      await assert.rejects(
        submitFeedback(url, { score: 1 }),
        (error) => error instanceof ApiError && error.kind === "invalid",
      );
    }
  });
});
