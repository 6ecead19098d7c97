import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { type Extension, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { DebuggedGraphs } from "./debuggedGraphs.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

describe("Saving a source of graphs that are debugged", () => {
  let extension: Extension;
  let project: TestProject;
  let graphs: DebuggedGraphs;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
    graphs = new DebuggedGraphs(extension, project);
    await vscode.commands.executeCommand("agentOperations.graphs.start", graphs.ref);
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.debug.stopDebugging();
    await project.remove();
    await tidyUp(extension);
  });

  it("is done before the debugger is attached, and the server has loaded it by then", async () => {
    const before = await graphs.loads();
    const line = await graphs.lineOf("const steps = [");
    graphs.breakAt(line);
    const document = await graphs.type(line - 1);
    using person = new Person();
    await graphs.debug();
    assert.deepEqual(person.told, []);
    assert.deepEqual([document.isDirty, graphs.debugState()], [false, { pausesOnExceptions: false }]);
    assert.equal(await graphs.loads(), before + 1);
    await graphs.run("the dishes");
    assert.equal((await graphs.paused()).location?.line, line + 1);
  });

  it("is left to a person who does not want the editor to save", async () => {
    const setting = vscode.workspace.getConfiguration("debug");
    await setting.update("saveBeforeStart", "none", true);
    try {
      const document = await graphs.type(1);
      await graphs.debug();
      assert.deepEqual([document.isDirty, graphs.debugState()], [true, { pausesOnExceptions: false }]);
      await vscode.commands.executeCommand("workbench.action.files.revert");
    } finally {
      await setting.update("saveBeforeStart", undefined, true);
    }
  });

  it("asks first while a node is held, also for the env file, which its server reads", async () => {
    graphs.breakAt(await graphs.lineOf("const steps = ["));
    await graphs.debug();
    const session = await graphs.run("the dishes");
    await graphs.paused();
    const env = await vscode.window.showTextDocument(project.uri(".env"));
    await env.edit((edit) => edit.insert(new vscode.Position(0, 0), "MORE=1\n"));
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.graphs.save");
    assert.match(person.told.join(), /^Save while the debugger has paused the graphs of /);
    assert(env.document.isDirty);
    assert(graphs.debugState()?.pause);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.debug.continue");
    assert.equal(await graphs.ended(session), "success");
  });
});
