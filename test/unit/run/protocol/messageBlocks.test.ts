import { strict as assert } from "node:assert";
import type { Json, JsonObject } from "../../../../src/api/agentServer/wire.ts";
import { MessageBlocks } from "../../../../src/run/protocol/messageBlocks.ts";

const start = { event: "message-start", id: "m", role: "assistant" };
const delta = (text: string, index?: number): Json => ({
  event: "content-block-delta",
  delta: { text },
  ...(index === undefined ? {} : { index }),
});

describe("Message events of the streaming protocol", () => {
  let blocks: MessageBlocks;

  beforeEach(() => (blocks = new MessageBlocks()));

  const all = (...events: readonly Json[]): readonly JsonObject[] =>
    events.flatMap((event) => blocks.pieces("s", event) ?? []);

  it("are pieces of the message that is open where they come from", () => {
    const piece = { type: "AIMessageChunk", id: "m", content: "Hi" };
    assert.deepEqual(all(start, delta("Hi")), [piece]);
    assert.deepEqual(blocks.pieces("elsewhere", delta("Hi")), []);
  });

  it("belong to no message after its end", () => {
    const usage = { input_tokens: 1 };
    const end = { event: "message-finish", usage };
    assert.deepEqual(all(start, end), [
      { type: "AIMessageChunk", id: "m", content: "", usage_metadata: usage },
    ]);
    assert.deepEqual(all(delta("late"), end), []);
  });

  it("tell a block by its number; the first one may have none", () => {
    const finish = (index: number, text: string): Json => ({
      event: "content-block-finish",
      index,
      content: { type: "text", text },
    });
    const texts = all(
      start,
      delta("zero"),
      delta("one", 1),
      finish(0, "zero"),
      finish(1, "one"),
      finish(2, "two"),
    );
    assert.deepEqual(
      texts.map(({ content }) => content),
      ["zero", "one", "two"],
    );
  });

  it("of one block that is a tool call are told when it is complete, with what came before", () => {
    const events = [
      { event: "content-block-start", index: 2, content: { type: "tool_call_chunk", id: "t", name: "find" } },
      { event: "content-block-delta", index: 2, delta: { fields: { args: '{"a":1}' } } },
      { event: "content-block-finish", index: 2 },
    ];
    const call = { index: 2, id: "t", name: "find", args: '{"a":1}' };
    assert.deepEqual(all(start, ...events), [
      { type: "AIMessageChunk", id: "m", content: "", tool_call_chunks: [call] },
    ]);
    const whole = { event: "content-block-finish", content: { type: "tool_call", args: { b: 2 } } };
    assert.deepEqual(all(whole), [
      {
        type: "AIMessageChunk",
        id: "m",
        content: "",
        tool_call_chunks: [{ index: 0, id: null, name: null, args: '{"b":2}' }],
      },
    ]);
  });

  it("of kinds that nobody knows are left to others", () => {
    assert.equal(blocks.pieces("s", { event: "later" }), undefined);
    assert.equal(blocks.pieces("s", null), undefined);
  });
});
