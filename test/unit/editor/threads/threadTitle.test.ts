import { equal } from "node:assert/strict";
import {
  isTitleOfId,
  titleOf,
  titleOfId,
  titleOfInput,
  titleOnTab,
} from "../../../../src/editor/threads/servers/threadTitle.ts";

// Two threads of the same minute: servers write the time at the beginning of their ids.
const id = "01a1fc88-1e99-74db-baf6-e83986dc8ab6";
const twin = "01a1fc88-1e99-74db-a0c3-0b7d5c11f207";

describe("A thread's title", () => {
  it("is what a person called it, else how it began, else nothing", () => {
    const values = { messages: [{ type: "human", content: "tell\n me \t more" }] };
    equal(titleOf({ metadata: { title: "Tides" }, values }), "Tides");
    equal(titleOf({ metadata: {}, values }), "tell me more");
    equal(titleOf({ metadata: { title: " " } }), undefined);
  });

  it("is the graph and the end of the id where no more is known, which tells two of one minute apart", () => {
    equal(titleOfId(id), "Thread dc8ab6");
    equal(titleOfId(twin, { graph_id: "pipeline" }), "pipeline 11f207");
    equal(isTitleOfId("pipeline 11f207", twin), true);
    equal(isTitleOfId("Thread dc8ab6", id), true);
    equal(isTitleOfId("A talk about dc8ab6 and others", id), false);
    equal(isTitleOfId("Title of a", "a"), false);
  });

  it("is read from an input: what was said, in any spelling, or the first text after the graph's name", () => {
    const metadata = { graph_id: "pipeline" };
    const said = (input: Parameters<typeof titleOfInput>[0]) => titleOfInput(input, metadata);
    equal(
      said({
        messages: [
          { role: "system", content: "Be brief" },
          { role: "user", content: "Hi" },
        ],
      }),
      "Hi",
    );
    equal(
      said({ messages: [{ type: "human", content: [{ type: "text", text: "Look" }, { type: "image" }] }] }),
      "Look",
    );
    equal(said({ messages: "Hi there" }), "Hi there");
    equal(said({ messages: { role: "human", content: "One" } }), "One");
    equal(said("just text"), "just text");
    equal(said({ depth: 3, empty: " ", topic: "Tides", audience: "kids" }), "pipeline: Tides");
    equal(titleOfInput({ topic: "Tides" }, {}), "Tides");
    for (const none of [{ depth: 3 }, {}, null, [1], { messages: [null, 7, [{}]] }, undefined])
      equal(said(none), undefined);
  });

  it("leaves room on a tab, and says that it goes on", () => {
    equal(titleOnTab("Short"), "Short");
    equal(titleOnTab("x".repeat(32)), "x".repeat(32));
    equal(titleOnTab("A walk on the beach: stone 0 lies here"), "A walk on the beach: stone 0 li…");
  });
});
