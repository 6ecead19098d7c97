import { deepEqual, equal } from "node:assert/strict";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { HiddenConnections } = await import("../../../../src/editor/connections/hiddenConnections.ts");

describe("Connections without rows", () => {
  const memory = new TestMemento();
  let all: ConnectionSetting[];
  const connections = { list: () => all };
  const hidden = (): InstanceType<typeof HiddenConnections> => new HiddenConnections(connections, memory);
  const shown = (): string =>
    hidden()
      .shownOf(all)
      .map(({ id }) => id)
      .join();

  beforeEach(async () => {
    all = ["a", "b", "c"].map((id) => ({ id, name: id, kind: "agentServer" }));
    await hidden().showAll();
  });

  it("are hidden one by one, or all but one, and stay so over a reload", async () => {
    await hidden().hide("b");
    equal(shown(), "a,c");
    await hidden().showOnly("b");
    deepEqual([shown(), hidden().count], ["b", 2]);
    await hidden().showAll();
    deepEqual([shown(), hidden().count], ["a,b,c", 0]);
  });

  it("are shown again where no other is left", async () => {
    await hidden().showOnly("b");
    all = all.filter(({ id }) => id !== "b");
    deepEqual([shown(), hidden().count], ["a,c", 0]);
  });
});
