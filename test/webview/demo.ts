import type { PanelState } from "../../src/run/panel/messages.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";

const start = Date.UTC(2026, 4, 4, 9, 30, 0);

/** A panel that is connected and at rest. */
export const idle: PanelState = {
  title: "Why did checkout latency rise on Monday?",
  connection: "Staging platform",
  server: "support-agents",
  threadId: "4f6d2c1e-5b0a-4f5e-9d6a-0a5a3f1f7c11",
  assistants: [
    {
      id: "echo",
      name: "echo",
      description: "Streams its answer token by token",
      example: "Say it back to me",
    },
    {
      id: "researcher",
      name: "researcher",
      description: "Plans, calls tools and works with two subagents",
      example: "Why did checkout latency rise on Monday?",
    },
    { id: "approval", name: "approval", description: "Asks before it acts", example: "Refund order 4411" },
  ],
  session: { kind: "idle" },
  unsupported: [],
  events: 0,
  earlier: "none",
  composer: {
    assistantId: "researcher",
    streamModes: ["messages-tuple", "updates", "custom"],
    strategy: undefined,
    feedbackKeys: ["user_score"],
  },
};

/** The same panel while a run streams. */
export const streaming: PanelState = {
  ...idle,
  session: { kind: "streaming", runId: "run-1" },
  events: 412,
};

const report = `Latency rose **at 09:12 UTC**, when revision \`r-204\` took over. Three things changed:

1. The payment client waits for the ledger *before* it answers.
2. Retries went from 2 to 5.
3. The pool still holds 10 connections.

| Percentile | Before | After |
|:--|--:|--:|
| p50 | 84 ms | 131 ms |
| p95 | 210 ms | 1,420 ms |
| p99 | 480 ms | 3,900 ms |

\`\`\`ts
const pool = new Pool({ max: 10, idleTimeout: 30_000 });
await withRetry(() => ledger.append(entry), { attempts: 5 });
\`\`\`

> The pool is exhausted as soon as two ledger calls retry at once.

See [the trace](https://traces.example.com/run/8812) for the slowest request.`;

/** A run of the researcher with two subagents, finished, then one that waits for an approval. */
export const conversation: readonly Entry[] = [
  {
    kind: "run",
    id: "run:run-1",
    runId: "run-1",
    assistantId: "researcher",
    status: "success",
    strategy: "interrupt",
    startedAt: start,
    endedAt: start + 48_300,
    usage: { input: 4210, output: 1187, total: 5397 },
  },
  {
    kind: "message",
    id: "m-1",
    runId: "run-1",
    lane: "",
    role: "human",
    text: "Why did checkout latency rise on Monday?",
    streaming: false,
  },
  {
    kind: "message",
    id: "m-2",
    runId: "run-1",
    lane: "",
    role: "ai",
    text: "I'll compare the traces around the rise with the changes that were shipped, with one subagent on each.",
    streaming: false,
  },
  {
    kind: "tool",
    id: "t-1",
    runId: "run-1",
    lane: "",
    name: "make_plan",
    args: '{"question":"Why did checkout latency rise on Monday?","steps":["traces","changes","report"]}',
    result: '{"steps":3}',
    status: "done",
    startedAt: start + 1200,
    endedAt: start + 1800,
  },
  {
    kind: "lane",
    id: "lane:traces",
    runId: "run-1",
    lane: "traces:1",
    parent: "",
    name: "trace analyst",
    status: "done",
    startedAt: start + 2000,
    endedAt: start + 31_000,
  },
  {
    kind: "lane",
    id: "lane:changes",
    runId: "run-1",
    lane: "changes:1",
    parent: "",
    name: "change historian",
    status: "done",
    startedAt: start + 2100,
    endedAt: start + 24_000,
  },
  {
    kind: "tool",
    id: "t-2",
    runId: "run-1",
    lane: "traces:1",
    name: "search_traces",
    args: '{"service":"checkout","from":"2026-05-04T08:00:00Z","to":"2026-05-04T11:00:00Z","percentile":95}',
    result: '[{"at":"09:10","p95":212},{"at":"09:15","p95":1388},{"at":"09:20","p95":1420}]',
    status: "done",
    startedAt: start + 3000,
    endedAt: start + 9400,
  },
  {
    kind: "tool",
    id: "t-3",
    runId: "run-1",
    lane: "changes:1",
    name: "list_revisions",
    args: '{"deployment":"checkout","since":"2026-05-03"}',
    result: "503 Service Unavailable: the registry is restarting",
    status: "error",
    startedAt: start + 3100,
    endedAt: start + 4000,
  },
  {
    kind: "custom",
    id: "c-1",
    runId: "run-1",
    lane: "traces:1",
    count: 42,
    latest: { progress: 0.7, scanned: 18_400, of: 26_300 },
    firstEvent: 118,
  },
  {
    kind: "message",
    id: "m-3",
    runId: "run-1",
    lane: "traces:1",
    role: "ai",
    text: "The 95th percentile jumps from 212 ms to 1.4 s between 09:10 and 09:15, only in requests that write to the ledger.",
    streaming: false,
  },
  {
    kind: "message",
    id: "m-4",
    runId: "run-1",
    lane: "changes:1",
    role: "ai",
    text: "Revision `r-204` went live at 09:12. It raised retries from 2 to 5.",
    streaming: false,
  },
  {
    kind: "message",
    id: "m-5",
    runId: "run-1",
    lane: "",
    role: "ai",
    text: report,
    streaming: false,
    usage: { input: 2110, output: 640, total: 2750 },
  },
  {
    kind: "feedback",
    id: "feedback:run-1",
    runId: "run-1",
    lane: "",
    keys: [
      { key: "user_score", state: "open" },
      { key: "tone", state: "sent", given: { score: 1, comment: "Clear and short" } },
      { key: "accuracy", state: "failed", error: "The server refused it (403): the link has expired." },
    ],
  },
  {
    kind: "notice",
    id: "n-1",
    runId: "run-1",
    lane: "",
    level: "warning",
    text: "The connection was lost for 4 s; the stream resumed after event 391.",
    detail: '{"last_event_id":"391","attempts":2}',
  },
];

/** What follows: an interrupted run with its partial answer, and one that waits for a person. */
export const approval: readonly Entry[] = [
  {
    kind: "run",
    id: "run:run-2",
    runId: "run-2",
    assistantId: "researcher",
    status: "interrupted",
    startedAt: start + 60_000,
    endedAt: start + 64_000,
  },
  {
    kind: "message",
    id: "m-6",
    runId: "run-2",
    lane: "",
    role: "human",
    text: "Roll it back",
    streaming: false,
  },
  {
    kind: "message",
    id: "m-7",
    runId: "run-2",
    lane: "",
    role: "ai",
    text: "Before I roll back I will check whether",
    streaming: false,
    partial: true,
  },
  {
    kind: "run",
    id: "run:run-3",
    runId: "run-3",
    assistantId: "approval",
    status: "interrupted",
    strategy: "interrupt",
    startedAt: start + 64_100,
  },
  {
    kind: "interrupt",
    id: "i-1",
    runId: "run-3",
    lane: "",
    requests: [
      {
        name: "roll_back",
        args: { deployment: "checkout", to_revision: "r-203", drain_seconds: 30 },
        description: "Puts revision r-203 back into service. Requests in flight are drained first.",
        allowed: ["approve", "edit", "reject"],
      },
      {
        name: "notify",
        args: { channel: "#payments", text: "Rolling back to r-203" },
        allowed: ["approve", "edit", "reject", "respond"],
      },
    ],
    value: {},
    state: "open",
  },
];
