import { deepEqual } from "node:assert/strict";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import { StrandedThreads } from "../../../../src/editor/threads/strandedThreads.ts";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const thread = (threadId: string, connectionId = "here"): ThreadRef => {
  return { connectionId, server: { kind: "workspaceGraphs" }, threadId };
};

describe("Threads with a stranded run", () => {
  it("are busy ones of a server that began later, or those of which a session says so", () => {
    const stranded = new StrandedThreads((connectionId) => (connectionId === "here" ? 100_000 : undefined));
    const busy = { status: "busy", updatedAt: at(99) };
    const answers = (): readonly boolean[] => [
      stranded.has(thread("a"), busy),
      stranded.has(thread("a"), { ...busy, status: "idle" }),
      stranded.has(thread("a"), { ...busy, updatedAt: at(101) }),
      stranded.has(thread("a", "there"), busy),
    ];
    deepEqual(answers(), [true, false, false, false]);
    stranded.note(thread("a", "there"), true);
    deepEqual(answers(), [true, false, false, true]);
    stranded.note(thread("a", "there"), false);
    deepEqual(answers(), [true, false, false, false]);
  });
});
