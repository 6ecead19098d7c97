import { equal } from "node:assert/strict";
import type { Json } from "../../../../../src/api/agentServer/wire.ts";
import { contentText, extendContent, MessageDraft } from "../../../../../src/run/fold/drafts/messageDraft.ts";

describe("The text of a message", () => {
  const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;
  const cases: readonly (readonly [what: string, content: Json | undefined, text: string])[] = [
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["plain text", "Hi", "Hi"],
    [
      "texts in blocks of every spelling",
      [
        { type: "text", text: "a" },
        { type: "output_text", text: "b" },
        { type: "text_delta", text: "c" },
        "d",
      ],
      "abcd",
    ],
    [
      "reasoning, apart from what is said",
      [
        { type: "reasoning", reasoning: "Hm" },
        { type: "thinking", thinking: "m." },
        { type: "text", text: "Yes" },
      ],
      "*Reasoning:* Hmm.\n\nYes",
    ],
    [
      "reasoning as a summary",
      [{ type: "reasoning", summary: [{ text: "One" }, 7, { text: "Two" }] }],
      "*Reasoning:* One\n\n\n\nTwo",
    ],
    ["reasoning that says nothing", [{ type: "reasoning" }, { type: "reasoning", summary: [] }, "x"], "x"],
    [
      "calls of tools, which have rows of their own",
      ["tool_use", "tool_call", "tool_call_chunk", "function_call", "input_json_delta"].map((type) => ({
        type,
        text: "no",
      })),
      "",
    ],
    [
      "what nobody knows, as it is",
      [{ type: "x", n: 1 }, { type: "y" }],
      `${fenced('{\n  "type": "x",\n  "n": 1\n}')}\n\n${fenced('{\n  "type": "y"\n}')}`,
    ],
    ["a value that is no text", { n: 1 }, fenced('{\n  "n": 1\n}')],
    [
      "a value of 4,000 characters",
      { n: "x".repeat(4000 - 13) },
      fenced(`{\n  "n": "${"x".repeat(4000 - 13)}"\n}`),
    ],
    [
      "a longer one by its beginning",
      { n: "x".repeat(5000) },
      fenced(`{\n  "n": "${"x".repeat(4000 - 10)}…`),
    ],
  ];
  for (const [what, content, text] of cases) it(`is ${what}`, () => equal(contentText(content), text));

  it("is the same in one piece as in many", () => {
    const blocks = [
      { type: "reasoning", reasoning: "a" },
      { type: "reasoning", reasoning: "b" },
      "c",
      "d",
      { type: "z" },
      "e",
    ];
    const [first, ...rest] = blocks;
    const grown = rest.reduce(
      (content, block) => extendContent(content, [block]),
      extendContent({ text: "", last: "none", pictures: [] }, [first ?? ""]),
    );
    equal(grown.text, contentText(blocks));
  });
});

describe("A message while it still changes", () => {
  it("is handed out as a whole at first, and again after any change but more text", () => {
    const draft = new MessageDraft("m", "ai", "", "r");
    equal(draft.isEmpty, true);
    draft.extend("Hel");
    equal(draft.growth(), undefined);
    draft.handedOut();
    draft.extend("lo");
    equal(draft.growth(), "lo");
    draft.handedOut();
    equal(draft.growth(), "");
    equal(draft.text, "Hello");
    equal(draft.isEmpty, false);
    for (const change of [
      () => draft.moveTo("lane", "r"),
      () => draft.addUsage({ input: 1, output: 1, total: 2 }),
      () => draft.assign({ name: "critic" }),
      () => draft.replace("Hello you"),
    ]) {
      draft.handedOut();
      equal(draft.growth(), "");
      change();
      equal(draft.growth(), undefined);
    }
    draft.handedOut();
    equal(draft.assign({ name: "critic" }), false);
    equal(draft.replace("Hello you"), false);
    equal(draft.growth(), "", "nothing changed");
  });
});
