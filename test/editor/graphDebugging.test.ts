import { strict as assert } from "node:assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { RunSession } from "../../src/run/session/session.ts";
import { listens } from "../../src/editor/debugging/inspectors.ts";
import { PanelFacts } from "../../src/editor/runPanel/panelFacts.ts";
import { until } from "../support/until.ts";
import { type Extension, showView, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { during } from "./during.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

/** A server that loads its graphs anew under the debugger, on a slow machine. */
const slowMs = 60_000;

describe("Debugging the graphs of the workspace", function () {
  this.timeout(150_000);
  let extension: Extension;
  let project: TestProject;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.debug.stopDebugging();
    await project.remove();
    await tidyUp(extension);
  });

  const ref = () => ({ connectionId: project.id });
  const target = () => ({ connectionId: project.id, server: { kind: "workspaceGraphs" as const } });
  const state = () => extension.workspaceGraphs.state(project.id);
  const debug = () => extension.workspaceGraphs.debugging.of(project.id);
  const paused = (within = slowMs) =>
    until("it is paused and says where", () => debug()?.pause?.location && debug()?.pause, within);
  const goOn = () => vscode.commands.executeCommand("workbench.action.debug.continue");
  const stopDebugging = () => vscode.commands.executeCommand("workbench.action.debug.disconnect");
  const lineOf = async (text: string): Promise<number> => {
    const lines = (await readFile(join(project.folder, "graphs/planner.mts"), "utf8")).split("\n");
    return lines.findIndex((line) => line.includes(text)) + 1;
  };
  const breakpointAt = (line: number) =>
    new vscode.SourceBreakpoint(
      new vscode.Location(project.uri("graphs/planner.mts"), new vscode.Position(line - 1, 0)),
    );
  const run = async (session: RunSession, task: string): Promise<void> => {
    const input = { json: { task } };
    const outcome = await session.start({ assistantId: "planner", input, streamModes: ["updates"] });
    assert.deepEqual(outcome, { accepted: true });
  };
  const ended = (session: RunSession) =>
    until("the run is over", () => session.state.kind === "idle", slowMs);
  const lastRun = ({ entries }: RunSession) => entries.findLast((entry) => entry.kind === "run");
  const loads = async () =>
    (await extension.workspaceGraphs.log(project.id)).split("Server running at").length - 1;
  const loadedAnew = (before: number) =>
    until(
      "the graphs are loaded anew",
      async () => {
        const now = state();
        return (await loads()) > before && now.kind === "running" && !now.reloading;
      },
      slowMs,
    );

  it("holds a node, says where, keeps streams, survives a save, and leaves the server alone", async () => {
    await showView();
    const line = await lineOf("const steps = [");
    const uri = project.uri("graphs/planner.mts");
    const breakpoint = breakpointAt(line);
    vscode.debug.addBreakpoints([breakpoint]);
    await vscode.commands.executeCommand("agentOperations.graphs.debug", ref());
    assert.equal(state().kind, "running");
    assert.deepEqual(debug(), { pausesWhereThrown: false });

    const { session } = extension.panels.openNew(target());
    await run(session, "the dishes");
    const pause = await paused();
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
    const facts = new PanelFacts({ ...target(), threadId: session.threadId }, extension, () => undefined);
    assert.deepEqual(facts.state.paused, { words, isHere: true });

    // The server is alive for everybody who asks it: they wait.
    const { threads } = extension.agentServers.client(target());
    let answered = false;
    const asking = threads.search({}).then(() => (answered = true));
    assert.equal(session.state.kind, "streaming");
    assert.equal(state().kind, "running");
    assert.equal(answered, false);
    await goOn();
    await asking;
    await ended(session);
    assert.equal(debug()?.pause, undefined);
    assert.equal(lastRun(session)?.status, "success");
    assert.deepEqual(
      session.entries.filter((entry) => entry.kind === "notice"),
      [],
    );

    // What it throws, where that is wanted.
    await vscode.commands.executeCommand("agentOperations.graphs.pauseWhereThrown", ref());
    const other = extension.panels.openNew(target()).session;
    vscode.debug.removeBreakpoints([breakpoint]);
    await run(other, " ");
    const thrown = await paused();
    assert.equal(thrown.node, "work");
    assert.match(thrown.location?.file ?? "", /words\.mts$/);
    assert.match(thrown.thrown ?? "", /The task has no words/);
    await vscode.commands.executeCommand("agentOperations.graphs.passWhereThrown", ref());
    vscode.debug.addBreakpoints([breakpoint]);
    await goOn();
    await ended(other);

    // Saved: the server comes back, and the breakpoint with it.
    const editor = await vscode.window.showTextDocument(uri);
    const insert = () =>
      editor.edit((edit) => edit.insert(new vscode.Position(line - 2, 0), "  // Another line.\n"));
    const before = await loads();
    await insert();
    await editor.document.save();
    await loadedAnew(before);
    await run(session, "the garden");
    assert.equal((await paused()).location?.line, line + 1);

    // Saved while it is held: it goes on first, and is not killed.
    await insert();
    using person = new Person();
    await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand("agentOperations.graphs.save");
    assert(editor.document.isDirty, "nobody agreed, so nothing was saved");
    assert(debug()?.pause, "it is still held");
    person.presses("Continue and Save");
    const held = await loads();
    await vscode.commands.executeCommand("agentOperations.graphs.save");
    await loadedAnew(held);
    assert.doesNotMatch(await extension.workspaceGraphs.log(project.id), /Force killing/);

    await stopDebugging();
    await until("no debugger is attached", () => debug() === undefined);
    await until("nothing listens to a debugger any more", async () => {
      const open = await Promise.all((await extension.workspaceGraphs.inspectors(project.id)).map(listens));
      return !open.includes(true);
    });
    assert.equal(state().kind, "running");
    const last = extension.panels.openNew(target()).session;
    await run(last, "the windows");
    await ended(last);
    assert.equal(lastRun(last)?.status, "success");

    assert.notDeepEqual(project.processes(), []);
    await vscode.commands.executeCommand("agentOperations.graphs.stop", ref());
    await until("no process is left", () => project.processes().length === 0);
  });

  it("is launched from the Run view, holds a node, and then ends its server, too", async () => {
    const line = await lineOf("const steps = [");
    vscode.debug.addBreakpoints([breakpointAt(line)]);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    const configuration = { type: "agentGraphs", request: "launch", name: "Debug", folder: project.folder };
    await vscode.debug.startDebugging(workspace, configuration);
    await until("a debugger is attached", () => debug(), slowMs);
    assert.equal(state().kind, "running");
    const { session } = extension.panels.openNew(target());
    await run(session, "the dishes");
    assert.deepEqual([(await paused()).node, (await paused()).location?.line], ["plan", line]);
    await goOn();
    await ended(session);
    assert.equal(lastRun(session)?.status, "success");
    await stopDebugging();
    await until("the server has ended", () => state().kind === "stopped", slowMs);
    await until("no process is left", () => project.processes().length === 0);
  });

  it("says what to do where it can't be: no trust, no debugger, another language", async () => {
    using person = new Person();
    const refused = async (pattern: RegExp): Promise<void> => {
      await vscode.commands.executeCommand("agentOperations.graphs.debug", ref());
      assert.match(person.told.join(), pattern);
      assert.equal(person.told.splice(0).length, 1);
      assert.deepEqual([debug(), state().kind], [undefined, "stopped"]);
    };
    await during(vscode.workspace, { isTrusted: false }, () =>
      refused(/this workspace is not trusted.* Trust the workspace/),
    );
    await during(vscode.extensions, { all: [] }, () =>
      refused(/not there, or disabled\. Enable the built-in extension “JavaScript Debugger”/),
    );
    await makePython(project, "");
    await refused(/Python debugger is not there.*Install the extension “Python Debugger”/);
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
    assert.deepEqual([debug(), state().kind], [undefined, "stopped"]);
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
      assert.deepEqual([workspaceGraphs.state(other.id).kind, state().kind], ["running", "stopped"]);
      assert(workspaceGraphs.debugging.of(other.id));
      assert.deepEqual(
        panels.all.map(({ target: { connectionId } }) => connectionId),
        [other.id],
      );
      await run(panels.all[0]!.session, "the dishes");
      await ended(panels.all[0]!.session);
      // A thread of one is none of the other, which runs beside it at a port of its own.
      await vscode.commands.executeCommand("agentOperations.graphs.start", ref());
      const threads = async (id: string) =>
        (await extension.agentServers.client({ ...target(), connectionId: id }).threads.search({})).threads
          .length;
      assert.deepEqual([await threads(other.id), await threads(project.id)], [1, 0]);
      assert.notEqual(workspaceGraphs.facts(other.id)?.port, workspaceGraphs.facts(project.id)?.port);
      const names = workspaceGraphs.projects.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
    } finally {
      await vscode.debug.stopDebugging();
      await other.remove();
    }
  });

  it("attaches to Python, too, as soon as its server listens", async () => {
    await makePython(project, listening);
    const { workspaceGraphs } = extension;
    await vscode.commands.executeCommand("agentOperations.graphs.start", ref());
    await until("it runs", () => state().kind === "running");
    assert.equal(workspaceGraphs.facts(project.id)?.debugPort, undefined);
    const configurations = await asPython(async (person) => {
      await vscode.commands.executeCommand("agentOperations.graphs.debug", ref());
      assert.match(person.told[0] ?? "", /^Start the graphs of .* again to debug them\?/);
      assert.match(person.told[1] ?? "", /could not be attached/);
    });
    const port = workspaceGraphs.facts(project.id)?.debugPort;
    assert.equal(typeof port, "number");
    assert.match(await workspaceGraphs.log(project.id), new RegExp(`--debug-port ${String(port)} `));
    assert.equal(configurations.length, 1);
    const connect = { host: "127.0.0.1", port };
    assert.partialDeepStrictEqual(configurations[0], {
      ...{ type: "debugpy", request: "attach", subProcess: true },
      connect,
    });
  });

  it("says what to install where Python's own side of the debugger is missing", async () => {
    await makePython(project, `console.log("debugpy is not installed. Debugging will not be available.");`);
    await asPython(async (person) => {
      await vscode.commands.executeCommand("agentOperations.graphs.debug", ref());
      assert.match(person.told.join(), /debugpy is not installed beside them.*pip install debugpy/);
    });
  });
});

