import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { AuditEntry } from "../../src/editor/audit/auditLog.ts";
import { until } from "../support/until.ts";
import { ChangedSite } from "./changedSite.ts";
import { changingCommands } from "./changingCommands.ts";
import { theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

describe("The audit log", () => {
  let extension: Extension;
  let site: ChangedSite;
  let person: Person;

  before(async () => {
    extension = await theExtension();
    site = await ChangedSite.start(extension);
  });
  after(() => site.remove());
  beforeEach(async () => {
    await site.connect();
    person = new Person();
    person.press = (_, { isModal, buttons }) => (isModal ? buttons[0] : undefined);
  });
  afterEach(async () => {
    person[Symbol.dispose]();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("has who asked for a change, what was agreed to, where it went and what came of it", async () => {
    const ref = await site.serverThread();
    await change("thread.delete", { ref });
    const entry = (await lines()).at(-1);
    ok(entry);
    const { at, ms, url, requestId, ...rest } = entry;
    ok(Date.now() - Date.parse(at) < 60_000 && ms >= 0 && requestId !== "");
    equal(new URL(url).pathname.endsWith(`/threads/${ref.threadId}`), true);
    deepEqual(rest, {
      by: "Delete Thread",
      agreed: entry.agreed,
      connection: "Production",
      connectionId: site.connectionId,
      protected: "click",
      method: "DELETE",
      result: 204,
    });
    match(entry.agreed ?? "", /^Delete the thread “.*”\?$/);
  });

  it("has what failed, and nothing of what only reads", async () => {
    const before = (await lines()).length;
    await change("deployments.refresh");
    const ref = await site.serverThread();
    await site.platform.send("DELETE", `/threads/${ref.threadId}`);
    await change("thread.rename", { ref });
    const added = (await lines()).slice(before);
    deepEqual(
      added.map(({ by, method, result }) => [by, method, result]),
      [["Rename Thread", "PATCH", 404]],
    );
  });

  it("has no secret of a body, a header or an address", async () => {
    const prepare = changingCommands["destination.create"];
    ok(prepare);
    const { args = [], deeds = [] } = await prepare(site);
    person.will(...deeds);
    await vscode.commands.executeCommand("agentOperations.destination.create", ...args);
    const text = await extension.audit.text();
    match(text, /"by":"Create Destination"/);
    doesNotMatch(text, new RegExp(`hush-hush|${site.platform.ready.apiKey}`));
  });

  it("opens as a document that grows, and is taken away as a file", async () => {
    await change("thread.rename", { ref: await site.serverThread() });
    await vscode.commands.executeCommand("agentOperations.audit.open");
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    equal(document.uri.path, "/audit/Audit Log.jsonl");
    equal(vscode.workspace.getConfiguration("editor", document).get("wordWrap"), "on");
    const before = document.lineCount;
    await change("thread.rename", { ref: await site.serverThread() });
    await until("the document has one more line", () => document.lineCount === before + 1);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    ok(workspace);
    const target = vscode.Uri.joinPath(workspace.uri, "taken.jsonl");
    const original = Object.getOwnPropertyDescriptor(vscode.window, "showSaveDialog");
    ok(original);
    const value = (): Promise<vscode.Uri> => Promise.resolve(target);
    Object.defineProperty(vscode.window, "showSaveDialog", { get: () => value, configurable: true });
    try {
      await vscode.commands.executeCommand("agentOperations.audit.export");
    } finally {
      Object.defineProperty(vscode.window, "showSaveDialog", original);
    }
    const taken = new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
    await vscode.workspace.fs.delete(target);
    equal(taken, await extension.audit.text());
    match(person.told.at(-1) ?? "", /changes? written to taken\.jsonl\.$/);
  });

  async function change(command: string, ...args: readonly unknown[]): Promise<void> {
    if (command === "thread.rename") person.will({ type: site.name("Renamed") });
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  }

  async function lines(): Promise<readonly AuditEntry[]> {
    const text = await extension.audit.text();
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditEntry);
  }
});
