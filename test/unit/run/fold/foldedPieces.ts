import type { Json } from "../../../../src/api/agentServer/wire.ts";
import type { FoldTable } from "./foldedMessages.ts";

const piece = (fields: object, metadata: Json = {}): readonly [string, Json] => [
  "messages",
  [{ id: "m", type: "AIMessageChunk", content: "", ...fields }, metadata],
];
const whole = (message: object, node = "model"): readonly [string, Json] => [
  "updates",
  { [node]: { messages: [{ id: "m", type: "ai", content: "", ...message }] } },
];
const call = (id: string, args: Json = {}): Json => ({ id, name: "find", args });

/** Messages and calls that come in pieces, as a whole, or in both ways. */
export const foldedPieces: FoldTable = {
  "joins pieces of a message without an id by where they come from": {
    sent: [
      ["messages", [{ type: "ai", content: "Hel" }, {}]],
      ["messages", [{ type: "ai", content: "lo" }, {}]],
      ["messages", [{ type: "ai", content: "Sub" }, { langgraph_checkpoint_ns: "web:1|model:2" }]],
      ["messages", [{ type: "ai", content: " you" }, {}]],
    ],
    shown: "ai: Hello you …\nlane web running\n  ai: Sub …",
  },
  "takes pieces that come behind the whole message for old": {
    sent: [
      piece({ content: "a" }),
      piece({ content: "b" }),
      piece({ content: "c" }),
      whole({ content: "abc" }),
      piece({ content: "c" }),
      piece({ content: "d", usage_metadata: { input_tokens: 1, output_tokens: 1 } }),
    ],
    ended: "interrupted",
    shown: "ai: abc",
  },
  "shows a message that comes as a whole with its calls": {
    sent: [whole({ content: "Let me see.", tool_calls: [call("c")] })],
    shown: "ai: Let me see.\ntool find {} running",
  },
  "has no row for a message that only calls": {
    sent: [whole({ tool_calls: [call("c")] })],
    shown: "tool find {} running",
  },
  "has a row for a message that says nothing at all": {
    sent: [whole({})],
    shown: "ai: ",
  },
  "reads calls that stand in a piece as a whole, unless they come in pieces, too": {
    sent: [
      piece({ tool_calls: [call("a", { n: 1 })] }),
      piece({
        tool_calls: [call("b")],
        tool_call_chunks: [{ index: 1, id: "b", name: "find", args: '{"n"' }],
      }),
      piece({ tool_calls: [call("c")], tool_call_chunks: [] }),
    ],
    shown: 'tool find {"n":1} running\ntool find {"n" pending\ntool find {} running',
  },
  "knows calls of a message that is told again as far as it is known": {
    sent: [
      ["messages/partial", [{ id: "m", type: "ai", content: "", tool_calls: [call("c", { n: 1 })] }]],
      ["messages/complete", [{ id: "m", type: "ai", content: "Hm", tool_calls: [call("c", { n: 2 })] }]],
      ["messages/partial", [{ id: "m", type: "ai", content: "H", tool_calls: [call("c"), call("d")] }]],
    ],
    shown: 'tool find {"n":2} running\nai: Hm\ntool find  pending',
  },
  "keeps two messages apart that say the same, where one got its id later": {
    sent: [
      ["updates", { a: { messages: [{ type: "ai", content: "ok" }] } }],
      ["values", { messages: [{ id: "1", type: "ai", content: "ok" }] }],
      ["updates", { b: { messages: [{ id: "2", type: "ai", content: "ok" }] } }],
    ],
    shown: "ai: ok\nai: ok",
  },
  "finds a message without an id in a whole state by its words, and another lane's never": {
    sent: [
      ["updates|web:1", { a: { messages: [{ type: "ai", content: "ok" }] } }],
      [
        "values",
        {
          messages: [
            { type: "ai", content: "ok" },
            { type: "human", content: "ok" },
          ],
        },
      ],
    ],
    shown: "lane web running\n  ai: ok\nai: ok\nhuman: ok",
  },
  "counts the tokens of pieces once each, and of the whole instead of them": {
    sent: [
      piece({ content: "a", usage_metadata: { input_tokens: 2, output_tokens: 1, total_tokens: 3 } }),
      piece({ content: "b", usage_metadata: { input_tokens: 0, output_tokens: 1, total_tokens: 1 } }),
      whole({ content: "ab", usage_metadata: { input_tokens: 2, output_tokens: 2, total_tokens: 9 } }),
      [
        "updates|web:1",
        { x: { messages: [{ id: "n", type: "ai", content: "c", usage_metadata: { input_tokens: 5 } }] } },
      ],
    ],
    shown: "ai: ab\nlane web running\n  ai: c",
  },
  "names who speaks, in pieces and as a whole": {
    sent: [
      piece({ content: "a", name: "critic" }),
      whole({ content: "a" }),
      ["updates", { w: { messages: [{ id: "n", type: "ai", name: "writer", content: "b" }] } }],
      ["messages", [{ id: "o", type: "human", name: "Ann", content: "c" }, {}]],
    ],
    shown: "ai critic: a\nai writer: b\nhuman Ann: c",
  },
  "reads messages in pairs and as bare texts, and no list of another length": {
    sent: [
      ["values", { messages: [["assistant", "in a pair"], "bare", ["assistant"], ["assistant", "a", "b"]] }],
    ],
    shown: "ai: in a pair\nhuman: bare",
  },
  "tells a message that can't be read": {
    sent: [
      [
        "messages/complete",
        [{ id: "m", type: "ai", content: "Hi" }, 7, { id: "n", type: "ai", content: "no" }],
      ],
    ],
    shown:
      'ai: Hi\nwarning: The server sent “messages/complete” data that can\'t be read. [{"id":"m","type":"ai","content":"Hi"},7,{"id":"n","type":"ai","content":"no"}]',
  },
  "puts messages of mode messages where their metadata says": {
    sent: [
      ["messages/metadata", { m: { metadata: { langgraph_checkpoint_ns: "web:1|model:2" } }, n: {}, o: 7 }],
      ["messages/partial", [{ id: "m", type: "ai", content: "inner" }]],
      ["messages/partial", [{ id: "n", type: "ai", content: "outer" }]],
    ],
    shown: "lane web running\n  ai: inner …\nai: outer …",
  },
  "stops what a stopped run left: messages, calls, lanes and steps": {
    sent: [
      ["tasks", { id: "1", name: "web" }],
      [
        "updates|web:1",
        { plan: { messages: [{ id: "p", type: "ai", content: "", tool_calls: [call("c")] }] } },
      ],
      ["messages|web:1", [{ id: "q", type: "ai", content: "Hel" }, {}]],
    ],
    ended: "timeout",
    shown: "lane web stopped\n  tool find {} stopped\n  ai: Hel (partial)",
  },
  "ends what a good run left as done": {
    sent: [
      ["tasks", { id: "1", name: "web" }],
      ["custom|web:1", 1],
      ["messages|web:1", [{ id: "q", type: "ai", content: "Hel" }, {}]],
    ],
    ended: "success",
    shown: "lane web done\n  custom ×1 1\n  ai: Hel",
  },
  "lets wait what a run left that asks": {
    sent: [
      ["tasks", { id: "1", name: "web" }],
      [
        "updates|web:1",
        { plan: { messages: [{ id: "p", type: "ai", content: "", tool_calls: [call("c")] }] } },
      ],
      ["messages|web:1", [{ id: "q", type: "ai", content: "Hel" }, {}]],
      ["updates|web:1", { __interrupt__: [{ id: "i", value: "Sure?" }] }],
    ],
    ended: "interrupted",
    shown: 'lane web interrupted\n  tool find {} pending\n  ai: Hel\n  interrupt open: "Sure?"',
  },
  "says where a run failed": {
    sent: [
      ["tasks", { id: "1", name: "web" }],
      ["custom|web:1", 1],
      ["error|web:1", { error: "ValueError", message: "no web" }],
    ],
    shown:
      'lane web error\n  custom ×1 1\nerror: ValueError: no web {"name":"ValueError","message":"no web"}',
  },
  "reads a failure of any shape": {
    sent: [
      ["error", {}],
      ["error", { name: "KeyError" }],
      ["error", { message: "rollback" }],
      ["error", '"quoted"'],
    ],
    shown: [
      "error: The run failed. {}",
      'error: KeyError {"name":"KeyError"}',
      "error: The run was rolled back.",
      "error: quoted",
    ].join("\n"),
  },
  "gives a subagent's lane the name and the task of its call, in the order of the calls": {
    sent: [
      whole({
        tool_calls: [
          { id: "t1", name: "task", args: { subagent_type: "writer", description: "Write it" } },
          { id: "t2", name: "task", args: { subagent_type: "critic" } },
          { id: "f", name: "find", args: {} },
        ],
      }),
      ["tasks", { id: "9", name: "tools" }],
      ["custom|tools:1", 1],
      ["custom|task:2", 2],
      ["custom|tools:3", 3],
      ["custom|mytools:4", 4],
      ["custom|tools:1|tools:5", 5],
    ],
    shown: [
      'tool task {"subagent_type":"writer","description":"Write it"} running',
      'tool task {"subagent_type":"critic"} running',
      "tool find {} running",
      "lane writer running",
      "  custom ×1 1",
      "  lane tools running",
      "    custom ×1 5",
      "lane critic running",
      "  custom ×1 2",
      "lane tools running",
      "  custom ×1 3",
      "lane mytools running",
      "  custom ×1 4",
    ].join("\n"),
  },
  "knows a subagent's call in the lane that made it": {
    sent: [
      [
        "updates|outer:1",
        {
          model: {
            messages: [
              {
                id: "m",
                type: "ai",
                content: "",
                tool_calls: [{ id: "t", name: "task", args: { subagent_type: "writer" } }],
              },
            ],
          },
        },
      ],
      ["custom|outer:1|tools:2", 1],
    ],
    shown: [
      "lane outer running",
      '  tool task {"subagent_type":"writer"} running',
      "  lane writer running",
      "    custom ×1 1",
    ].join("\n"),
  },
  "tells nothing of metadata that updates carry": {
    sent: [
      ["updates", { __metadata__: { cached: false }, model: { n: 1 } }],
      ["custom", 1],
    ],
    shown: "custom ×1 1",
  },
};
