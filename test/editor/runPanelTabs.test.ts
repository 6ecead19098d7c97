import { deepEqual, equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { RUN_PANEL } from "../../src/editor/kit/ids.ts";
import type { RunPanel } from "../../src/editor/runPanel/runPanel.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { connectServer, removeThreads } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { idle, send, tabs } from "./panelSession.ts";

describe("A tab of the run panel", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await removeThreads(platform);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("shows one tab per thread, named after it", async () => {
    const one = await thread("One");
    const two = await thread("Two");
    extension.panels.open(one);
    extension.panels.open(two);
    extension.panels.open(one);
    equal(extension.panels.all.length, 2);
    await until("the tabs have their names", () => tabs().includes("One") && tabs().includes("Two"));
    await until("the first is in front again", () => extension.panels.active?.threadId === one.threadId);
  });

  it("is brought back after a window reload with the same transcript", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "researcher", "old bridges");
    await idle(panel.session);
    const before = comparable(panel);
    const id = keptId(panel);
    panel.close();
    const restored = vscode.window.createWebviewPanel(RUN_PANEL, "restored", vscode.ViewColumn.Active);
    await extension.panels.deserializeWebviewPanel(restored, { panel: id });
    const again = extension.panels.all.at(-1)!;
    await idle(again.session);
    deepEqual(comparable(again), before);
    await until("the tab has its name", () => tabs().includes("old bridges"));
  });

  it("keeps the name it had while its thread is read again", async () => {
    const unread = extension.panels.open(await thread("Named on the server"));
    const id = keptId(unread);
    unread.close();
    const restored = vscode.window.createWebviewPanel(RUN_PANEL, "As it was", vscode.ViewColumn.Active);
    await extension.panels.deserializeWebviewPanel(restored, { panel: id });
    equal(restored.title, "As it was");
    await until("the tab has its name", () => tabs().includes("Named on the server"));
  });

  it("says nothing of what became of a request when its tab was closed meanwhile", async () => {
    const faults = `${platform.ready.localUrl}/faults`;
    const panel = extension.panels.openNew(server());
    await send(panel.session, "slow", "take your time");
    await until("the run goes on", () => panel.stoppable);
    await platform.send("POST", faults, { match: { path: "/cancel$" }, status: 500, times: 100 });
    try {
      const stopping = panel.stop();
      panel.close();
      await stopping;
    } finally {
      await platform.send("DELETE", faults);
      await panel.session.stop();
    }
  });

  it("has one tab for a thread, also when a hidden one comes back after the thread was opened anew", async () => {
    const ref = await thread("Twice");
    const panel = extension.panels.open(ref);
    const id = keptId(panel);
    const restored = vscode.window.createWebviewPanel(RUN_PANEL, "restored", vscode.ViewColumn.Active);
    const closed = new Promise<void>((resolve) => restored.onDidDispose(() => resolve()));
    await extension.panels.deserializeWebviewPanel(restored, { panel: id });
    await closed;
    deepEqual(extension.panels.all, [panel]);
    await until("the thread's own tab is in front", () => panel.active);
  });

  it("closes a tab whose thread nobody remembers", async () => {
    const restored = vscode.window.createWebviewPanel(RUN_PANEL, "restored", vscode.ViewColumn.Active);
    const closed = new Promise<void>((resolve) => restored.onDidDispose(() => resolve()));
    await extension.panels.deserializeWebviewPanel(restored, { draft: { text: "x" } });
    await closed;
  });

  it("closes with its thread when that is deleted here", async () => {
    const ref = await thread("Deleted");
    extension.panels.open(ref);
    deepEqual(await extension.threads.delete([ref]), []);
    await until("the panel is closed", () => extension.panels.all.length === 0);
  });

  /** By what the page of a panel finds it again after a reload. */
  function keptId({ thread: shown }: RunPanel): string {
    const { workspaceState } = extension.context;
    const kept = workspaceState.get<[id: string, { threadId?: string }][]>("runPanel.places", []);
    const found = kept.find(([, { threadId }]) => threadId === shown?.threadId);
    ok(found);
    return found[0];
  }

  function server() {
    const { deploymentUrl: url } = platform.ready;
    return { connectionId, server: { kind: "agentServer", url }, name: "Sample", url } as const;
  }

  async function thread(title: string) {
    return {
      connectionId,
      server: { kind: "agentServer", url: platform.ready.deploymentUrl } as const,
      threadId: await platform.thread({ title }),
    };
  }
});

/** The transcript without what only a live stream can time. */
function comparable({ session }: RunPanel): unknown[] {
  const timed = ["startedAt", "endedAt", "firstTokenMs", "firstEvent"];
  return session.entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => !timed.includes(name))),
  );
}
