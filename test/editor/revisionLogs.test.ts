import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { LogRef } from "../../src/editor/documents/logUri.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { requestsAfter, watchRequests } from "./requests.ts";

describe("The log of a revision", () => {
  let extension: Extension;
  const host = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });

  it("is a document that goes on, and none of its lines is there twice", async () => {
    await host.controlPlane.pace(600);
    await open(await log("build", { name: "followed" }));
    match(shown(), /^\S+Z \[INFO\] Queued\.|No lines yet/);
    equal(document().languageId, "log");
    ok(document().uri.path.endsWith("/followed main on Test build.log"));
    await until("the build is in it", () => shown().includes("The build succeeded."));
    const lines = shown().trimEnd().split("\n");
    equal(new Set(lines).size, lines.length);
  });

  it("is filtered, also as to what comes later, and shows all again", async () => {
    await host.controlPlane.pace(400);
    await host.platform.send("POST", `${host.platform.ready.localUrl}/revisions`, { fail_at: "build" });
    await open(await log("build", { name: "filtered" }));
    const active = extension.logs.active;
    ok(active);
    extension.logs.filter(active, { level: "ERROR" });
    await until("nothing passes", () => /passes the filter|No lines yet/.test(shown()));
    await until("the error comes through", () => /^\S+ \[ERROR\] The build failed/.test(shown()));
    extension.logs.filter(active, { text: "building main" });
    await until("the text is found", () => /^\S+ \[INFO\] Building main\.\n$/.test(shown()));
    extension.logs.filter(active, {});
    await until("all are there", () => shown().split("\n").length > 4);
  });

  it("asks nothing while it is paused or hidden, and nothing after it is closed", async () => {
    await host.controlPlane.pace(1);
    await open(await log("build", { name: "quiet" }));
    await until("all is there", () => shown().includes("The build succeeded."));
    const { uri } = document();
    using time = holdTime(extension);
    const isOfLog = (url: string): boolean => url.includes("/logs");
    const followed = async (): Promise<void> => {
      const requests = watchRequests(extension, ({ url }) => isOfLog(url));
      await time.until("it is followed", () => requests.urls.length > 0);
      requests.stop();
    };
    const polls = async (): Promise<readonly string[]> =>
      (await requestsAfter(extension, () => time.pass(600_000))).filter(isOfLog);
    await followed();
    await vscode.commands.executeCommand("agentOperations.revisionLog.pause");
    deepEqual(await polls(), []);
    await vscode.commands.executeCommand("agentOperations.revisionLog.follow");
    await followed();
    const other = await vscode.workspace.openTextDocument({ content: "in front" });
    await vscode.window.showTextDocument(other, { preview: false });
    await until("it is hidden", () => !vscode.window.visibleTextEditors.some((one) => isAt(one, uri)));
    deepEqual(await polls(), []);
    ok(extension.logs.get(uri), "it was forgotten with its tab hidden");
    await vscode.window.showTextDocument(uri);
    match(shown(), /The build succeeded/);
    await followed();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("it is forgotten", () => extension.logs.get(uri) === undefined);
    deepEqual(await polls(), []);
  });

  it("says above its lines whether it is followed and leads to the other log", async () => {
    await host.controlPlane.pace(1);
    const ref = await log("build", { name: "lenses" });
    await open(ref);
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document().uri,
    );
    const titles = lenses.map(({ command }) => command?.title ?? "");
    match(titles[0] ?? "", /Following – Pause/);
    match(titles[1] ?? "", /\d+ lines/);
    equal(titles[2], "Open Deploy Log");
    const { command } = lenses[2] ?? {};
    ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
    await until("the deploy log is in front", () =>
      document().uri.path.endsWith("/lenses main on Test deploy.log"),
    );
    await until("it has lines", () => /being served/.test(shown()));
  });

  async function log(type: LogRef["type"], fields: { readonly name: string }): Promise<LogRef> {
    return { ...host.ref(await host.controlPlane.create(fields)), type, ...fields };
  }
});

async function open(ref: LogRef): Promise<void> {
  await vscode.commands.executeCommand("agentOperations.revision.openLog", ref);
}

function document(): vscode.TextDocument {
  const editor = vscode.window.activeTextEditor;
  ok(editor, "no editor is in front");
  return editor.document;
}

function isAt(editor: vscode.TextEditor, uri: vscode.Uri): boolean {
  return editor.document.uri.toString() === uri.toString();
}

function shown(): string {
  return document().getText();
}
