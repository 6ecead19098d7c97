import type { Json } from "../../../../src/api/agentServer/wire.ts";

/** An event of a stream as it arrives: its name and its data. */
export type Sent = readonly [event: string, data: Json];

/** What a fold is sent and what it shows then, by the statement that this proves. */
export type FoldTable = Readonly<Record<string, { sent: readonly Sent[]; shown: string; ended?: string }>>;

/** Messages and tools. */
export const foldedMessages: FoldTable = {
  "joins the pieces of a message": {
    sent: [
      ["messages", [{ id: "m", type: "ai", content: "Hel" }, {}]],
      ["messages", [{ id: "m", type: "AIMessageChunk", content: "lo" }, {}]],
    ],
    shown: "ai: Hello …",
  },
  "keeps what a stopped run had said as partial": {
    sent: [["messages", [{ id: "m", type: "ai", content: "Hel" }, {}]]],
    ended: "interrupted",
    shown: "ai: Hel (partial)",
  },
  "shows a message once that comes by every mode": {
    sent: [
      ["messages", [{ id: "m", type: "ai", content: "Hi" }, {}]],
      ["messages/partial", [{ id: "m", type: "ai", content: "Hi" }]],
      ["updates", { model: { messages: [{ id: "m", type: "ai", content: "Hi" }] } }],
      ["values", { messages: [{ id: "m", type: "ai", content: "Hi" }] }],
      ["messages/complete", [{ id: "m", type: "ai", content: "Hi" }]],
      ["messages", [{ id: "m", type: "ai", content: "Hi" }, {}]],
    ],
    shown: "ai: Hi",
  },
  "shows messages without ids once, and two that say the same twice": {
    sent: [
      ["updates", { a: { messages: [{ role: "assistant", content: "ok" }] } }],
      ["updates", { b: { messages: [{ role: "assistant", content: "ok" }] } }],
      [
        "values",
        {
          messages: [
            { role: "assistant", content: "ok" },
            { role: "assistant", content: "ok" },
          ],
        },
      ],
    ],
    shown: "ai: ok\nai: ok",
  },
  "replaces accumulated text by id": {
    sent: [
      ["messages/partial", [{ id: "m", type: "ai", content: "One" }]],
      ["messages/partial", [{ id: "m", type: "ai", content: "One two" }]],
    ],
    shown: "ai: One two …",
  },
  "joins the arguments of tool calls by their index and pairs results by id": {
    sent: [
      [
        "messages",
        [
          {
            id: "m",
            type: "ai",
            content: "",
            tool_call_chunks: [{ index: 0, id: "a", name: "search", args: "" }],
          },
          {},
        ],
      ],
      [
        "messages",
        [
          {
            id: "m",
            type: "ai",
            content: "",
            tool_call_chunks: [{ index: 1, id: "b", name: "read", args: '{"n"' }],
          },
          {},
        ],
      ],
      [
        "messages",
        [{ id: "m", type: "ai", content: "", tool_call_chunks: [{ index: 0, args: '{"q":1}' }] }, {}],
      ],
      ["messages", [{ id: "m", type: "ai", content: "", tool_call_chunks: [{ index: 1, args: ":2}" }] }, {}]],
      [
        "updates",
        { tools: { messages: [{ type: "tool", id: "r", tool_call_id: "b", name: "read", content: "two" }] } },
      ],
    ],
    shown: 'tool search {"q":1} pending\ntool read {"n":2} done: two',
  },
  "begins another call where a piece of the same index names another id": {
    sent: [
      ["messages", [piece([{ index: 0, id: "a", name: "f", args: '{"x"' }]), {}]],
      ["messages", [piece([{ index: 0, id: "a", args: ":1}" }]), {}]],
      ["messages", [piece([{ index: 0, id: "b", name: "g", args: "{}" }]), {}]],
    ],
    shown: 'tool f {"x":1} pending\ntool g {} pending',
  },
  "shows a failed tool": {
    sent: [
      [
        "updates",
        {
          m: {
            messages: [
              { id: "m", type: "ai", content: "", tool_calls: [{ id: "a", name: "f", args: { x: 1 } }] },
            ],
          },
        },
      ],
      [
        "updates",
        { tools: { messages: { type: "tool", tool_call_id: "a", status: "error", content: "no" } } },
      ],
    ],
    shown: 'tool f {"x":1} error: no',
  },
  "shows a tool's answer whose call is unknown": {
    sent: [
      [
        "updates",
        { tools: { messages: [{ type: "tool", tool_call_id: "z", name: "find", content: "it" }] } },
      ],
    ],
    shown: "tool find  done: it",
  },
  "reads the events of mode tools": {
    sent: [
      ["tools", { event: "on_tool_start", toolCallId: "a", name: "f", input: '{"x":1}' }],
      [
        "tools",
        { event: "on_tool_end", toolCallId: "a", output: { type: "tool", tool_call_id: "a", content: "y" } },
      ],
    ],
    shown: 'tool f {"x":1} done: y',
  },
  "keeps blocks of every kind": {
    sent: [
      [
        "updates",
        {
          m: {
            messages: [
              {
                id: "m",
                type: "ai",
                content: [
                  { type: "reasoning", reasoning: "Hm." },
                  { type: "text", text: "See " },
                  { type: "text", text: "this:" },
                  { type: "image_url", image_url: "x" },
                  { type: "tool_use", id: "t" },
                ],
              },
            ],
          },
        },
      ],
    ],
    shown:
      'ai: *Reasoning:* Hm.\n    \n    See this:\n    \n    ```json\n    {\n      "type": "image_url",\n      "image_url": "x"\n    }\n    ```',
  },
};

/** A chunk of a message that says nothing but calls. */
function piece(tool_call_chunks: Json): Json {
  return { id: "m", type: "ai", content: "", tool_call_chunks };
}
