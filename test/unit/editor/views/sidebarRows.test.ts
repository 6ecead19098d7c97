import { deepEqual, equal } from "node:assert/strict";
import type { Tool } from "../../../../src/api/managedAgents/toolServers.ts";
import type { NodeHost } from "../../../../src/editor/kit/tree/node.ts";
import type { FailureKind } from "../../../../src/editor/failures/listedFailure.ts";
import { factsOf } from "../../../../src/editor/threads/threadFacts.ts";
import "../fakeVscode.ts";

const { toolServerNode } = await import("../../../../src/editor/views/toolServers/toolServerRows.ts");
const { destinationNodes } = await import("../../../../src/editor/views/destinations/destinations.ts");
const { managedThreadNode, threadNode } = await import("../../../../src/editor/views/threads/threadNode.ts");
const { failureRow } = await import("../../../../src/editor/views/failures/failureRow.ts");

const host: NodeHost = {
  refresh: "agentOperations.inbox.refresh",
  signal: new AbortController().signal,
  changed: () => undefined,
  isOpen: () => true,
};

describe("The rows of the sidebar", () => {
  it("say of a tool what it may do before its title, which may be long", async () => {
    const tool: Tool = {
      name: "get_tiny_image",
      title: "Gets a tiny image, and says much about it",
      annotations: { readOnlyHint: true },
    };
    const server = { id: "s", name: "Everything", url: "https://tools.test", auth_type: "headers" };
    const row = toolServerNode(
      { connectionId: "c", toolServerId: "s", server, grant: "none" } as unknown as Parameters<
        typeof toolServerNode
      >[0],
      undefined as unknown as Parameters<typeof toolServerNode>[1],
      {
        host,
        authAttempts: { of: () => undefined },
        toolServers: { isPicked: () => false, tools: () => Promise.resolve([tool]) },
      },
    );
    const [only] = await row.children();
    deepEqual(only?.item().description, "read-only · Gets a tiny image, and says much about it");
  });

  it("say of a platform among others that it has no destination yet", () => {
    const facts = { destinations: [], listed: true, jobs: undefined };
    const rows = { connectionId: "c", host, jobs: [] };
    const parent = undefined as unknown as Parameters<typeof destinationNodes>[2];
    const found = destinationNodes(facts, rows as unknown as Parameters<typeof destinationNodes>[1], parent);
    deepEqual(
      found.map((row) => row.item().label),
      ["No destination yet"],
    );
  });

  const question = { id: "i", value: "Which account?" };
  const twoActions = { id: "j", value: { action_requests: [{ name: "pay" }, { name: "send_email" }] } };
  const askedWords = (words: string | undefined) => /asks [^·]+/.exec(words ?? "")?.[0].trim();
  const parent = undefined as unknown as Parameters<typeof threadNode>[3];

  for (const [what, interrupts, status, words] of [
    ["one question", { task: [question] }, "interrupted", undefined],
    ["two questions of two tasks", { a: [question], b: [question] }, "interrupted", "asks 2 things"],
    ["a question and two actions", { task: [question, twoActions] }, "interrupted", "asks 3 things"],
    ["nothing, at a breakpoint", {}, "interrupted", undefined],
    ["nothing that its server lists", undefined, "interrupted", undefined],
    ["what was asked before it went on", { a: [question, question] }, "busy", undefined],
  ] as const)
    it(`say of a thread that it asks several things: ${what}`, async () => {
      const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
      const thread = { thread_id: "t", status, metadata: {}, ...times, ...(interrupts && { interrupts }) };
      const ref = {
        connectionId: "c",
        server: { kind: "agentServer", url: "http://one" },
        threadId: "t",
      } as const;
      const row = threadNode(
        ref,
        factsOf(thread),
        { unsupported: "", isStranded: false, now: 0 },
        parent,
        host,
      );
      equal(askedWords(row.item().description as string), words);
      const hover = (await row.tooltip()) as { value: string };
      const mayBeMore = status === "interrupted" && Object.keys(interrupts ?? {}).length > 0;
      equal(hover.value.includes("The thread may ask more"), mayBeMore, hover.value);
      const ofAgent = managedThreadNode(
        { id: "t", ...thread },
        { connectionId: "c", agentId: "a", now: 0 },
        parent,
        host,
      );
      equal(askedWords(ofAgent.item().description as string), words);
    });

  it("say of a thread how old it is by the clock that it was given, whatever this machine's says", () => {
    const now = Date.parse("2030-01-01T02:00:00Z");
    const updated_at = "2030-01-01T00:00:00Z";
    const ref = {
      connectionId: "c",
      server: { kind: "agentServer", url: "http://one" },
      threadId: "t",
    } as const;
    const thread = {
      thread_id: "t",
      status: "idle",
      metadata: {},
      created_at: updated_at,
      updated_at,
    } as const;
    const known = { unsupported: "", isStranded: false, now };
    const rows = [
      threadNode(ref, factsOf(thread), known, parent, host),
      managedThreadNode(
        { id: "t", thread_id: "t", status: "idle", updated_at },
        { connectionId: "c", agentId: "a", now },
        parent,
        host,
      ),
    ];
    for (const row of rows) equal(row.item().description, "idle · 2 h ago");
  });

  /** What says itself that it failed, and what a click does; of all else its error says it. */
  const next: readonly (readonly [
    Exclude<FailureKind, "connection" | "server">,
    Readonly<Record<string, string>>,
    string,
  ])[] = [
    ["revision", { deploymentId: "d", revisionId: "r" }, "revision.openLog"],
    ["agent", { agentId: "a" }, "agent.checkHealth"],
    ["export", { exportId: "e" }, "destinations.focus"],
    ["delivery", {}, "issues.focus"],
    ["run", { threadId: "t" }, "thread.open"],
    ["threads", {}, "bulk.repairThreads"],
  ];
  for (const [kind, ids, command] of next) {
    it(`say of what is broken where, why and that it is new, and lead to the next step: ${kind}, ${command}`, () => {
      const ref = { connectionId: "c", ...ids };
      const failure = { key: "k", kind, ref, name: "Bot", what: "failed", reason: "No port", at: 0 };
      const row = failureRow(failure, { connection: { name: "Staging" }, unread: true, now: 0 });
      const words =
        kind === "threads"
          ? ["Staging · failed", "Bot · No port · now"]
          : ["Staging · Bot: failed", "No port · now"];
      deepEqual([row.label, row.description, row.spoken], [...words, `New, ${words.join(", ")}`]);
      deepEqual([row.command?.command, row.command?.arguments], [`agentOperations.${command}`, [ref]]);
    });
  }

  it("say of what is broken that it is on a protected connection, and name one that itself is broken once", () => {
    const failure = {
      key: "k",
      kind: "revision",
      name: "Bot",
      what: "failed",
      reason: "No port",
      at: 0,
    } as const;
    const on = (name: string, mark?: "word") => {
      const connection = { name, ...(mark && { protected: mark }) };
      const ref = { connectionId: "c" };
      const row = failureRow({ ...failure, ref }, { connection, unread: false, now: 0 });
      return [row.label, row.icon, row.spoken];
    };
    deepEqual(on("Production", "word"), [
      "Production · Bot: failed",
      ["shield", undefined],
      "protected Production · Bot: failed, No port · now",
    ]);
    deepEqual(on("Bot"), ["Bot: failed", ["rocket", undefined], "Bot: failed, No port · now"]);
  });
});
