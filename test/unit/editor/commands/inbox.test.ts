import { equal, match } from "node:assert/strict";
import "../fakeVscode.ts";
import type * as Inbox from "../../../../src/editor/commands/threads/inbox.ts";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import type { WaitingThread } from "../../../../src/editor/threads/waitingThread.ts";

const connections: readonly ConnectionSetting[] = [
  { id: "staging", name: "Staging", kind: "agentServer", url: "http://staging.test" },
  { id: "live", name: "Live", kind: "agentServer", url: "http://live.test", protected: "word" },
];

describe("What is shown before answers are sent", () => {
  let words: typeof Inbox;
  before(async () => {
    words = await import("../../../../src/editor/commands/threads/inbox.ts");
  });

  it("is all of one question as far as it fits a dialog, and what the agent is told", () => {
    equal(
      words.detailOf(waiting("Refund", "live", "amount: 20"), "Too much."),
      "Refund · Clerk\n\namount: 20\n\nThe agent is told: Too much.",
    );
    match(words.detailOf(waiting("Refund", "live", "x".repeat(5000)), ""), /^Refund · Clerk\n\nx{1200}…$/);
  });

  it("is a line for each of many, by connection, with a word for protected ones and for those that are left out", () => {
    const threads = Array.from({ length: 21 }, (_, index) =>
      waiting(`Ticket ${String(index)}`, index === 0 ? "live" : "staging", "amount: 20\nto:\n  ann"),
    );
    const shown = words.summaryOf(threads, connections, undefined);
    match(shown, /^Live \(protected\):\n• send · amount: 20, to: ann · Ticket 0 · Clerk\n\nStaging:\n• send/);
    equal(shown.split("•").length - 1, 20);
    match(shown, /\n\nand 1 other$/);
  });
});

function waiting(title: string, connectionId: string, details: string): WaitingThread {
  return {
    ref: {
      connectionId,
      server: { kind: "agentServer", url: `http://${connectionId}.test` },
      threadId: title,
    },
    ...{ title, connection: connectionId, agent: "Clerk", since: "2026-01-01T00:00:00Z" },
    question: { label: "send", tools: [], details },
  };
}
