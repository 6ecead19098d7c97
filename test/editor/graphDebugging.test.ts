import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { listens } from "../../src/editor/debugging/inspectors.ts";
import { registerGraphDebugging } from "../../src/editor/debugging/registration.ts";
import { PanelFacts } from "../../src/editor/runPanel/panelFacts.ts";
import { until } from "../support/until.ts";
import { type Extension, showView, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { DebuggedGraphs, slowMs } from "./debuggedGraphs.ts";
import { during } from "./during.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

describe("Debugging the graphs of the workspace", () => {
  let extension: Extension;
  let project: TestProject;
  let graphs: DebuggedGraphs;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
    graphs = new DebuggedGraphs(extension, project);
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.debug.stopDebugging();
    await project.remove();
    await tidyUp(extension);
  });

  const stopDebugging = () => vscode.commands.executeCommand("workbench.action.debug.disconnect");

  it("holds a node, says where, keeps streams, survives a save, and leaves the server alone", async () => {
    await showView();
    const line = await graphs.lineOf("const steps = [");
    const breakpoint = graphs.breakAt(line);
    await graphs.debug();
    assert.equal(graphs.state().kind, "running");
    assert.deepEqual(graphs.debugState(), { pausesOnExceptions: false });

    const session = await graphs.run("the dishes");
    const pause = await graphs.paused();
    assert.equal(pause.node, "plan");
    assert.equal(pause.location?.line, line);
    assert.equal(pause.threadId, session.threadId);

    // What the editor shows of it, and what we do.
    const frame = await until("the editor shows the frame", () => {
      const item = vscode.debug.activeStackItem;
      return item instanceof vscode.DebugStackFrame ? item : undefined;
    });
    const asked = { expression: "state.task", frameId: frame.frameId, context: "watch" };
    const { result } = (await frame.session.customRequest("evaluate", asked)) as { result: string };
    assert.match(result, /the dishes/);
    const words = `paused in plan, planner.mts:${String(line)}`;
    const { nodes } = extension.views.deployments.platform;
    const [root] = await nodes.getChildren();
    assert(root);
    assert.match(String(nodes.getTreeItem(root).description), new RegExp(`^${words}`));
    const facts = new PanelFacts(
      { ...graphs.target, threadId: session.threadId },
      extension,
      () => undefined,
    );
    assert.deepEqual(facts.state.paused, { words, isHere: true });

    // The server is alive for everybody who asks it: they wait.
    const { threads } = extension.agentServers.client(graphs.target);
    let answered = false;
    const asking = threads.search({}).then(() => (answered = true));
    assert.equal(session.state.kind, "streaming");
    assert.equal(graphs.state().kind, "running");
    assert.equal(answered, false);
    await vscode.commands.executeCommand("workbench.action.debug.continue");
    await asking;
    assert.equal(await graphs.ended(session), "success");
    assert.equal(graphs.debugState()?.pause, undefined);
    assert.deepEqual(
      session.entries.filter((entry) => entry.kind === "notice"),
      [],
    );

    // What it throws, where that is wanted.
    await vscode.commands.executeCommand("agentOperations.graphs.pauseOnExceptions", graphs.ref);
    vscode.debug.removeBreakpoints([breakpoint]);
    const other = await graphs.run(" ");
    const thrown = await graphs.paused();
    assert.equal(thrown.node, "work");
    assert.match(thrown.location?.file ?? "", /words\.mts$/);
    assert.match(thrown.thrown ?? "", /The task has no words/);
    await vscode.commands.executeCommand("agentOperations.graphs.doNotPauseOnExceptions", graphs.ref);
    vscode.debug.addBreakpoints([breakpoint]);
    await vscode.commands.executeCommand("workbench.action.debug.continue");
    await graphs.ended(other);

    // Saved: the server comes back, and the breakpoint with it.
    const before = await graphs.loads();
    await (await graphs.type(line - 1)).save();
    await graphs.loadedAnew(before);
    await graphs.run("the garden", session);
    assert.equal((await graphs.paused()).location?.line, line + 1);

    // Saved while it is held: it goes on first, and is not killed.
    const document = await graphs.type(line - 1);
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.graphs.save");
    assert(document.isDirty, "nobody agreed, so nothing was saved");
    assert(graphs.debugState()?.pause, "it is still held");
    person.presses("Continue and Save");
    const held = await graphs.loads();
    await vscode.commands.executeCommand("agentOperations.graphs.save");
    await graphs.loadedAnew(held);
    assert.doesNotMatch(await graphs.log(), /Force killing/);

    await stopDebugging();
    await until("no debugger is attached", () => graphs.debugState() === undefined);
    await until("nothing listens to a debugger any more", async () => {
      const open = await Promise.all((await extension.workspaceGraphs.inspectors(project.id)).map(listens));
      return !open.includes(true);
    });
    assert.equal(graphs.state().kind, "running");
    assert.equal(await graphs.ended(await graphs.run("the windows")), "success");

    assert.notDeepEqual(project.processes(), []);
    await vscode.commands.executeCommand("agentOperations.graphs.stop", graphs.ref);
    await until("no process is left", () => project.processes().length === 0);
  });

  it("lets a held node go on, and its server alone, where all debugging is stopped at once", async () => {
    graphs.breakAt(await graphs.lineOf("const steps = ["));
    await graphs.debug();
    const session = await graphs.run("the dishes");
    await graphs.paused();
    const processes = project.processes();
    await vscode.debug.stopDebugging();
    assert.equal(await graphs.ended(session), "success");
    assert.equal(graphs.debugState(), undefined);
    assert.deepEqual(project.processes(), processes);
  });

  it("attaches again where a person debugs again at once", async () => {
    await graphs.debug();
    assert.deepEqual(graphs.debugState(), { pausesOnExceptions: false });
    await vscode.debug.stopDebugging();
    await until("no debugger is attached", () => graphs.debugState() === undefined);
    // One that is set while the debugger is attached may come after the run.
    graphs.breakAt(await graphs.lineOf("const steps = ["));
    await graphs.debug();
    assert.deepEqual(graphs.debugState(), { pausesOnExceptions: false });
    const session = await graphs.run("the dishes");
    await graphs.paused();
    await vscode.debug.stopDebugging();
    assert.equal(await graphs.ended(session), "success");
  });

  it("is launched from the Run view, holds a node, and then ends its server, too", async () => {
    const line = await graphs.lineOf("const steps = [");
    graphs.breakAt(line);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    const configuration = { type: "agentGraphs", request: "launch", name: "Debug", folder: project.folder };
    await vscode.debug.startDebugging(workspace, configuration);
    await until("a debugger is attached", () => graphs.debugState(), slowMs);
    assert.equal(graphs.state().kind, "running");
    const session = await graphs.run("the dishes");
    assert.deepEqual([(await graphs.paused()).node, (await graphs.paused()).location?.line], ["plan", line]);
    await vscode.commands.executeCommand("workbench.action.debug.continue");
    assert.equal(await graphs.ended(session), "success");
    await stopDebugging();
    await until("the server has ended", () => graphs.state().kind === "stopped", slowMs);
    await until("no process is left", () => project.processes().length === 0);
  });

  it("is offered in the Run view for each folder, without a file of configurations", async () => {
    const providers: vscode.DebugConfigurationProvider[] = [];
    const registerDebugConfigurationProvider = (_: string, provider: vscode.DebugConfigurationProvider) => {
      providers.push(provider);
      return new vscode.Disposable(() => undefined);
    };
    await during(vscode.debug, { registerDebugConfigurationProvider }, () => {
      registerGraphDebugging(extension.workspaceGraphs).dispose();
      return Promise.resolve();
    });
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    const { name } = extension.workspaceGraphs.project(project.id)!;
    const offered = await Promise.all(
      providers.map(async (one) => one.provideDebugConfigurations?.(workspace)),
    );
    assert.deepEqual(
      offered.flat().filter((one) => one?.["folder"] === project.folder),
      [
        { type: "agentGraphs", folder: project.folder, request: "attach", name: `Debug ${name}` },
        {
          ...{ type: "agentGraphs", folder: project.folder, request: "launch" },
          name: `Debug ${name}, and stop its server at the end`,
        },
      ],
    );
  });

  it("says what to do where it can't be: no trust, no debugger", async () => {
    using person = new Person();
    const refused = async (pattern: RegExp): Promise<void> => {
      await graphs.debug();
      assert.match(person.told.join(), pattern);
      assert.equal(person.told.splice(0).length, 1);
      assert.deepEqual([graphs.debugState(), graphs.state().kind], [undefined, "stopped"]);
    };
    await during(vscode.workspace, { isTrusted: false }, async () => {
      await refused(/this workspace is not trusted.* Trust the workspace/);
      for (const command of ["graphs.start", "graph.run", "graphs.deploy"])
        await vscode.commands.executeCommand(`agentOperations.${command}`, {
          ...graphs.ref,
          graph: "planner",
        });
      assert.equal(
        person.told
          .splice(0)
          .join()
          .match(/Trust the workspace/g)?.length,
        3,
      );
    });
    await during(vscode.extensions, { all: [] }, () =>
      refused(/not there, or disabled\. Enable the built-in extension “JavaScript Debugger”/),
    );
  });

  it("leaves F5 to the editor beside the graphs, and to launch configurations of a person's own", async () => {
    const { executeCommand } = vscode.commands;
    const started: unknown[] = [];
    const commands = { executeCommand: (id: string) => Promise.resolve(started.push(id)) };
    const press = async (content?: vscode.Uri): Promise<readonly unknown[]> => {
      const document = await (content === undefined
        ? vscode.workspace.openTextDocument({ content: "", language: "typescript" })
        : vscode.workspace.openTextDocument(content));
      await vscode.window.showTextDocument(document);
      started.length = 0;
      await during(vscode.commands, commands, async () => {
        await executeCommand("agentOperations.graph.debug", { isKey: true });
      });
      return started.filter((id) => id === "workbench.action.debug.start");
    };
    assert.equal((await press()).length, 1);
    const own = [{ type: "node", request: "launch", name: "Mine", program: "mine.js" }];
    await vscode.workspace.getConfiguration().update("launch", { configurations: own });
    try {
      assert.equal((await press(project.uri("graphs/planner.mts"))).length, 1);
    } finally {
      await vscode.workspace.getConfiguration().update("launch", undefined);
    }
    assert.deepEqual([graphs.debugState(), graphs.state().kind], [undefined, "stopped"]);
    await during(vscode.workspace, { isTrusted: false }, async () => {
      using person = new Person();
      assert.equal((await press(project.uri("graphs/planner.mts"))).length, 0);
      assert.match(person.told.join(), /this workspace is not trusted/);
    });
  });

  it("reaches the right folder of two whose graphs have the same names", async () => {
    const other = await makeProject(extension);
    try {
      const { workspaceGraphs, panels } = extension;
      await vscode.window.showTextDocument(other.uri("graphs/planner.mts"));
      await vscode.commands.executeCommand("agentOperations.graph.debug", { isKey: true });
      assert.deepEqual([workspaceGraphs.state(other.id).kind, graphs.state().kind], ["running", "stopped"]);
      assert(workspaceGraphs.debugging.of(other.id));
      assert.deepEqual(
        panels.all.map(({ target: { connectionId } }) => connectionId),
        [other.id],
      );
      await graphs.ended(await graphs.run("the dishes", panels.all[0]!.session));
      // A thread of one is none of the other, which runs beside it at a port of its own.
      await vscode.commands.executeCommand("agentOperations.graphs.start", graphs.ref);
      const threads = async (id: string) =>
        (await extension.agentServers.client({ ...graphs.target, connectionId: id }).threads.search({}))
          .threads.length;
      assert.deepEqual([await threads(other.id), await threads(project.id)], [1, 0]);
      assert.notEqual(workspaceGraphs.facts(other.id)?.port, workspaceGraphs.facts(project.id)?.port);
      const names = workspaceGraphs.projects.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
    } finally {
      await vscode.debug.stopDebugging();
      await other.remove();
    }
  });
});
