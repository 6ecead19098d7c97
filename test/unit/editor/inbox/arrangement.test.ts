import { deepEqual, equal } from "node:assert/strict";
import {
  arrangementFrom,
  arrangementWords,
  grouped,
  isFiltered,
  wanted,
} from "../../../../src/editor/inbox/arrangement.ts";
import type { WaitingThread } from "../../../../src/editor/threads/waitingThread.ts";

const mail = waiting("a", "Staging", "Postman", ["send_email"], "to: ann@example.test");
const refund = waiting("b", "Production", "Clerk", ["refund"], "amount: 20");
const both = waiting("c", "Staging", "Clerk", ["refund", "send_email"], "");
const question = waiting("d", "Staging", "", [], "Which account?");
const all = [mail, refund, both, question];

describe("The arrangement of the Inbox", () => {
  it("shows what fits every condition", () => {
    deepEqual(ids(wanted(all, {})), "a,b,c,d");
    deepEqual(ids(wanted(all, { connectionId: "Staging" })), "a,c,d");
    deepEqual(ids(wanted(all, { agent: "Clerk", connectionId: "Staging" })), "c");
    deepEqual(ids(wanted(all, { tool: "send_email" })), "a,c");
    deepEqual(ids(wanted(all, { agent: "Staging" })), "d");
  });

  it("finds words in titles, arguments, agents and connections, however they are written", () => {
    deepEqual(ids(wanted(all, { text: " ANN@ " })), "a");
    deepEqual(ids(wanted(all, { text: "production" })), "b");
    deepEqual(ids(wanted(all, { text: "ticket c" })), "c");
    deepEqual(ids(wanted(all, { text: "account" })), "d");
  });

  it("groups by connection, agent and tool, each group in the order of its oldest", () => {
    const labels = (by: "connection" | "agent" | "tool"): readonly string[] =>
      grouped(all, by).map(({ label, threads }) => `${label}: ${ids(threads)}`);
    deepEqual(labels("connection"), ["Staging: a,c,d", "Production: b"]);
    deepEqual(labels("agent"), [
      "Staging · Postman: a",
      "Production · Clerk: b",
      "Staging · Clerk: c",
      "Staging: d",
    ]);
    deepEqual(labels("tool"), ["send_email: a", "refund: b", "refund, send_email: c", "Questions: d"]);
  });

  it("is said in words, and read again as far as it can be", () => {
    const arrangement = { group: "agent", connectionId: "p", text: "refund" } as const;
    deepEqual(
      arrangementWords(arrangement, () => "Production"),
      ["by agent", "Production", "“refund”"],
    );
    deepEqual(arrangementFrom(JSON.parse(JSON.stringify(arrangement))), arrangement);
    deepEqual(arrangementFrom({ group: "size", tool: 3, agent: "Clerk" }), { agent: "Clerk" });
    deepEqual([isFiltered({ group: "tool", text: " " }), isFiltered(arrangement)], [false, true]);
    equal(Object.keys(arrangementFrom("?")).length, 0);
  });
});

function ids(threads: readonly WaitingThread[]): string {
  return threads.map(({ ref }) => ref.threadId).join(",");
}

function waiting(
  threadId: string,
  connection: string,
  agent: string,
  tools: readonly string[],
  details: string,
): WaitingThread {
  const server = { kind: "agentServer", url: "http://agents.test" } as const;
  const asked = { label: tools.join(", "), tools, details };
  const ref = { connectionId: connection, server, threadId };
  return { ref, title: `Ticket ${threadId}`, connection, agent, since: "", question: asked };
}
