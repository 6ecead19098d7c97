import { strict as assert } from "node:assert";
import type { JsonObject } from "../../../../src/api/agentServer/wire.ts";
import { editableText, keysThatDiffer, readEdit } from "../../../../src/run/repair/stateEdit.ts";

const message = (id: string, content = id) => ({ type: "human", id, content });

/** What is written when the text of these values is changed so. */
function written(values: JsonObject, change: (values: Record<string, unknown>) => unknown): unknown {
  const edited = JSON.parse(editableText(values)) as Record<string, unknown>;
  const edit = readEdit(values, JSON.stringify(change(edited) ?? edited));
  return "problem" in edit ? edit.problem : edit.values;
}

describe("a state that a person edited", () => {
  it("is written as far as it was changed", () => {
    const values = { topic: "Tides", rounds: 3, tags: ["sea"], __interrupt__: [] };
    assert.deepEqual(
      written(values, (now) => void (now["topic"] = "Moon")),
      { topic: "Moon" },
    );
    assert.deepEqual(
      written(values, () => undefined),
      {},
    );
    assert.deepEqual(
      written(values, (now) => void (now["tags"] = [])),
      { tags: [] },
    );
    assert.deepEqual(
      written(values, (now) => ({ ...now, extra: null })),
      { extra: null },
    );
    assert.ok(!editableText(values).includes("__interrupt__"));
  });

  it("has its messages changed, added and taken out by their ids", () => {
    const values = { messages: [message("a"), message("b"), message("c")] };
    const make = (...messages: readonly unknown[]) => written(values, () => ({ messages }));
    assert.deepEqual(make(message("a"), message("b", "B"), message("c")), { messages: [message("b", "B")] });
    assert.deepEqual(make(message("a"), message("c")), { messages: [{ type: "remove", id: "b" }] });
    const added = { role: "user", content: "new" };
    assert.deepEqual(make(message("a"), message("b"), message("c"), added), { messages: [added] });
  });

  it("has its messages written anew where their order is another one, or one has no id", () => {
    const values = { messages: [message("a"), message("b")] };
    const all = { type: "remove", id: "__remove_all__" };
    const first = { role: "user", content: "first" };
    for (const messages of [
      [message("b"), message("a")],
      [first, message("a"), message("b")],
    ])
      assert.deepEqual(
        written(values, () => ({ messages })),
        { messages: [all, ...messages] },
      );
    const nameless = { messages: [{ type: "human", content: "x" }] };
    assert.deepEqual(
      written(nameless, () => ({ messages: [{ type: "human", content: "y" }] })),
      {
        messages: [all, { type: "human", content: "y" }],
      },
    );
  });

  it("keeps credentials that it does not show", () => {
    const values = {
      settings: { api_key: "sk-never-to-be-seen", model: "a" },
      messages: [message("a", "password=hunter22hunter22 and more"), message("b")],
    };
    assert.ok(!/never-to-be-seen/.test(editableText(values)), editableText(values));
    const change = (now: Record<string, unknown>) => {
      (now["settings"] as Record<string, unknown>)["model"] = "b";
    };
    assert.deepEqual(written(values, change), { settings: { api_key: "sk-never-to-be-seen", model: "b" } });
    const nameless = {
      list: [{ api_key: "sk-first-one-never-seen" }, { api_key: "sk-second-one-never-seen" }],
    };
    assert.deepEqual(
      written(nameless, (now) => void (now["list"] as unknown[]).push({ n: 1 })),
      { list: [...nameless.list, { n: 1 }] },
    );
    const beside = { note: "API_KEY=sk-never-to-be-seen-again" };
    assert.match(
      String(written(beside, (now) => ({ note: `${String(now["note"])} edited` }))),
      /^note holds a masked credential/,
    );
  });

  it("is refused in words where nothing can be made of it", () => {
    const problem = (text: string) => readEdit({ topic: "Tides" }, text);
    assert.deepEqual(problem("[1]"), { problem: "A state is a JSON object." });
    assert.match(JSON.stringify(problem('{"topic": }')), /This is no JSON. Line 1, column 11/);
    assert.match(JSON.stringify(problem('{"topic": 1e400}')), /^\{"problem":"Line 1, column 11: this number/);
    assert.match(JSON.stringify(problem("{}")), /“topic” can't be taken out of a state. Set it to null/);
  });

  it("is compared with what the graph made of it", () => {
    const meant = { done: ["a"], messages: [{ role: "user", content: "x" }], topic: "Tides" };
    const now = { done: ["b", "a"], messages: [message("1", "x")], topic: "Tides", more: 1 };
    assert.deepEqual(keysThatDiffer(meant, now), ["done"]);
    assert.deepEqual(keysThatDiffer(meant, { ...now, done: ["a"], messages: [] }), ["messages"]);
  });
});
