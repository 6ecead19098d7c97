import { deepEqual, equal, throws } from "node:assert/strict";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";
import type { ThreadHosts } from "../../../../src/editor/threads/servers/threadHosts.ts";
import type { EditorView } from "../../../../src/editor/views/platform/laterView.ts";
import "../fakeVscode.ts";

const { EventEmitter, TreeItem } = await import("vscode");
const { Threads } = await import("../../../../src/editor/threads/threads.ts");
const { ActiveThread } = await import("../../../../src/editor/views/deployments/activeThread.ts");
const { threadNodeId } = await import("../../../../src/editor/views/threads/threadNode.ts");

describe("The selection of the Deployments view", () => {
  it("does not bring back a view that was left before its rows were drawn, and follows when it is seen again", () => {
    const { view, show, revealed } = fakeView();
    const threads = new Threads(noHosts);
    const active = new ActiveThread(threads, view);
    const group = row("group", undefined);
    const wanted = row(threadNodeId("thread", thread), group);
    active.update([{ ...group, known: [wanted] }]);
    threads.activate(thread);
    const [asked] = revealed;
    deepEqual([asked?.id, asked?.item(), asked?.parent], [wanted.id, wanted.item(), group]);
    show(false);
    // The editor asks for them when it has drawn the rows, and would then show the view.
    throws(() => asked?.parent, /was left/);
    throws(() => asked?.item(), /was left/);
    equal(revealed.length, 1);
    show(true);
    equal(revealed[1]?.parent, group);
    active.dispose();
  });
});

const noHosts = {} as unknown as ThreadHosts;
const thread: ThreadRef = {
  connectionId: "c",
  server: { kind: "agentServer", url: "http://127.0.0.1:1" },
  threadId: "t",
};

function row(id: string, parent: TreeNode | undefined): TreeNode {
  const item = new TreeItem(id);
  return { id, parent, known: undefined, item: () => item, snapshot: () => id };
}

/** A view that notes which rows it is to bring into sight. */
function fakeView(): { view: EditorView; show: (visible: boolean) => void; revealed: readonly TreeNode[] } {
  const visibility = new EventEmitter<{ readonly visible: boolean }>();
  const revealed: TreeNode[] = [];
  let visible = true;
  const view = {
    get visible() {
      return visible;
    },
    selection: [],
    onDidChangeVisibility: visibility.event,
    onDidChangeSelection: new EventEmitter().event,
    reveal: (node: TreeNode) => {
      revealed.push(node);
      return Promise.resolve();
    },
  };
  const show = (seen: boolean): void => {
    visible = seen;
    visibility.fire({ visible });
  };
  return { view: view as unknown as EditorView, show, revealed };
}
