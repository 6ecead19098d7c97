import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { listens } from "../../src/editor/debugging/inspectors.ts";
import { until } from "../support/until.ts";
import { during } from "./during.ts";
import { type Extension, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { appendLine, makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

describe("A process that ends while the debugger is being attached to it", () => {
  let extension: Extension;
  let project: TestProject;
  let open: Set<vscode.DebugSession>;
  let thrown: unknown[];
  let watching: vscode.Disposable;
  const { startDebugging } = vscode.debug;
  const note = (error: unknown) => void thrown.push(error);

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
    [open, thrown] = [new Set(), []];
    watching = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession((session) => open.add(session)),
      vscode.debug.onDidTerminateDebugSession((session) => open.delete(session)),
    );
    process.on("uncaughtExceptionMonitor", note);
    await vscode.commands.executeCommand("agentOperations.graphs.start", ref());
  });
  afterEach(async () => {
    process.off("uncaughtExceptionMonitor", note);
    watching.dispose();
    await vscode.debug.stopDebugging();
    await project.remove();
    await tidyUp(extension);
  });

  const ref = () => ({ connectionId: project.id });
  const press = () => vscode.commands.executeCommand("agentOperations.graphs.debug", ref());
  const debug = () => extension.workspaceGraphs.debugging.of(project.id);
  const noneStays = async () => {
    assert.equal(debug(), undefined);
    await until("no session stays", () => open.size === 0);
    assert.deepEqual(thrown, []);
  };

  /** Presses, and does something before the debugger gets this one of its sessions; gives what the person is told. */
  const pressed = async (which: number, meanwhile: () => Promise<unknown>): Promise<string> => {
    using person = new Person();
    let sessions = 0;
    const start = async (...args: Parameters<typeof startDebugging>): Promise<boolean> => {
      if ((sessions += 1) === which) await meanwhile();
      return startDebugging(...args);
    };
    await during(vscode.debug, { startDebugging: start }, async () => void (await press()));
    assert(sessions >= which);
    return person.told.join();
  };

  it("is told, leaves no session that looks for it, and can be debugged when it is back", async () => {
    const told = await pressed(1, () => extension.workspaceGraphs.stop(project.id));
    assert.match(told, /could not be attached to the graphs of .*ended, or answers no debugger.*debug again/);
    await noneStays();
    await press();
    assert.deepEqual(debug(), { pausesOnExceptions: false });
  });

  it("is attached to again where only the graphs load anew, as somebody saved a source", async () => {
    const told = await pressed(2, async () => {
      const [, graphs] = await extension.workspaceGraphs.inspectors(project.id);
      await appendLine(project, "graphs/planner.mts", "// Saved by somebody else.");
      await until("the old ones are gone", async () => !(await listens(graphs!)));
    });
    assert.equal(told, "");
    assert.deepEqual(debug(), { pausesOnExceptions: false });
    assert.deepEqual(thrown, []);
  });
});
