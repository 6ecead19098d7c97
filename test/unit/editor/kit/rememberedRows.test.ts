import { deepEqual, equal } from "node:assert/strict";
import { RememberedRows } from "../../../../src/editor/kit/tree/rememberedRows.ts";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { NodeTree } = await import("../../../../src/editor/kit/tree/nodeTree.ts");
const { TreeItem, TreeItemCollapsibleState } = await import("vscode");
const { None: none, Collapsed: collapsed, Expanded: expanded } = TreeItemCollapsibleState;

describe("The rows of a view after a reload", () => {
  const memory = new TestMemento();
  const before = new RememberedRows(memory, "deployments");
  before.noteOpen("one", true);
  before.noteOpen("two", true);
  before.noteOpen("two", false);
  before.noteSelected("two");
  const after = new RememberedRows(memory, "deployments");

  it("are unfolded, folded and selected as they were left, in each view on its own", () => {
    deepEqual([after.isOpen("one"), after.isOpen("two"), after.isOpen("three")], [true, false, undefined]);
    equal(after.selected, "two");
    const other = new RememberedRows(memory, "agents");
    deepEqual([other.isOpen("one"), other.selected], [undefined, undefined]);
  });

  it("are drawn so, but for a row that can't be opened any more", () => {
    const roots = [row("one", collapsed), row("two", expanded), row("three", expanded)];
    const tree = new NodeTree({
      roots: () => roots,
      empty: () => undefined,
      opened: (id) => after.isOpen(id),
    });
    deepEqual(
      roots.map((node) => tree.getTreeItem(node).collapsibleState),
      [expanded, collapsed, expanded],
    );
    equal(tree.getTreeItem(row("one", none)).collapsibleState, none);
  });

  it("stay unfolded where they began so, and nothing makes them begin so any more", () => {
    const treeOf = (rows: RememberedRows, node: TreeNode) =>
      new NodeTree({
        roots: () => [node],
        empty: () => undefined,
        opened: (id) => rows.isOpen(id),
        beginsOpen: (id) => rows.noteOpen(id, true),
      }).getTreeItem(node).collapsibleState;
    equal(treeOf(after, row("only", expanded)), expanded);
    const reloaded = new RememberedRows(memory, "deployments");
    equal(treeOf(reloaded, row("only", collapsed)), expanded);
    reloaded.noteOpen("only", false);
    equal(treeOf(reloaded, row("only", expanded)), collapsed);
  });
});

function row(
  id: string,
  state: (typeof TreeItemCollapsibleState)[keyof typeof TreeItemCollapsibleState],
): TreeNode {
  const item = (): InstanceType<typeof TreeItem> =>
    Object.assign(new TreeItem(id), { collapsibleState: state });
  return { id, parent: undefined, known: [], snapshot: () => id, item };
}
