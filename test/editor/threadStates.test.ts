import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { stateOfUri } from "../../src/editor/documents/threadStateUri.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { say } from "../support/localPlatform.ts";
import { connectServer, drawTree, hideView, showView } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { requestsAfter } from "./requests.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("The state of a thread", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await showView();
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("is opened as JSON that can't be written, fresh each time", async () => {
    const thread = await make("State");
    await drawTree(extension);
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("first words") });
    await run("agentOperations.thread.openState", thread);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    const shown = stateOfUri(document.uri);
    deepEqual([shown?.thread, shown?.checkpointId], [thread, undefined]);
    match(document.uri.path, /\/State of State\.json$/);
    equal(document.languageId, "json");
    match(document.getText(), /first words/);
    deepEqual(Object.keys(JSON.parse(document.getText()) as object).includes("values"), true);
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("second words") });
    await run("agentOperations.thread.openState", thread);
    await until("the document is fresh", () => document.getText().includes("second words"));
  });

  it("is opened as it was earlier, or compared with the newest, going back as far as somebody wants", async () => {
    const thread = await make("History");
    await drawTree(extension);
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
    match(document?.uri.path ?? "", /\/states\/[^/]+\/Step -?\d of History\.json$/);
    const { metadata } = JSON.parse(document?.getText() ?? "") as { metadata: { step: number } };
    equal(metadata.step, -1);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    person.will({ pressOn: "Step 20" });
    await run("agentOperations.thread.openEarlierState", thread);
    await until("both are side by side", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return (
        input instanceof vscode.TabInputTextDiff &&
        input.modified.path.endsWith("/state/State of History.json")
      );
    });
    person.done();
  });

  it("is compared with any other one, the earlier one at the left", async () => {
    const thread = await make("Two");
    await drawTree(extension);
    await platform.stream(thread.threadId, { assistant_id: "pipeline", input: say("go") });
    using person = new Person().will({ pressOn: "Step 7" }, { choose: "Step 2" });
    await run("agentOperations.thread.openEarlierState", thread);
    person.done();
    equal(person.asked[1]?.title, "Compare Step 7 with…");
    const diff = await until("both are side by side", () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, "Step 2 ↔ Step 7 of Two");
    const ran = await Promise.all(
      [diff.original, diff.modified].map(async (uri) => {
        const { values } = JSON.parse((await vscode.workspace.openTextDocument(uri)).getText()) as {
          readonly values: { readonly executions: object };
        };
        return Object.keys(values.executions).length;
      }),
    );
    deepEqual(ran, [2, 7]);
  });

  it("is compared in the server's order where several were written in one moment", async () => {
    const thread = await make("Moment");
    await drawTree(extension);
    await platform.stream(thread.threadId, { assistant_id: "pipeline", input: say("go") });
    const path = `/threads/${thread.threadId}/history`;
    const { body } = await platform.send("POST", path, { limit: 20 });
    const states = (body as unknown as object[]).map((state) => ({
      ...state,
      created_at: "2026-01-01T00:00:00Z",
    }));
    const fault = { match: { method: "POST", path: `${path}$` }, status: 200, body: states, times: 100 };
    const set = await platform.send("POST", `${platform.ready.localUrl}/faults`, fault);
    equal(set.status, 201, JSON.stringify(set.body));
    using person = new Person().will({ pressOn: "Step 7" }, { choose: "Step 2" });
    await run("agentOperations.thread.openEarlierState", thread);
    person.done();
    await until("both are side by side, in that order", () => {
      const { label } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return label === "Step 2 ↔ Step 7 of Moment";
    });
  });

  it("of five megabytes is compared with the newest one, too", async () => {
    const thread = await make("Heavy");
    const rows = Array.from({ length: 26_000 }, (_, id) => ({ id, name: `row ${String(id)}` }));
    const message = {
      type: "human",
      content: "stone and water ".repeat(260_000),
      additional_kwargs: { rows },
    };
    const input = { messages: [message], job: thread.threadId, fail_at: "check" };
    await platform.stream(thread.threadId, { assistant_id: "pipeline", input });
    using person = new Person().will({ pressOn: "Step 0" });
    await run("agentOperations.thread.openEarlierState", thread);
    person.done();
    const sides = await until(
      "both are side by side",
      () => {
        const shown = vscode.window.visibleTextEditors.map(({ document }) => document);
        const states = shown.filter(({ uri }) => stateOfUri(uri)?.thread.threadId === thread.threadId);
        return states.length === 2 ? states : undefined;
      },
      30_000,
    );
    const texts = sides.map((document) => document.getText());
    for (const text of texts) ok(text.length > 5_000_000, `${String(text.length)} characters`);
    deepEqual(texts.map((text) => (JSON.parse(text) as { next: unknown }).next).toSorted(), [
      ["check"],
      ["collect"],
    ]);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("follows the thread while it is seen, and nothing is asked while nothing is", async () => {
    const thread = await make("Followed");
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("before") });
    await hideView(extension);
    using time = holdTime(extension);
    await run("agentOperations.thread.openState", thread);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("said elsewhere") });
    await time.until("the document is fresh", () => document.getText().includes("said elsewhere"));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "over it" }), {
      preview: false,
    });
    const isSeen = () => vscode.window.visibleTextEditors.some((one) => one.document === document);
    await until("the document is hidden", () => !isSeen());
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("not seen") });
    deepEqual(await requestsAfter(extension, () => time.pass(600_000)), []);
    ok(!document.getText().includes("not seen"));
    await showView();
  });

  it("says that it is old when it is large or can't be read", async () => {
    const thread = await make("Large");
    const large = say("x".repeat(600_000));
    await platform.stream(thread.threadId, { assistant_id: "echo", input: large });
    using time = holdTime(extension);
    await run("agentOperations.thread.openState", thread);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    deepEqual(await lenses(document), []);
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("later") });
    await time.until("it says so", async () => (await lenses(document)).join().includes("went on since"));
    ok(!document.getText().includes("later"));
    await run("agentOperations.thread.openState", thread);
    await until("it is fresh", () => document.getText().includes("later"));
    deepEqual(await lenses(document), []);
  });

  it("stays readable when its thread is deleted elsewhere, and says that it is the last one", async () => {
    const thread = await make("Short-lived");
    await platform.stream(thread.threadId, { assistant_id: "echo", input: say("last words") });
    using time = holdTime(extension);
    await run("agentOperations.thread.openState", thread);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    await platform.send("DELETE", `${platform.ready.deploymentUrl}/threads/${thread.threadId}`);
    await time.until("it says so", async () => (await lenses(document)).join().includes("not on the server"));
    match(document.getText(), /last words/);
  });

  it("masks credentials", async () => {
    const thread = await make("Leak");
    const input = say('{"api_key":"sk-never-to-be-seen"}');
    await platform.stream(thread.threadId, { assistant_id: "echo", input });
    await run("agentOperations.thread.openState", thread);
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    match(text, /api_key/);
    ok(!text.includes("sk-never-to-be-seen"));
    JSON.parse(text);
  });

  it("is read again by the button of what failed, and then shown", async () => {
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
        return uri !== undefined && stateOfUri(uri)?.thread.threadId === thread.threadId;
      });
      equal(person.told.length, 1);
      match(person.told[0] ?? "", /^Open Thread State: .* failed with status 500.* Try again;/);
    } finally {
      await platform.send("DELETE", faults);
    }
  });

  it("says once what is wrong when the thread is gone", async () => {
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

  async function lenses({ uri }: vscode.TextDocument): Promise<readonly (string | undefined)[]> {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      uri,
    );
    return found.map(({ command }) => command?.title);
  }

  async function make(title: string): Promise<ThreadRef> {
    const threadId = await platform.thread({ title });
    return { connectionId, server: { kind: "agentServer", url: platform.ready.deploymentUrl }, threadId };
  }

  async function run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(command, ...args);
  }
});
