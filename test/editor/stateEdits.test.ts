import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { STATE_SCHEME } from "../../src/editor/kit/ids.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { is, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer, type Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("A state that is edited", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let thread: ThreadRef;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    const { id: connectionId } = await connectServer(extension, "Sample", platform);
    const threadId = await platform.thread({ title: "Nightly job" });
    await platform.stream(threadId, { assistant_id: "pipeline", input: { ...say("Do it"), job: threadId } });
    thread = { connectionId, server: { kind: "agentServer", url: platform.ready.deploymentUrl }, threadId };
    extension.threads.setTitle(thread, "Nightly job");
  });

  it("becomes a fork when it is saved, from which the thread goes on", async () => {
    const document = await edit("Step 3");
    match(document.uri.path, /\/Edit Step 3 of Nightly job\.json$/);
    await change(document, (values) => void (values["note"] = "by hand"));
    using person = new Person().will({ choose: "As the result of “reserve”" }).presses("Write and Run");
    ok(await document.save());
    person.done();
    equal(person.asked[0]?.labels[0], "As the result of “reserve”");
    match(person.told[0] ?? "", /Write this state and go on from there in “Nightly job”\?\nChanged: note\./);
    match(person.told[0] ?? "", /Runs again: charge\.\nThen, as the graph goes: write, send, close\./);
    match(person.told[0] ?? "", /Already called after this point: charge_card/);
    await finished();
    const { values } = (await platform.state(thread.threadId)) as unknown as {
      values: Record<string, unknown>;
    };
    equal(values["note"], "by hand");
    deepEqual(Object.entries(values["executions"] as object).filter(([, times]) => times === 2).length, 4);
    equal(document.isDirty, false);
    equal(extension.panels.active?.threadId, thread.threadId);
  });

  it("can be compared with the state as it was, and says what saving does", async () => {
    const document = await edit("Step 3");
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document.uri,
    );
    match(lenses[0]?.command?.title ?? "", /Save to write this state and go on from there/);
    await change(document, (values) => void (values["note"] = "by hand"));
    const [original] = (lenses[1]?.command?.arguments ?? []) as readonly vscode.Uri[];
    const before = await vscode.workspace.openTextDocument(original!);
    ok(!before.getText().includes("by hand"));
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("stays unsaved when it can't be written, or the person leaves a question", async () => {
    const document = await edit("Step 3");
    const runs = await count();
    await replace(document, '{"messages": [');
    using person = new Person();
    match(await refusal(document), /This is no JSON/);
    await replace(document, "[]");
    match(await refusal(document), /A state is a JSON object/);
    await replace(document, '{"note": "by hand"}');
    match(await refusal(document), /“messages” can't be taken out of a state/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await change(document, (values) => void (values["fail_times"] = -1));
    await until("the schema refuses it", () => vscode.languages.getDiagnostics(document.uri).length > 0);
    const [problem] = vscode.languages.getDiagnostics(document.uri);
    match(problem?.message ?? "", /fail_times must be at least 0/);
    match(await refusal(document), /The state's schema refuses this: fail_times must be at least 0/);
    deepEqual(person.asked, []);
    await change(document, (values) => void (values["fail_times"] = 1));
    person.will("cancel");
    ok(!(await saved(document)));
    person.done();
    ok(document.isDirty);
    equal(await count(), runs);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("stays unsaved where Auto Save would save it, until a person does", async () => {
    const files = vscode.workspace.getConfiguration("files");
    const reasons: vscode.TextDocumentSaveReason[] = [];
    const saves = vscode.workspace.onWillSaveTextDocument(({ reason }) => void reasons.push(reason));
    await files.update("autoSave", "afterDelay", vscode.ConfigurationTarget.Global);
    try {
      const document = await edit("Step 3");
      await change(document, (values) => void (values["note"] = "by hand"));
      await until("Auto Save was at it", () => reasons.includes(vscode.TextDocumentSaveReason.AfterDelay));
      using person = new Person().will("cancel");
      const asks = async () => !(await saved(document)) && person.asked.length > 0;
      await until("it asks the person who saves it", asks, 5_000);
      person.done();
      ok(document.isDirty);
      match(document.getText(), /by hand/);
    } finally {
      saves.dispose();
      await files.update("autoSave", "off", vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
  });

  it("is refused while a run goes on", async () => {
    const document = await edit("Step 3");
    await change(document, (values) => void (values["note"] = "by hand"));
    const { threadId } = thread;
    const run = await platform.run(threadId, { assistant_id: "slow", input: { messages: [], seconds: 60 } });
    match(await refusal(document), /A run goes on in this thread/);
    await platform.send("POST", `/threads/${threadId}/runs/${run}/cancel?wait=true`);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  /** Opens a state of the thread for editing. */
  async function edit(step: string): Promise<vscode.TextDocument> {
    using person = new Person().will({ choose: step });
    const action = { verb: "edit" };
    await vscode.commands.executeCommand("agentOperations.thread.repair", { ...thread, action });
    person.done();
    const document = vscode.window.activeTextEditor?.document;
    ok(document?.uri.scheme === STATE_SCHEME, document?.uri.toString());
    return document;
  }

  async function change(
    document: vscode.TextDocument,
    with_: (values: Record<string, unknown>) => void,
  ): Promise<void> {
    const values = JSON.parse(document.getText()) as Record<string, unknown>;
    with_(values);
    await replace(document, JSON.stringify(values, null, 2));
  }

  async function replace(document: vscode.TextDocument, text: string): Promise<void> {
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const edits = new vscode.WorkspaceEdit();
    edits.replace(document.uri, all, text);
    ok(await vscode.workspace.applyEdit(edits));
  }

  /** Whether a save went through; the editor says itself why one did not. */
  async function saved(document: vscode.TextDocument): Promise<boolean> {
    return Promise.resolve(document.save()).catch(() => false);
  }

  /** Why a save does not go through. */
  async function refusal(document: vscode.TextDocument): Promise<string> {
    ok(!(await saved(document)));
    const text = new TextEncoder().encode(document.getText());
    return extension.stateEdits.writeFile(document.uri, text).then(() => "written", String);
  }

  async function finished(): Promise<void> {
    await until("the thread is finished", async () =>
      is((await platform.send("GET", `/threads/${thread.threadId}`)).body["status"], "idle"),
    );
  }

  async function count(): Promise<number> {
    const { body } = await platform.send("GET", `/threads/${thread.threadId}/runs`);
    return (body as unknown as readonly unknown[]).length;
  }
});
