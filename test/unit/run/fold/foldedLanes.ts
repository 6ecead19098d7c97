import type { FoldTable } from "./foldedMessages.ts";

/** Subagents, interrupts, and everything else. */
export const foldedLanes: FoldTable = {
  "puts subgraphs into lanes, however deep": {
    sent: [
      ["updates|outer:1", { a: { messages: [{ id: "1", type: "ai", content: "out" }] } }],
      ["updates|outer:1|inner:2", { b: { messages: [{ id: "2", type: "ai", content: "in" }] } }],
      ["updates|outer:1", { inner: { messages: [{ id: "2", type: "ai", content: "in" }] } }],
      ["updates", { outer: { messages: [{ id: "3", type: "ai", content: "end" }] } }],
    ],
    shown: "lane outer done\n  ai: out\n  lane inner done\n    ai: in\nai: end",
  },
  "names a lane by its node, in whatever way the namespace tells that": {
    sent: [
      ["custom|web:1|0", 1],
      ["custom|plain", 2],
      ["custom|7", 3],
    ],
    shown: [
      ...["lane web running", "  lane web running", "    custom ×1 1"],
      ...["lane plain running", "  custom ×1 2", "lane 7 running", "  custom ×1 3"],
    ].join("\n"),
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
  "takes messages and questions out of a task's result, be it an object or pairs": {
    sent: [
      ["tasks", { id: "1", name: "a", input: {} }],
      [
        "tasks",
        {
          id: "1",
          name: "a",
          result: [
            ["score", [{ type: "ai", id: "x", content: "no message" }]],
            ["messages", [{ type: "ai", id: "m", content: "in pairs" }]],
          ],
          interrupts: [{ id: "q", value: "Sure?" }, "no interrupt"],
        },
      ],
      [
        "tasks",
        { id: "2", name: "b", result: { messages: [{ type: "ai", id: "n", content: "in an object" }] } },
      ],
    ],
    shown: 'ai: in pairs\ninterrupt open: "Sure?"\nai: in an object',
  },
  "reads every spelling of what tools say, and how they failed": {
    sent: [
      ["tools", { event: "on_tool_start", tool_call_id: "a", tool_name: "f", input: { x: 1 } }],
      ["tools", { event: "on_tool_start", tool_call_id: "a", tool_name: "f", input: { x: 1 } }],
      ["tools", { event: "on_tool_end", tool_call_id: "a", output: { rows: 3 } }],
      ["tools", { event: "on_tool_start", toolCallId: "b", input: "{}" }],
      ["tools", { event: "on_tool_error", toolCallId: "b", error: "no" }],
      ["tools", { event: "on_tool_start", toolCallId: "c", name: "h" }],
      ["tools", { event: "on_tool_end", toolCallId: "c" }],
      ["tools", { event: "on_tool_start", name: "i" }],
    ],
    shown: [
      'tool f {"x":1} done: {"rows":3}',
      "tool tool {} error: no",
      "tool h {} running",
      'warning: The server sent “tools” data that can\'t be read. {"event":"on_tool_start","name":"i"}',
    ].join("\n"),
  },
  "takes nothing of a run's own start for what a node said": {
    sent: [
      ["tasks", { id: "0", name: "__start__", input: {} }],
      ["tasks", { id: "0", name: "__start__", result: [["messages", [{ type: "human", content: "Hi" }]]] }],
      ["tasks", { id: "1", name: "a" }],
      ["tasks", { name: "no id" }],
    ],
    shown: 'warning: The server sent “tasks” data that can\'t be read. {"name":"no id"}',
  },
  "reads tasks in what debug tells, and nothing in its checkpoints": {
    sent: [
      ["debug", { type: "checkpoint", payload: { values: { messages: [{ type: "ai", content: "old" }] } } }],
      ["debug", { type: "task", payload: { id: "1", name: "web" } }],
      ["custom|web:1", 1],
      ["debug", { type: "task_result", payload: { id: "1", name: "web", error: "x" } }],
      ["debug", { type: "other" }],
    ],
    shown: "lane web error\n  custom ×1 1",
  },
  "says that a task waits that asks, and its lane with it": {
    sent: [
      ["custom|web:1", 1],
      ["tasks", { id: "1", name: "web", result: [], interrupts: [{ id: "q", value: "Sure?" }] }],
      ["custom|outer:1|inner:2", 2],
      ["updates|outer:1|inner:2", { __interrupt__: [{ id: "r", value: "Really?" }] }],
    ],
    shown: [
      "lane web interrupted",
      "  custom ×1 1",
      'interrupt open: "Sure?"',
      "lane outer interrupted",
      "  lane inner interrupted",
      "    custom ×1 2",
      '    interrupt open: "Really?"',
    ].join("\n"),
  },
  "takes no list that is empty within a lane for a breakpoint": {
    sent: [
      ["updates|web:1", { __interrupt__: [] }],
      ["updates", { __interrupt__: "none" }],
    ],
    shown: "lane web running",
  },
  "asks for no feedback that has no address": {
    sent: [["feedback", { score: 7 }]],
    shown: 'warning: The server sent “feedback” data that can\'t be read. {"score":7}',
  },
  "tells of a breakpoint": {
    sent: [["updates", { __interrupt__: [] }]],
    shown: "breakpoint open: ",
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
      'error: ValueError: bad … {"name":"ValueError","message":"bad\\nlong story"}',
      'error: inner {"name":"Error","message":"inner"}',
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
