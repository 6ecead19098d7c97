import { deepEqual, equal, match } from "node:assert/strict";
import type { NodeHost } from "../../../../src/editor/kit/tree/node.ts";
import type { RowModel } from "../../../../src/editor/views/issues/issueRow.ts";
import "../fakeVscode.ts";

const { issueNode, issueTargetOf } = await import("../../../../src/editor/views/issues/issueNode.ts");
const { BranchNode } = await import("../../../../src/editor/kit/tree/branchNode.ts");

const host: NodeHost = {
  signal: new AbortController().signal,
  changed: () => undefined,
  isOpen: () => false,
};

const model: RowModel = {
  ...{ id: "issue:1", label: "It fails", description: "now", icon: "flame", contextValue: "issueRow" },
  ...{ target: { kind: "row", row: "issue:1" }, click: "agentOperations.issue.show", tooltip: "Often" },
};

describe("A row of the Issues view", () => {
  it("hands commands what it stands for, on a click and from its menu", () => {
    const node = issueNode(model, host);
    const { command, accessibilityInformation } = node.item();
    deepEqual([command?.command, command?.arguments], [model.click, [model.target]]);
    equal(accessibilityInformation?.label, "It fails now");
    deepEqual([issueTargetOf(model.target), issueTargetOf(node)], [model.target, model.target]);
  });

  it("is told from a row of another view", () => {
    const ref = { connectionId: "c", threadId: "t" };
    const other = new BranchNode({ id: "t", parent: undefined, ref, row: () => ({ label: "t" }) }, host);
    deepEqual(
      [issueTargetOf(other), issueTargetOf({ kind: "thread" }), issueTargetOf(undefined)],
      [undefined, undefined, undefined],
    );
  });

  it("stays the same row when what it shows is replaced, with those below it", () => {
    const node = issueNode({ ...model, below: [{ ...model, id: "trace:1" }] }, host);
    const [below] = node.known ?? [];
    const drawn = node.snapshot();
    node.update(issueNode({ ...model, label: "It fails again", below: [{ ...model, id: "trace:1" }] }, host));
    match(node.snapshot(), /It fails again/);
    equal(drawn.includes("again"), false);
    equal(node.known?.[0], below);
    equal(below?.parent, node);
  });
});
