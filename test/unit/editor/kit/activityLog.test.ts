import { deepEqual, equal } from "node:assert/strict";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { ActivityLog } = await import("../../../../src/editor/kit/activityLog.ts");

describe("Long operations", () => {
  it("that ended are there after a reload, with their steps; what goes on is begun anew by its watch", () => {
    const memory = new TestMemento();
    const before = new ActivityLog(memory);
    const ended = before.begin({
      title: "Deploy",
      connection: "Production",
      startedAt: 7,
      cancel: () => undefined,
    });
    ended.step("Building");
    ended.finish("failed", "Build failed");
    before.begin({ title: "Export", startedAt: 8 });
    const [entry, ...others] = new ActivityLog(memory).entries;
    equal(others.length, 0);
    deepEqual(
      [entry?.options.title, entry?.options.connection, entry?.startedAt, entry?.end?.message],
      ["Deploy", "Production", 7, "Build failed"],
    );
    deepEqual(
      entry?.steps.map(({ label }) => label),
      ["Building"],
    );
  });

  it("are gone when they were cleared, and the oldest of many", () => {
    const memory = new TestMemento();
    const log = new ActivityLog(memory);
    for (let at = 0; at < 60; at += 1)
      log.begin({ title: "Deploy", startedAt: at }).finish("done", "Deployed");
    const kept = new ActivityLog(memory).entries;
    deepEqual([kept.length, kept[0]?.startedAt, kept.at(-1)?.startedAt], [50, 59, 10]);
    log.clear();
    equal(new ActivityLog(memory).entries.length, 0);
  });
});
