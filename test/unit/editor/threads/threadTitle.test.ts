import { strict as assert } from "node:assert";
import { titleOf, titleOnTab } from "../../../../src/editor/threads/servers/threadTitle.ts";

const thread_id = "01a1fc88-1e99-74db-baf6-e83986dc8ab6";

describe("A thread's title", () => {
  it("is what a person called it, else how it began, else the start of its id", () => {
    const values = { messages: [{ type: "human", content: "tell\n me \t more" }] };
    assert.equal(titleOf({ thread_id, metadata: { title: "Tides" }, values }), "Tides");
    assert.equal(titleOf({ thread_id, metadata: {}, values }), "tell me more");
    assert.equal(titleOf({ thread_id, metadata: { title: " " } }), "Thread 01a1fc88");
  });

  it("leaves room on a tab, and says that it goes on", () => {
    assert.equal(titleOnTab("Short"), "Short");
    assert.equal(titleOnTab("x".repeat(32)), "x".repeat(32));
    assert.equal(titleOnTab("A walk on the beach: stone 0 lies here"), "A walk on the beach: stone 0 li…");
  });
});
