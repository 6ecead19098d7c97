import { strict as assert } from "node:assert";
import type { Json } from "../../../src/api/agentServer/wire.ts";
import type { SseEvent } from "../../../src/api/sse.ts";
import { TranscriptFold } from "../../../src/run/fold.ts";
import { transcriptText } from "./recordings.ts";

type Sent = readonly [event: string, data: Json];

/** What is sent, and the transcript that must come of it; the run's header line is left out. */
const table: Readonly<Record<string, { sent: readonly Sent[]; shown: string; ended?: string }>> = {
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
  "puts subgraphs into lanes, however deep": {
    sent: [
      ["updates|outer:1", { a: { messages: [{ id: "1", type: "ai", content: "out" }] } }],
      ["updates|outer:1|inner:2", { b: { messages: [{ id: "2", type: "ai", content: "in" }] } }],
      ["updates|outer:1", { inner: { messages: [{ id: "2", type: "ai", content: "in" }] } }],
      ["updates", { outer: { messages: [{ id: "3", type: "ai", content: "end" }] } }],
    ],
    shown: "lane outer done\n  ai: out\n  lane inner done\n    ai: in\nai: end",
  },
  "takes a message's lane from its metadata, not from its node": {
    sent: [
      [
        "messages|model:9",
        [{ id: "1", type: "ai", content: "root" }, { langgraph_checkpoint_ns: "model:9" }],
      ],
      ["messages", [{ id: "2", type: "ai", content: "sub" }, { langgraph_checkpoint_ns: "web:1|model:2" }]],
    ],
    shown: "ai: root …\nlane web running\n  ai: sub …",
  },
  "ends the right one of two lanes of the same name": {
    sent: [
      ["updates|web:1", { m: { messages: [{ id: "1", type: "ai", content: "one" }] } }],
      ["updates|web:2", { m: { messages: [{ id: "2", type: "ai", content: "two" }] } }],
      ["updates", { web: { messages: [{ id: "2", type: "ai", content: "two" }] } }],
    ],
    shown: "lane web running\n  ai: one\nlane web done\n  ai: two",
  },
  "knows from tasks how lanes end": {
    sent: [
      ["custom|web:1", "a"],
      ["tasks", { id: "1", name: "web", error: "x", interrupts: [] }],
      ["custom|web:2", "b"],
      ["debug", { type: "task_result", payload: { id: "2", name: "web", result: [], interrupts: [] } }],
    ],
    shown: 'lane web error\n  custom ×1 "a"\nlane web done\n  custom ×1 "b"',
  },
  "stops the lanes of a stopped run": {
    sent: [["custom|web:1", 1]],
    ended: "interrupted",
    shown: "lane web stopped\n  custom ×1 1",
  },
  "shows an interrupt once that is told twice, in the lane it comes from": {
    sent: [
      ["updates|ask:1", { __interrupt__: [{ id: "i", value: "Sure?" }] }],
      ["updates", { __interrupt__: [{ id: "i", value: "Sure?" }] }],
      ["values", { __interrupt__: [{ id: "i", value: "Sure?" }] }],
    ],
    ended: "success",
    shown: 'lane ask interrupted\n  interrupt open: "Sure?"',
  },
  "keeps the state when values tell of an interrupt only": {
    sent: [
      ["values", { messages: [{ id: "m", type: "human", content: "Hi" }] }],
      ["values", { __interrupt__: [{ value: { question: 1 } }] }],
      ["values", { __interrupt__: [{ value: { question: 1 } }] }],
    ],
    shown: 'human: Hi\ninterrupt open: {"question":1}',
  },
  "reads both spellings of action requests": {
    sent: [
      [
        "updates",
        {
          __interrupt__: [
            {
              id: "snake",
              value: {
                action_requests: [
                  { name: "a", args: { x: 1 } },
                  { name: "b", arguments: {} },
                ],
                review_configs: [
                  { action_name: "b", allowed_decisions: ["approve", "future", "respond"] },
                  {},
                ],
              },
            },
            {
              id: "camel",
              value: {
                actionRequests: [{ name: "c", args: {} }],
                reviewConfigs: [{ actionName: "c", allowedDecisions: ["reject"] }],
              },
            },
          ],
        },
      ],
    ],
    shown:
      'interrupt open: a {"x":1} (approve, edit, reject); b {} (approve, respond)\ninterrupt open: c {} (reject)',
  },
  "collapses custom events of one lane and keeps the latest": {
    sent: [
      ["custom", { i: 1 }],
      ["custom", { i: 2 }],
      ["updates", { m: { messages: [{ id: "m", type: "ai", content: "between" }] } }],
      ["custom", "bare"],
    ],
    shown: 'custom ×2 {"i":2}\nai: between\ncustom ×1 "bare"',
  },
  "shows state that is no conversation": {
    sent: [
      ["updates", { plan: { topics: ["a"] } }],
      ["updates", { guard: null }],
    ],
    shown: 'info: plan: topics {"topics":["a"]}',
  },
  "tells of a breakpoint": {
    sent: [["updates", { __interrupt__: [] }]],
    shown: "info: The run stopped at a breakpoint. Start a run with the JSON input null to go on.",
  },
  "keeps unknown events and counts those that repeat": {
    sent: [
      ["telemetry|a:1", { n: 1 }],
      ["telemetry|a:1", { n: 2 }],
      ["checkpoints", { id: "c" }],
      ["events", { event: "on_chain_start" }],
      ["end", null],
    ],
    shown: 'info: Unknown event “telemetry|a:1” (2 times) {"n":2}',
  },
  "tells of data of a shape that can't be read": {
    sent: [["updates", "text"]],
    shown: 'warning: The server sent “updates” data that can\'t be read. "text"',
  },
  "shows why a run failed, from an object, from JSON in a string, and from a bare string": {
    sent: [
      ["error", { error: "ValueError", message: "bad\nlong story" }],
      ["error", { error: "Error", message: '{"error":"Error","message":"inner"}' }],
      ["error", "Run not found"],
    ],
    shown: [
      'error: ValueError: bad {"error":"ValueError","message":"bad\\nlong story"}',
      'error: inner {"error":"Error","message":"inner"}',
      "error: Run not found",
    ].join("\n"),
  },
  "tells that the server tried again": {
    sent: [["metadata", { run_id: "r", attempt: 2 }]],
    shown: "warning: The server started the run again (attempt 2).",
  },
  "reads messages that were serialized as constructor calls": {
    sent: [
      [
        "values",
        {
          messages: [
            {
              lc: 1,
              type: "constructor",
              id: ["langchain_core", "messages", "AIMessage"],
              kwargs: { id: "m", content: "Hi" },
            },
          ],
        },
      ],
    ],
    shown: "ai: Hi",
  },
};

