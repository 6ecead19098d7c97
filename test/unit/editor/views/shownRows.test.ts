import { deepEqual, equal } from "node:assert/strict";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";
import type { NodeTree } from "../../../../src/editor/kit/tree/nodeTree.ts";
import type { EditorView } from "../../../../src/editor/views/platform/laterView.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { EventEmitter, TreeItemCollapsibleState } = await import("vscode");
const { ActivityLog } = await import("../../../../src/editor/kit/activityLog.ts");
const { ActivityView } = await import("../../../../src/editor/views/activity.ts");
const { IssuesView } = await import("../../../../src/editor/views/issues/issues.ts");

type IssuesServices = ConstructorParameters<typeof IssuesView>[0];
type Core = ConstructorParameters<typeof ActivityView>[0];

describe("What was unfolded and selected", () => {
  it("is so again after a reload in the Activity view, with the same operation", async () => {
    const memory = new TestMemento();
    const log = new ActivityLog(memory);
    for (const title of ["Deploy", "Deploy", "Export"]) {
      const activity = log.begin({ title, startedAt: 7 });
      activity.step("Building");
      if (title === "Deploy") activity.finish("done", "Deployed");
    }
    const ids = log.entries.map(({ id }) => id);
    equal(new Set(ids).size, 3, "two that began at once are two");
    const before = editorSide();
    const shown = new ActivityView(core(memory, log), before.view);
    const [, , first] = await drawn(shown.nodes);
    before.unfold(first, true);
    before.select(first);
    shown.dispose();

    const later = new ActivityLog(memory);
    later.begin({ title: "Clone", startedAt: 9 });
    const after = editorSide();
    const again = new ActivityView(core(memory, later), after.view);
    const rows = await drawn(again.nodes);
    deepEqual(openOf(again.nodes, rows), { Clone: false, Deploy: true });
    deepEqual(after.revealed, [first?.id]);
    again.dispose();
  });

  it("is so again after a reload in the Issues view, and what was folded is folded", async () => {
    const memory = new TestMemento();
    const before = editorSide();
    const shown = new IssuesView(services(memory), before.view);
    const [, urgent, low] = await drawn(shown.nodes);
    deepEqual(openOf(shown.nodes, [urgent, low]), { Urgent: true, Low: true });
    const [issue] = await shown.nodes.getChildren(low);
    before.unfold(urgent, false);
    before.select(issue);
    shown.dispose();

    const after = editorSide();
    const again = new IssuesView(services(memory), after.view);
    const [, ...groups] = await drawn(again.nodes);
    deepEqual(openOf(again.nodes, groups), { Urgent: false, Low: true });
    deepEqual(after.revealed, ["issue:3"]);
    again.dispose();
  });
});

/** The editor's side of a view that is seen. */
function editorSide() {
  const opened = new EventEmitter<unknown>();
  const folded = new EventEmitter<unknown>();
  const selected = new EventEmitter<unknown>();
  const revealed: string[] = [];
  const view = {
    visible: true,
    selection: [],
    reveal: ({ id }: TreeNode) => void revealed.push(id),
    onDidExpandElement: opened.event,
    onDidCollapseElement: folded.event,
    onDidChangeSelection: selected.event,
    onDidChangeVisibility: new EventEmitter().event,
  };
  return {
    view: view as unknown as EditorView,
    revealed,
    unfold: (element: TreeNode | undefined, open: boolean) => (open ? opened : folded).fire({ element }),
    select: (node: TreeNode | undefined) => selected.fire({ selection: [node] }),
  };
}

async function drawn(nodes: NodeTree): Promise<readonly TreeNode[]> {
  const rows = await nodes.getChildren();
  for (const row of rows) nodes.getTreeItem(row);
  return rows;
}

function openOf(nodes: NodeTree, rows: readonly (TreeNode | undefined)[]): Record<string, boolean> {
  const { Expanded } = TreeItemCollapsibleState;
  const items = rows.flatMap((row) => (row === undefined ? [] : nodes.getTreeItem(row)));
  return Object.fromEntries(
    items.map(({ label, collapsibleState }) => [
      typeof label === "string" ? label : "",
      collapsibleState === Expanded,
    ]),
  );
}

function core(workspaceState: TestMemento, activity: InstanceType<typeof ActivityLog>): Core {
  return { context: { workspaceState }, activity } as unknown as Core;
}

/** An urgent issue and a slight one were received. */
function services(workspaceState: TestMemento): IssuesServices {
  const all = [0, 3].map((severity) => ({
    ...{ kind: "issue", id: `issue:${String(severity)}`, at: "2026-01-01T00:00:00Z", unread: true },
    issue: { id: String(severity), name: "It fails", description: "Often", severity },
    ...{ actions: [], events: [] },
  }));
  const issueWebhooks = {
    state: { kind: "stopped" },
    store: { all, size: all.length, gaps: [], unread: all },
    subscriptions: { list: () => [], onDidChange: new EventEmitter().event },
    refusals: () => [],
    onDidChange: new EventEmitter().event,
    resume: () => Promise.resolve(),
  };
  return { context: { workspaceState }, issueWebhooks, report: {} } as unknown as IssuesServices;
}
