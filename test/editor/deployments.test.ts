import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ConnectionSetting } from "../../src/editor/connections/connection.ts";
import { serverText } from "../../src/editor/connections/serverRef.ts";
import type { ConnectedServer } from "../../src/editor/connections/serverRef.ts";
import { CONTEXTS } from "../../src/editor/kit/ids.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { say } from "../support/localPlatform.ts";
import {
  ageless,
  connectServer,
  drawTree,
  hideView,
  removeOtherViews,
  removeThreads,
  rowsById,
  showView,
} from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { requestsAfter, watchRequests } from "./requests.ts";

describe("The Deployments view", () => {
  let extension: Extension;
  let platform: LocalPlatform;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await removeThreads(platform);
    await showView();
  });

  it("lists threads by connection, agent server and status, those that need a person first", async () => {
    await platform.thread({ title: "Plain" });
    const waiting = await platform.thread({ title: "Waiting" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Pay 10 euros") });
    await connectServer(extension, "Sample", platform);
    deepEqual(ageless(await drawTree(extension)), [
      `Sample | ${host()} · 2 threads`,
      "  Waiting | 1",
      "    Waiting | waiting",
      "  Idle | 1",
      "    Plain | idle",
    ]);
    equal(extension.waitingThreads.count(), 1);
  });

  it("counts no thread at an address that the connection has left", async () => {
    const waiting = await platform.thread({ title: "Waiting" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Pay") });
    const setting = await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    equal(extension.waitingThreads.count(setting.id), 1);
    await extension.connections.update({ ...setting, url: `${platform.ready.deploymentUrl}/moved` });
    await until("nothing is counted", () => extension.waitingThreads.count(setting.id) === 0);
  });

  it("calls a thread without a name by its first message", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, { assistant_id: "echo", input: say("What is the\nweather?") });
    const requests = watchRequests(extension, ({ url }) => url.includes("/runs") || url.includes("/state"));
    await connectServer(extension, "Sample", platform);
    const isNamed = async () =>
      ageless(await drawTree(extension)).includes("    What is the weather? | idle");
    await until("it has its title", isNamed);
    equal(await isNamed(), true);
    equal(requests.stop().length, 1, requests.urls.join("\n"));
  });

  it("draws nothing again when nothing changed, and only the row that did", async () => {
    const one = await platform.thread({ title: "One" });
    await platform.thread({ title: "Two" });
    await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    const before = await rowsById(extension);
    const [root] = before.values();
    const drawn = record();
    const seen = await root?.tooltip?.();
    await until("it was seen again in another second, which its details tell", async () => {
      await extension.views.deployments.refresh();
      return (await root?.tooltip?.()) !== seen;
    });
    deepEqual(drawn(), []);
    await platform.send("PATCH", `/threads/${one}`, { metadata: { title: "First" } });
    await extension.views.deployments.refresh();
    deepEqual(new Set((await rowsById(extension)).keys()), new Set(before.keys()));
    const again = await rowsById(extension);
    for (const [id, node] of before) equal(again.get(id), node, `${id} is another object after a refresh`);
  });

  it("loads more on demand, filters by status and searches among 200 threads", async () => {
    await createThreads(platform, 200);
    const waiting = await platform.thread({ title: "The needle", ticket: "OPS-1" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Pay") });
    await connectServer(extension, "Sample", platform);
    const first = ageless(await drawTree(extension));
    deepEqual(first.slice(0, 4), [
      `Sample | ${host()} · 201 threads`,
      "  Waiting | 1",
      "    The needle | waiting",
      "  Idle | 200",
    ]);
    equal(first.at(-1), "    Load more (50 of 200)");
    await vscode.commands.executeCommand("agentOperations.threads.loadMore", {
      ...serverOf(),
      group: "idle",
    });
    equal((await drawTree(extension)).at(-1), "    Load more (100 of 200)");

    await extension.threadListings.setFilter({ status: "interrupted" });
    deepEqual(ageless(await drawTree(extension)), [
      `Sample | ${host()} · 1 thread`,
      "  The needle | waiting",
    ]);
    await until(
      "the description tells the filter",
      () => extension.views.deployments.platform.view.description === "1 of 201",
    );

    await extension.threadListings.setFilter({ text: "NEEDLE" });
    deepEqual(ageless(await drawTree(extension)).slice(-1), ["    The needle | waiting"]);
    await extension.threadListings.setFilter({ text: "ticket=OPS-1" });
    deepEqual(ageless(await drawTree(extension)).slice(-1), ["    The needle | waiting"]);
    await extension.threadListings.setFilter({ text: waiting });
    deepEqual(ageless(await drawTree(extension)).slice(-1), ["    The needle | waiting"]);

    await extension.threadListings.setFilter({ text: "nobody is called so" });
    await until("the view is filtered to nothing", async () => {
      await drawTree(extension);
      return extension.views.deployments.platform.empty === "filtered";
    });
    await vscode.commands.executeCommand("agentOperations.threads.clearFilter");
    equal(extension.views.deployments.platform.empty, undefined);
  });

  it("shows statuses that it does not know as they are, and flat rows on demand", async () => {
    await platform.thread({ title: "Only" });
    await connectServer(extension, "Sample", platform);
    await vscode.commands.executeCommand("agentOperations.threads.toggleGrouping");
    try {
      deepEqual(ageless(await drawTree(extension)), [`Sample | ${host()} · 1 thread`, "  Only | idle"]);
    } finally {
      await vscode.commands.executeCommand("agentOperations.threads.toggleGrouping");
    }
  });

  it("follows the servers while it is seen, asks nothing when it is not, and catches up when it is again", async () => {
    using time = holdTime(extension);
    const thread = await platform.thread({ title: "Before" });
    await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    const follows = async (title: string): Promise<boolean> =>
      (await drawTree(extension)).some((row) => row.includes(title));
    const rename = (title: string) => platform.send("PATCH", `/threads/${thread}`, { metadata: { title } });
    await rename("After");
    await time.until("the row follows by itself", () => follows("After"));

    await hideView(extension);
    await rename("Unseen");
    deepEqual(await requestsAfter(extension, () => time.pass(600_000)), []);
    equal(await follows("Unseen"), false);
    await showView();
    await until("the row follows as soon as it is seen", () => follows("Unseen"));
  });

  it("follows what others do within ten seconds, however long nothing happened", async () => {
    using time = holdTime(extension);
    const thread = await platform.thread({ title: "Quiet" });
    await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    for (let minute = 0; minute < 5; minute += 1) {
      const requests = watchRequests(extension, ({ url }) => url.endsWith("/threads/search"));
      await time.until("it is looked at", () => requests.urls.length > 0, 60_000);
      requests.stop();
    }
    await until("the next look is planned", () => time.began((ms) => ms <= 10_000));
    await platform.send("PATCH", `/threads/${thread}`, { metadata: { title: "Loud" } });
    await time.until("the row follows", async () =>
      (await drawTree(extension)).some((row) => row.includes("Loud")),
    );
  });

  it("counts what waits on connections that are not unfolded, as soon as a view of ours is seen", async () => {
    using time = holdTime(extension);
    await removeOtherViews(extension);
    await connectServer(extension, "Sample", platform);
    await extension.connections.add({ name: "Other", kind: "agentServer", url: "http://127.0.0.1:9" });
    await hideView(extension);
    const waiting = await platform.thread({ title: "Waiting" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Pay 10 euros") });
    equal(extension.waitingThreads.count(), 0);
    time.pass(60_000);
    await showView();
    await until("it is counted", () => extension.waitingThreads.count() === 1);
    await vscode.commands.executeCommand("agentOperations.inbox.resetViewLocation");
    equal(extension.views.inbox.polled.view.badge?.value, 1);
  });

  it("selects the row of the thread whose tab comes to the front, and leaves other selections alone", async () => {
    const threads = [await platform.thread({ title: "One" }), await platform.thread({ title: "Two" })];
    const { id: connectionId } = await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    const { view } = extension.views.deployments.platform;
    const server = { kind: "agentServer", url: platform.ready.deploymentUrl } as const;
    const selected = (threadId: string | undefined) => () => {
      const [row] = view.selection;
      return row?.id.endsWith(`/${threadId ?? ""}`) === true;
    };
    for (const threadId of threads) {
      extension.panels.open({ connectionId, server, threadId });
      await until("its row is selected", selected(threadId));
    }
    await view.reveal(
      [...(await rowsById(extension)).values()].find(({ id }) => id.endsWith(threads[0] ?? ""))!,
    );
    await until("a person selected another one", selected(threads[0]));
    await extension.views.deployments.refresh();
    equal(selected(threads[0])(), true);
    for (const panel of extension.panels.all) panel.close();
  });

  it("lists the first page of very many threads with few requests", async () => {
    await createThreads(platform, 300);
    await removeOtherViews(extension);
    await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    extension.views.deployments.platform.roots[0]?.reset();
    const requests = watchRequests(extension);
    await drawTree(extension);
    const asked = requests.stop();
    ok(asked.length > 0 && asked.length <= 8, asked.join("\n"));
    ok((await rowsById(extension)).size < 60);
  });

  it("says why a row is there and what the thread is in its tooltip", async () => {
    const thread = await platform.thread({ title: "Told", ticket: "OPS-7" });
    await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    const node = (await rowsById(extension)).get(
      `thread:${serverOf().connectionId}/${serverText(serverOf().server)}/${thread}`,
    );
    ok(node);
    const { tooltip } = await extension.views.deployments.platform.nodes.resolveTreeItem(
      extension.views.deployments.platform.nodes.getTreeItem(node),
      node,
    );
    ok(tooltip instanceof vscode.MarkdownString);
    match(tooltip.value, new RegExp(thread));
    match(tooltip.value, /OPS-7/);
  });

  it("remembers the filter of the workspace and sets the context key of menus", async () => {
    await connectServer(extension, "Sample", platform);
    await extension.threadListings.setFilter({ status: "busy", text: "x" });
    deepEqual(extension.context.workspaceState.get("threads.filter"), { status: "busy", text: "x" });
    equal(CONTEXTS.threadsFiltered, "agentOperations.threadsFiltered");
  });

  function host(): string {
    return new URL(platform.ready.deploymentUrl).host;
  }

  function serverOf(): ConnectedServer {
    const [{ id }] = extension.connections.list() as [ConnectionSetting];
    const shown = extension.threadListings.all.map(({ ref }) => ref);
    const { connectionId, server } = shown.find((ref) => ref.connectionId === id)!;
    return { connectionId, server };
  }

  /** The ids that are drawn again from now on. */
  function record(): () => readonly (string | undefined)[] {
    const drawn: (string | undefined)[] = [];
    const recording = extension.views.deployments.platform.nodes.onDidChangeTreeData((changed) => {
      const list = Array.isArray(changed) ? changed : [changed];
      drawn.push(...list.map((node) => node?.id));
    });
    return () => {
      recording.dispose();
      return drawn;
    };
  }
});

async function createThreads(platform: LocalPlatform, count: number): Promise<void> {
  for (let done = 0; done < count; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => platform.thread({ title: `Talk ${String(done + n)}` })),
    );
  }
}