describe("the fold of a run", () => {
  for (const [statement, { sent, shown, ended }] of Object.entries(table)) {
    it(statement, () => {
      const fold = opened();
      fold.apply("r", sent.map(event), 1000);
      if (ended !== undefined) fold.settle("r", ended);
      assert.equal(transcriptText(fold.entries()).replace(/^run .*\n/, ""), `${shown}\n`);
    });
  }

  it("shows data that is not JSON as evidence", () => {
    const fold = opened();
    fold.apply("r", [{ event: "values", data: '{"messages":[' }], 1000);
    assert.match(
      transcriptText(fold.entries()),
      /warning: The server sent “values” data that can't be read\. \{"messages":\[/,
    );
  });

  it("sums up the token counts of all messages, each counted once", () => {
    const fold = opened();
    const usage_metadata = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
    const told: readonly Sent[] = [
      ["messages", [{ id: "a", type: "ai", content: "x", usage_metadata }, {}]],
      ["updates", { m: { messages: [{ id: "a", type: "ai", content: "x", usage_metadata }] } }],
      ["messages|s:1", [{ id: "b", type: "ai", content: "y", usage_metadata }, {}]],
    ];
    fold.apply("r", told.map(event), 1000);
    const [run] = fold.entries();
    assert.deepEqual(run?.kind === "run" && run.usage, { input: 10, output: 4, total: 14 });
  });

  it("measures how long a tool ran, but not in a replay", () => {
    const call = event([
      "updates",
      {
        m: {
          messages: [{ id: "m", type: "ai", content: "", tool_calls: [{ id: "t", name: "f", args: {} }] }],
        },
      },
    ]);
    const answer = event([
      "updates",
      { tools: { messages: [{ type: "tool", tool_call_id: "t", content: "y" }] } },
    ]);
    const times = [false, true].map((replayed) => {
      const fold = opened();
      fold.apply("r", [call], 1000, replayed);
      fold.apply("r", [answer], 4500, replayed);
      const tool = fold.entries().find((entry) => entry.kind === "tool");
      return tool?.kind === "tool" ? [tool.startedAt, tool.endedAt] : [];
    });
    assert.deepEqual(times, [
      [1000, 4500],
      [undefined, undefined],
    ]);
  });

  it("keeps the addresses of feedback keys out of entries, patches and the raw list", () => {
    const fold = opened();
    const url = "https://feedback.example.com/feedback/tokens/s3cret";
    fold.apply("r", [event(["feedback", { score: url }])], 1000);
    assert.equal(fold.feedback.url("r", "score"), url);
    const shown = JSON.stringify([
      fold.entries(),
      fold.takePatch(),
      fold.search("", 0, 10),
      fold.search("s3cret", 0, 10),
    ]);
    assert.ok(!shown.includes("s3cret"));
    assert.match(shown, /score/);
  });

  it("keeps two runs of a thread apart while both stream", () => {
    const fold = opened();
    fold.open({ runId: "s", assistantId: "agent", status: "pending" });
    fold.apply("r", [event(["messages", [{ id: "1", type: "ai", content: "first" }, {}]])], 1000);
    fold.apply("s", [event(["messages", [{ id: "2", type: "ai", content: "second" }, {}]])], 1001);
    fold.apply("r", [event(["messages", [{ id: "1", type: "ai", content: " run" }, {}]])], 1002);
    fold.settle("r", "interrupted");
    assert.equal(
      transcriptText(fold.entries()),
      "run interrupted\nai: first run (partial)\nrun pending\nai: second …\n",
    );
  });
});

function opened(): TranscriptFold {
  const fold = new TranscriptFold();
  fold.open({ runId: "r", assistantId: "agent", status: "running" });
  return fold;
}

function event([name, data]: Sent): SseEvent {
  return { event: name, data: JSON.stringify(data) };
}
