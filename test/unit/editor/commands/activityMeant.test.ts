import { deepEqual } from "node:assert/strict";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { commands } = await import("../../../../src/editor/commands/activity.ts");
const { ActivityLog } = await import("../../../../src/editor/kit/activityLog.ts");

describe("The operation that is cancelled", () => {
  it("is the row's, also when a key was pressed on it", async () => {
    const log = new ActivityLog(new TestMemento());
    const cancelled: string[] = [];
    const began = (title: string) => log.begin({ title, cancel: () => cancelled.push(title) });
    const [first, second] = [began("first"), began("second")];
    const handlers = commands({ activity: log } as unknown as Parameters<typeof commands>[0]);
    await handlers["agentOperations.activity.cancel"]({ ref: first });
    await handlers["agentOperations.activity.cancel"]([{ ref: second }]);
    deepEqual(cancelled, ["first", "second"]);
  });
});
