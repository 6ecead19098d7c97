import { deepEqual, equal } from "node:assert/strict";
import { MessageTuples } from "../../../../src/run/raw/tokenEvents.ts";

const metadata = { langgraph_node: "model", langgraph_checkpoint_ns: "outer:1|model:2", tags: ["content"] };
const path = "outer:1|model:2";

/** Each text is read after all others, and gives what the parser of JSON says. */
function reads(texts: readonly string[]): void {
  const tuples = new MessageTuples();
  for (const text of texts) {
    const [chunk] = JSON.parse(text) as [Record<string, unknown>];
    const read = tuples.read("messages", text);
    deepEqual(read?.chunk, chunk, text);
    equal(read.path, path);
    if (read.more === undefined) continue;
    equal(read.more.content, chunk["content"]);
    for (const name of ["tool_calls", "tool_call_chunks", "usage_metadata"])
      equal(chunk[name], undefined, text);
  }
}

const tuple = (fields: object, about: object = metadata) =>
  JSON.stringify([{ id: "m1", ...fields, type: "ai" }, about]);

describe("pieces of messages", () => {
  it("are what the parser of JSON says, whatever stands in them", () => {
    const contents = [
      "plain",
      " more",
      'a "quoted" one',
      "ends in a backslash \\",
      '\\"',
      "two\nlines\tand \u0001 and \u2028",
      '","type":"ai"},{"langgraph_node":"model"}]',
      '"content":"',
      "",
      "?",
      "grüße 你好 👋 \ud83d",
    ];
    const again = contents.flatMap((one) => contents.map((other) => one + other));
    reads([...contents, ...again].map((content) => tuple({ content })));
  });

  it("may change in all else from one to the next", () => {
    const shapes = [
      { content: "a" },
      { content: "b" },
      { content: "c", name: "writer" },
      { content: "", tool_call_chunks: [{ index: 0, id: "1", name: "search", args: "" }] },
      { content: "", tool_call_chunks: [{ index: 0, args: '{"content":"x' }] },
      { additional_kwargs: { content: "not this" }, content: "d" },
      { additional_kwargs: { content: "not this" }, content: "e" },
      { additional_kwargs: { content: "nor that" } },
      { content: [{ type: "text", text: "f", content: "g" }] },
      { content: null },
      { content: "h", usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } },
      { content: "i", id: "m2" },
      { content: "j", id: '"content":"' },
      { content: "k", id: '"content":"' },
    ];
    const pairs = shapes.flatMap((one) => shapes.flatMap((other) => [one, other, other]));
    reads(pairs.map((shape) => tuple(shape)));
  });

  it("are known to be like each other from the third on, as long as they bring nothing but content", () => {
    const tuples = new MessageTuples();
    const more = (fields: object) => tuples.read("messages", tuple(fields))?.more;
    const [first, second, third, fourth] = ["a", "b", "c", 'd "e"\n'].map((content) => more({ content }));
    deepEqual([first, second], [undefined, undefined]);
    deepEqual([third?.content, fourth?.content], ["c", 'd "e"\n']);
    equal(third?.like, fourth?.like);
    const nothing = { tool_calls: [], tool_call_chunks: null };
    for (const content of ["f", "g"]) more({ ...nothing, content });
    equal(more({ ...nothing, content: "h" })?.content, "h");
    const call = { tool_calls: [{ id: "c", name: "f", args: {} }] };
    for (const content of ["i", "j", "k"]) equal(more({ ...call, content }), undefined);
  });

  it("are told from where they come", () => {
    const tuples = new MessageTuples();
    const from = (about: object) => tuples.read("messages", tuple({ content: "x" }, about))?.path;
    equal(from(metadata), path);
    equal(from(metadata), path);
    equal(from({ ...metadata, langgraph_checkpoint_ns: "other:3" }), "other:3");
    equal(from({ checkpoint_ns: "old:4" }), "old:4");
    equal(from({}), undefined);
  });

  it("are none where the data is no tuple", () => {
    const tuples = new MessageTuples();
    const whole = tuple({ content: "x" });
    for (const text of [whole, whole, whole]) tuples.read("messages", text);
    const broken = [
      "",
      "[",
      "{}",
      "[1,2]",
      '"x"',
      whole.slice(0, -1),
      whole.slice(1),
      whole.replace("x", 'x"'),
    ];
    for (const text of broken) equal(tuples.read("messages", text), undefined, text);
  });
});
