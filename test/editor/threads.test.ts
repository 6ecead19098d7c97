import { deepEqual, equal, fail, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { connectServer, drawTree, removeThreads, rowsById, setKey, showView } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("The commands for threads", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await showView();
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("begin a thread on the row of a single server, without a question", async () => {
    await drawTree(extension);
    using person = new Person();
    await run("agentOperations.thread.new", extension.views.deployments.platform.roots[0]);
    deepEqual(person.asked, []);
    const panel = extension.panels.all.at(-1);
    equal(panel?.thread, undefined);
    equal(extension.panels.all.length, 1);
  });

  it("begin a thread on the row that says that there is none, and show all again where none fits", async () => {
    await removeThreads(platform);
    const other = await LocalPlatform.start();
    try {
      await other.thread({ title: "Needle" });
      await connectServer(extension, "Other", other);
      const press = async (why: string, words: string): Promise<void> => {
        await until(`it says “${words}”`, async () => (await drawTree(extension)).includes(`  ${words}`));
        const row = (await rowsById(extension)).get(`${why}:connection:${connectionId}`);
        const { command, arguments: ref = [] } = row?.item().command ?? fail(words);
        await vscode.commands.executeCommand(command, ...(ref as readonly unknown[]));
      };
      await press("none", "No thread yet | Start one…");
      equal(extension.panels.all.at(-1)?.target.connectionId, connectionId);
      await platform.thread({ title: "Plain" });
      await extension.threadListings.setFilter({ text: "Needle" });
      await press("noneFits", "No thread fits the filter | Show all");
      deepEqual(extension.threadListings.filter, {});
    } finally {
      await other.remove();
    }
  });

  it("begin a thread with the graph that was clicked, in the server's order", async () => {
    await drawTree(extension);
    const tree = extension.views.deployments.platform.nodes;
    const [root] = await tree.getChildren();
    const [graphs] = await tree.getChildren(root);
    equal(graphs && tree.getTreeItem(graphs).label, "Graphs");
    const rows = await tree.getChildren(graphs);
    const names = rows.map((row) => tree.getTreeItem(row).label);
    // In the server's order.
    const { body } = await platform.send("POST", "/assistants/search", { limit: 100 });
    const listed = body as unknown as readonly { name: string }[];
    deepEqual(
      names,
      listed.map(({ name }) => name),
    );
    const row = rows[names.indexOf("researcher")];
    const { command } = tree.getTreeItem(row!);
    await vscode.commands.executeCommand(
      command!.command,
      ...((command!.arguments ?? []) as readonly unknown[]),
    );
    const panel = extension.panels.all.at(-1);
    ok(panel);
    const idOf = (name: string) =>
      (listed.find((one) => one.name === name) as { assistant_id?: string }).assistant_id;
    equal(panel.target.assistantId, idOf("researcher"));
    await run("agentOperations.thread.new", rows[names.indexOf("slow")]);
    const other = extension.panels.all.at(-1);
    ok(other && other !== panel);
    equal(other.target.assistantId, idOf("slow"));
  });

  it("rename a thread where others see it, too", async () => {
    const thread = await make("Old name");
    await drawTree(extension);
    equal(extension.threads.titleOf(thread), "Old name");
    const panel = extension.panels.open(thread);
    using person = new Person().will({ type: " New name " });
    await run("agentOperations.thread.rename", thread);
    person.done();
    const { body } = await platform.send("GET", `/threads/${thread.threadId}`);
    deepEqual(body["metadata"], { title: "New name" });
    equal(extension.threads.titleOf(thread), "New name");
    equal(panel.title, "New name");
    await until("its row says so", async () =>
      (await drawTree(extension)).some((row) => row.trim().startsWith("New name")),
    );
    await platform.send("PATCH", `/threads/${thread.threadId}`, { metadata: { title: "Named elsewhere" } });
    await run("agentOperations.deployments.refresh");
    await until("its tab says what it was called elsewhere", () => panel.title === "Named elsewhere");
  });

  it("that were begun elsewhere are counted by Refresh on a folded row, too", async () => {
    await removeThreads(platform);
    await make("Known");
    await run("agentOperations.deployments.refresh");
    const count = async () => (await drawTree(extension))[0]?.split(" · ").at(-1);
    await until("the row counts it", async () => (await count()) === "1 thread");
    const { platform: view } = extension.views.deployments;
    const [row] = view.roots;
    // The editor folds no row that it is about to draw.
    await until("the row is folded", async () => {
      await run("workbench.actions.treeView.agentOperations.deployments.collapseAll");
      return row !== undefined && !view.isOpen(row);
    });
    await make("Begun elsewhere");
    await run("agentOperations.deployments.refresh");
    equal(await count(), "2 threads");
  });

  it("delete several threads after one question, those that are gone already included", async () => {
    const threads = [await make("One"), await make("Two"), await make("Three")];
    const kept = await make("Kept");
    await platform.send("DELETE", `/threads/${threads[1]!.threadId}`);
    await drawTree(extension);
    const deleted: string[] = [];
    const listening = extension.threads.onDidChange((change) => {
      if (change.kind === "deleted") deleted.push(...change.threads.map(({ threadId }) => threadId));
    });
    using person = new Person().presses("Delete");
    await run("agentOperations.thread.delete", ...selected(threads));
    listening.dispose();
    deepEqual(
      deleted,
      threads.map(({ threadId }) => threadId),
    );
    match(person.told[0] ?? "", /Delete 3 threads\?/);
    for (const { threadId } of threads)
      equal((await platform.send("GET", `/threads/${threadId}`)).status, 404);
    equal((await platform.send("GET", `/threads/${kept.threadId}`)).status, 200);
    const rows = await drawTree(extension);
    ok(
      !rows.some((row) => /One|Two|Three/.test(row)) && rows.some((row) => row.includes("Kept")),
      rows.join("\n"),
    );
  });

  it("that fail on a row offer the key of that row's connection, though there are others", async () => {
    const thread = await make("Locked");
    await drawTree(extension);
    const row = [...(await rowsById(extension)).values()].find(({ id }) => id.includes(thread.threadId));
    ok(row);
    await extension.connections.add({ name: "Other", kind: "agentServer", url: "http://127.0.0.1:9" });
    await setKey(extension, connectionId, [platform.ready.deploymentUrl], "wrong");
    using person = new Person().presses("Set API Key").will({ type: "Open" }, "cancel");
    await run("agentOperations.thread.rename", row);
    await until("the key is asked for", () => person.asked.length === 2);
    match(person.asked[1]?.title ?? "", /of “Sample”/);
  });

  it("delete nothing when the question is not answered", async () => {
    const thread = await make("Stays");
    await drawTree(extension);
    using person = new Person();
    await run("agentOperations.thread.delete", thread);
    match(person.told[0] ?? "", /Delete the thread “Stays”\?/);
    equal((await platform.send("GET", `/threads/${thread.threadId}`)).status, 200);
  });

  it("go on after a thread that can't be deleted, and report it once", async () => {
    const threads = [await make("A"), await make("B"), await make("C")];
    const locked = threads[1]!;
    await platform.send("POST", `${platform.ready.localUrl}/faults`, {
      match: { method: "DELETE", path: `${locked.threadId}$` },
      status: 403,
      body: "missing permission threads:delete",
      times: 10,
    });
    using person = new Person().presses("Delete");
    await run("agentOperations.thread.delete", ...selected(threads));
    await platform.send("DELETE", `${platform.ready.localUrl}/faults`);
    equal(person.told.length, 2, person.told.join("\n"));
    match(person.told[1] ?? "", /1 of 3 threads were not deleted.*threads:delete/);
    equal((await platform.send("GET", `/threads/${locked.threadId}`)).status, 200);
    equal((await platform.send("GET", `/threads/${threads[2]!.threadId}`)).status, 404);
  });

  it("copy the ids of all selected threads, one per line", async () => {
    const threads = [await make("One"), await make("Two")];
    await run("agentOperations.thread.copyId", ...selected(threads));
    equal(await vscode.env.clipboard.readText(), threads.map(({ threadId }) => threadId).join("\n"));
  });

  async function make(title: string): Promise<ThreadRef> {
    const threadId = await platform.thread({ title });
    return { connectionId, server: { kind: "agentServer", url: platform.ready.deploymentUrl }, threadId };
  }

  /** A tree passes the row that was clicked and all that are selected. */
  function selected(threads: readonly ThreadRef[]): unknown[] {
    return [threads[0], threads];
  }

  async function run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(command, ...args);
  }
});
