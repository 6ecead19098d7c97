import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { until } from "../support/until.ts";
import { type Extension, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

describe("The file langgraph.json", () => {
  let extension: Extension;
  let project: TestProject;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await project.remove();
    await tidyUp(extension);
  });

  const file = () => project.uri("langgraph.json");
  /** Puts the first text in the place of the second one. */
  const replaceIn = async (name: string, before: string, after: string): Promise<void> => {
    const path = join(project.folder, name);
    await writeFile(path, (await readFile(path, "utf8")).replace(before, after));
  };
  const marks = (uri: vscode.Uri) =>
    vscode.languages.getDiagnostics(uri).map(({ message, range }) => [range.start.line, message] as const);

  it("has unknown keys marked, and the known ones offered", async () => {
    await replaceIn("langgraph.json", '"node_version"', '"node_verison"');
    const document = await vscode.workspace.openTextDocument(file());
    await vscode.window.showTextDocument(document);
    const [line, message] = await until("the key is marked", () => marks(file())[0]);
    assert.equal(line, 1);
    assert.match(message, /node_verison is not allowed/);
    const at = document.positionAt(document.getText().indexOf("node_verison") + 1);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      file(),
      at,
    );
    const offered = items.map(({ label }) => (typeof label === "string" ? label : label.label));
    for (const key of ["node_version", "dependencies", "python_version"]) assert(offered.includes(key), key);
  });

  it("has odd lines of its env file marked there, and no value said", async () => {
    const env = project.uri(".env");
    await writeFile(env.fsPath, "GREETING=hello\nexport topsecret\nQUOTED='topsecret\n");
    await vscode.window.showTextDocument(file());
    const found = await until("they are marked", () => marks(env).length > 0 && marks(env));
    assert.deepEqual(found, [
      [1, "This line is no NAME=value, and is ignored."],
      [2, "The ' that begins this value is never closed."],
    ]);
    assert.doesNotMatch(JSON.stringify(vscode.languages.getDiagnostics()), /topsecret/);
  });

  it("has a graph marked whose export was missed when its server started", async () => {
    await replaceIn("langgraph.json", "chat.mts:graph", "chat.mts:grahp");
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.graphs.start", { connectionId: project.id });
    await until("it is told", () => person.told.length > 0, 60_000);
    assert.match(person.told.join(), /The graphs do not load: A graph is not exported by the source/);
    const mark = () => marks(file()).find(([, message]) => /is not exported/.test(message));
    assert.equal((await until("the graph is marked", mark))[0], 4);
  });
});