/** A server of Python's command line, as far as starting and listening go. */
const listening = `
const { argv } = process;
console.log(argv.slice(2).join(" "), "");
const port = (name) => Number(argv[argv.indexOf(name) + 1]);
const listen = (name) =>
  process.getBuiltinModule("node:http").createServer((_, answer) => answer.end('{"ok":true}')).listen(port(name), "127.0.0.1");
listen("--port");
if (argv.includes("--debug-port")) listen("--debug-port");
`;

/** Makes the project one of Python, whose command line is this program of Node. */
async function makePython(project: TestProject, program: string): Promise<void> {
  const file = JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: ["."] });
  await writeFile(join(project.folder, "langgraph.json"), file);
  await writeFile(join(project.folder, "agent.py"), "graph = None\n");
  await mkdir(join(project.folder, ".venv/bin"), { recursive: true });
  const command = join(project.folder, ".venv/bin/langgraph");
  await writeFile(command, `#!/usr/bin/env node\n${program}`, { mode: 0o755 });
}

/** Does something in an editor with a debugger of Python, which attaches to nothing; gives what was asked of it. */
async function asPython(work: (person: Person) => Promise<void>): Promise<vscode.DebugConfiguration[]> {
  using person = new Person().presses("Start Again");
  const asked: vscode.DebugConfiguration[] = [];
  const startDebugging = (_: unknown, configuration: vscode.DebugConfiguration): Promise<boolean> =>
    Promise.resolve(asked.push(configuration) === 0);
  const all = [{ packageJSON: { contributes: { debuggers: [{ type: "debugpy" }] } } }];
  await during(vscode.extensions, { all }, () =>
    during(vscode.debug, { startDebugging }, () => work(person)),
  );
  return asked;
}
