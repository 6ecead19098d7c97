import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { threadStateUri } from "../../src/editor/documents/threadStates.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { say } from "../support/localPlatform.ts";
import { connectServer, drawTree, rowsById, showView } from "./extensionUnderTest.ts";
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
    await extension.apiKeys.set(connectionId, [platform.ready.deploymentUrl], "wrong");
    using person = new Person().presses("Set API Key").will({ type: "Open" }, "cancel");
    await run("agentOperations.thread.rename", row);
    await until("the key is asked for", () => person.asked.length === 2);
    match(person.asked[1]?.title ?? "", /of "Sample"/);
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

  it("open a thread's state as JSON that can't be written, fresh each time", async () => {
    const thread = await make("State");
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("first words") });
    await run("agentOperations.thread.openState", thread);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    equal(document.uri.toString(), threadStateUri(thread).toString());
    equal(document.languageId, "json");
    match(document.getText(), /first words/);
    deepEqual(Object.keys(JSON.parse(document.getText()) as object).includes("values"), true);
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("second words") });
    await run("agentOperations.thread.openState", thread);
    await until("the document is fresh", () => document.getText().includes("second words"));
  });

  it("open an earlier state, or compare it with the newest, going back as far as somebody wants", async () => {
    const thread = await make("History");
    for (let turn = 1; turn <= 12; turn += 1) {
      const input = say(`word ${String(turn)}`);
      await platform.stream(thread.threadId, { assistant_id: "echo", input });
    }
    using person = new Person().will({ choose: "Show earlier states…" }, { choose: "Step -1" });
    await run("agentOperations.thread.openEarlierState", thread);
    const [first, second] = person.asked;
    equal(first?.labels.length, 21, first?.labels.join());
    ok(second !== undefined && second.labels.length > 21, second?.labels.join());
    const document = vscode.window.activeTextEditor?.document;
    match(document?.uri.path ?? "", /\/states\/[^/]+\/Step -?\d\.json$/);
    const { metadata } = JSON.parse(document?.getText() ?? "") as { metadata: { step: number } };
    equal(metadata.step, -1);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    person.will({ pressOn: "Step 10" });
    await run("agentOperations.thread.openEarlierState", thread);
    await until("both are side by side", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input.modified.path.endsWith("/state.json");
    });
    person.done();
  });

  it("mask credentials in a thread's state", async () => {
    const thread = await make("Leak");
    const input = say('{"api_key":"sk-never-to-be-seen"}');
    await platform.stream(thread.threadId, { assistant_id: "echo", input });
    await run("agentOperations.thread.openState", thread);
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    match(text, /api_key/);
    ok(!text.includes("sk-never-to-be-seen"));
    JSON.parse(text);
  });

  it("are tried again by the button of what failed, and then done", async () => {
    const thread = await make("Again");
    const faults = `${platform.ready.localUrl}/faults`;
    // The client repeats a reading three times by itself.
    const fault = { match: { path: `${thread.threadId}/state$` }, status: 500, times: 4 };
    await platform.send("POST", faults, fault);
    try {
      using person = new Person().presses("Try Again");
      await run("agentOperations.thread.openState", thread);
      await until("the state is open", () => {
        const uri = vscode.window.activeTextEditor?.document.uri;
        return uri?.toString() === threadStateUri(thread).toString();
      });
      equal(person.told.length, 1);
      match(person.told[0] ?? "", /^Open Thread State: .* failed with status 500.* Try again;/);
    } finally {
      await platform.send("DELETE", faults);
    }
  });

  it("say once what is wrong when a thread is gone", async () => {
    const gone: ThreadRef = {
      connectionId,
      server: { kind: "agentServer", url: platform.ready.deploymentUrl },
      threadId: crypto.randomUUID(),
    };
    using person = new Person();
    await run("agentOperations.thread.openState", gone);
    equal(person.told.length, 1);
    match(person.told[0] ?? "", /^Open Thread State: /);
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
