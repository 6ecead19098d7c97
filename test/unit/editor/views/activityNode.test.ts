import { match } from "node:assert/strict";
import type { Activity } from "../../../../src/editor/kit/activityLog.ts";
import type { NodeHost } from "../../../../src/editor/kit/tree/node.ts";
import "../fakeVscode.ts";

const { activityNode } = await import("../../../../src/editor/views/activityNode.ts");

const host: NodeHost = {
  signal: new AbortController().signal,
  changed: () => undefined,
  isOpen: () => false,
};

describe("The row of an operation", () => {
  it("names its connection, when it began, how it stands and how long it took", () => {
    const began = new Date();
    began.setHours(9, 5, 0, 0);
    const startedAt = began.getTime();
    match(rowOf(startedAt), /^Production · 0?9:05( AM)? · Deploy failed · 22 s$/);
    began.setDate(began.getDate() - 2);
    match(rowOf(began.getTime()), /^Production · \S*\d{4}\S* 0?9:05( AM)? · Deploy failed · 22 s$/);
  });

  function rowOf(startedAt: number): string {
    const { description } = activityNode(activity(startedAt), host).item();
    return typeof description === "string" ? description : "";
  }

  function activity(startedAt: number): Activity {
    const end = { how: "failed", message: "Deploy failed", at: startedAt + 22_000 } as const;
    const options = { title: "support", connection: "Production" };
    return { id: "1", options, startedAt, steps: [], end } as unknown as Activity;
  }
});
