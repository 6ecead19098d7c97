import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { graphProjectTooltip } from "../../src/editor/views/deployments/graphProjectRows.ts";
import { WorkspaceGraphs } from "../../src/editor/workspaceGraphs/workspaceGraphs.ts";
import { openFile, openSource } from "../../src/editor/runPanel/openSource.ts";
import { drawTree, type Extension, showView, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";
import { watchRequests } from "./requests.ts";
import { freePort, isListening } from "../../src/editor/workspaceGraphs/serverProcess.ts";
import { TestMemento } from "../support/testMemento.ts";
import { until } from "../support/until.ts";

const serverMs = 180_000;

describe("The graphs of the workspace", () => {
  let extension: Extension;
  let project: TestProject;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
  });
  afterEach(async () => {
    await project.remove();
    await tidyUp(extension);
  });

  const state = () => extension.workspaceGraphs.state(project.id);
  const ref = () => ({ connectionId: project.id });
  const start = () => vscode.commands.executeCommand("agentOperations.graphs.start", ref());
  const target = () => ({ connectionId: project.id, server: { kind: "workspaceGraphs" as const } });

  it("stand in the tree before their server runs, and each can be run from its line in langgraph.json", async () => {
    await showView();
    const name = extension.workspaceGraphs.project(project.id)!.name;
    assert.deepEqual((await drawTree(extension)).slice(0, 4), [
      `${name} | stopped`,
      "  Start the graphs",
      "  planner | ./graphs/planner.mts",
      "  chat | ./graphs/chat.mts",
    ]);
    const file = project.uri("langgraph.json");
    await vscode.window.showTextDocument(file);
    const titles = await until("there are lenses", async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        file,
      );
      return lenses.length > 0 && lenses.map(({ command, range }) => [range.start.line, command?.title]);
    });
    assert.deepEqual(titles, [
      [3, "$(play) Run"],
      [3, "$(debug-alt) Debug"],
      [3, "$(type-hierarchy) Open Graph"],
      [4, "$(play) Run"],
      [4, "$(debug-alt) Debug"],
      [4, "$(type-hierarchy) Open Graph"],
    ]);
  });

  it("have the code of a node opened where it certainly is, and else say in words that it is not known", async () => {
    const open = (node: string, graph = "planner") =>
      openSource(extension.workspaceGraphs, project.id, graph, { node, within: [] });
    const shown = () => {
      const { document, selection } = vscode.window.activeTextEditor!;
      return [document.uri.fsPath, document.lineAt(selection.active.line).text];
    };
    const planner = project.uri("graphs/planner.mts").fsPath;
    await open("work");
    assert.deepEqual(shown(), [planner, "async function work({ task, steps }: z.infer<typeof State>) {"]);
    await open("review");
    assert.match(shown()[1]!, /addNode\("review"/);
    await assert.rejects(open("nobody"), /Where “nobody” is written could not be found/);
    await assert.rejects(open("plan", "elsewhere"), /no graph “elsewhere” stands in/);
  });

  it("have a file opened at the line that a text names, of several ones that which a person chooses", async () => {
    const { folder } = project;
    const file = project.uri("graphs/planner.mts").fsPath;
    const shown = () => {
      const { document, selection } = vscode.window.activeTextEditor!;
      return [document.uri.fsPath, selection.active.line, selection.active.character];
    };
    await openFile({ path: "graphs/planner.mts", line: 3, column: 2 }, [folder]);
    assert.deepEqual(shown(), [file, 2, 1]);
    const end = vscode.window.activeTextEditor!.document.lineCount - 1;
    await openFile({ path: project.uri("graphs/planner.mts").toString(), line: 9_999_999 }, [folder]);
    assert.deepEqual(shown().slice(0, 2), [file, end]);
    const other = project.uri("copy/graphs/planner.mts");
    await vscode.workspace.fs.writeFile(other, Buffer.from("\n\n"));
    using person = new Person();
    person.will({ choose: /copy/ });
    await openFile({ path: "graphs/planner.mts", line: 2 }, [folder, project.uri("copy").fsPath]);
    assert.deepEqual(shown(), [other.fsPath, 1, 0]);
    await assert.rejects(
      openFile({ path: "/etc/passwd", line: 1 }, [folder]),
      /The workspace has no file “\/etc\/passwd”/,
    );
  });

  it("have what is wrong with langgraph.json marked at its place, until it is mended", async () => {
    const file = project.uri("langgraph.json");
    const editor = await vscode.window.showTextDocument(file);
    const marks = () =>
      vscode.languages
        .getDiagnostics(file)
        .filter(({ source }) => source === "Agents")
        .map(({ message, range }) => [range.start.line, message]);
    const text = editor.document.getText();
    const replace = (from: string, to: string) =>
      editor.edit((edit) => {
        const offset = editor.document.getText().indexOf(from);
        const { document } = editor;
        const end = document.positionAt(offset + from.length);
        edit.replace(new vscode.Range(document.positionAt(offset), end), to);
      });
    await replace("planner.mts:graph", "planner.mts:grpah");
    await until("the export is missed", () => marks().length > 0);
    assert.deepEqual(marks(), [[3, "./graphs/planner.mts has no export “grpah”."]]);
    await replace("planner.mts:grpah", "planner.mts:graph");
    await until("nothing is missed", () => marks().length === 0);
    // The key and both commands say it, too, and start nothing.
    await replace('"chat"', "chat");
    await until("the line is marked", () => marks().length > 0);
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.graph.debug", { isKey: true });
    for (const command of ["debug", "start"])
      await vscode.commands.executeCommand(`agentOperations.graphs.${command}`, ref());
    const said = /: The langgraph\.json of \S+ can't be used: .+\. Correct the file/;
    for (const text of person.told) assert.match(text, said);
    assert.deepEqual([person.told.length, marks()[0]?.[0], state().kind], [3, 4, "stopped"]);
    await replace("chat", '"chat"');
    await until("nothing is marked", () => marks().length === 0);
    assert.equal(editor.document.getText(), text);
  });

  it("are offered with a server that was started in a terminal, and start no second one unasked", async function () {
    if (process.platform !== "linux") this.skip();
    const cli = join(project.folder, "node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs");
    const port = await freePort(0);
    const env = { ...process.env, LANGGRAPH_CLI_NO_ANALYTICS: "1", BROWSER: "none" };
    const args = [cli, "dev", "--no-browser", "--host", "127.0.0.1", "--port", String(port)];
    const terminal = spawn(process.execPath, args, { cwd: project.folder, env, stdio: "ignore" });
    using person = new Person();
    try {
      const url = `http://127.0.0.1:${port}`;
      await until(
        "it is found",
        async () => (await extension.workspaceGraphs.otherServer(project.id)) === url,
        serverMs,
      );
      await showView();
      const row = `  Connect to the running server | 127.0.0.1:${port}, started outside of the editor`;
      await until("it has a row", async () => (await drawTree(extension))[1] === row, serverMs);
      await start();
      assert.match(person.told.join(), /Start another server.*overwrites what the other has written/s);
      assert.equal(state().kind, "stopped");
      for (const time of [1, 2]) {
        await vscode.commands.executeCommand("agentOperations.graphs.useRunning", ref());
        assert.match(person.told.at(-1) ?? "", /is the connection to this server/, String(time));
      }
      const added = extension.connections.list().filter((one) => one.url === url);
      assert.deepEqual(
        added.map(({ kind }) => kind),
        ["agentServer"],
      );
    } finally {
      terminal.kill();
      await once(terminal, "exit");
      await until("its port is closed", async () => !(await isListening(port)), serverMs);
    }
    assert.equal(await extension.workspaceGraphs.otherServer(project.id), undefined);
  });

  it("run with the project's own command line once one is opened, answer, and end with all their processes", async () => {
    const told = watchRequests(extension, ({ url }) => url.endsWith("/graph"));
    const planner = { ...ref(), graph: "planner" };
    for (let time = 1; time <= 2; time += 1)
      await vscode.commands.executeCommand("agentOperations.graph.open", planner);
    assert.equal(state().kind, "running");
    await until("its panel asks for its graph", () => told.urls.length > 0);
    told.stop();
    const [panel, ...others] = extension.panels.all;
    assert.deepEqual(others, []);
    await showView();
    const name = extension.workspaceGraphs.project(project.id)!.name;
    const { port } = extension.workspaceGraphs.facts(project.id)!;
    assert.equal((await drawTree(extension))[0], `${name} | 127.0.0.1:${port} · 0 threads`);

    const { nodes } = extension.views.deployments.platform;
    const [row] = await nodes.getChildren();
    const { tooltip } = await nodes.resolveTreeItem(nodes.getTreeItem(row!), row!);
    if (process.platform === "linux")
      assert.match((tooltip as vscode.MarkdownString).value, /\*\*Memory\*\* \d{2,} ?/);

    const { assistants, threads, runs } = extension.agentServers.client(target());
    const found = await assistants.search({});
    assert.deepEqual(found.map(({ graph_id }) => graph_id).sort(), ["chat", "planner"]);
    const opened = found.find(({ assistant_id: id }) => id === panel?.target.assistantId);
    assert.equal(opened?.graph_id, "planner");
    panel?.close();
    const { thread_id } = await threads.create({});
    const { run_id } = await runs.create(thread_id, { assistant_id: "chat", input: { messages: "hello?" } });
    await runs.join(thread_id, run_id);
    const { values } = await threads.state(thread_id);
    assert.match(JSON.stringify(values), /hello/, "the env file was read");
    assert.match(await extension.workspaceGraphs.log(project.id), /Server running at/);

    const { pid } = extension.workspaceGraphs.facts(project.id)!;
    assert.notDeepEqual(project.processes(), []);

    // Another window sees it as its own, and neither ends it for the other unasked.
    const { extensionPath, globalStorageUri } = extension.context;
    const memory = new TestMemento() as unknown as vscode.Memento;
    const other = new WorkspaceGraphs({ extensionPath, globalStorageUri, workspaceState: memory });
    await other.find();
    assert.equal(await other.otherServer(project.id), undefined);
    await until("the other window sees it", () => other.state(project.id).kind === "running");
    await other.shutdown();
    other.dispose();
    const note = join(globalStorageUri.fsPath, "graphs", project.id, "windows", `${process.ppid}-other`);
    await writeFile(note, "");
    using person = new Person();
    const stop = () => vscode.commands.executeCommand("agentOperations.graphs.stop", ref());
    await stop();
    assert.match(person.told.join(), /Stop the graphs of .* for all windows\?.*Another window/s);
    assert.equal(state().kind, "running");
    process.kill(pid, 0);
    await rm(note);
    await stop();
    assert.equal(state().kind, "stopped");
    assert.throws(() => process.kill(pid, 0));
    assert.deepEqual(project.processes(), []);
  });

  it("run with a command line of another version, which is said with what works", async () => {
    await rm(join(project.folder, "node_modules"));
    const home = join(project.folder, "node_modules/@langchain/langgraph-cli");
    await mkdir(home, { recursive: true });
    const manifest = { version: "2.0.0", type: "module", bin: { langgraphjs: "cli.mjs" } };
    await writeFile(join(home, "package.json"), JSON.stringify(manifest));
    await writeFile(
      join(home, "cli.mjs"),
      `import { createServer } from "node:http";
       const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
       createServer((_, answer) => answer.end('{"ok":true}')).listen(port, "127.0.0.1");`,
    );
    using person = new Person();
    await start();
    assert.equal(state().kind, "running");
    assert.match(person.told.join(), /version 2\.0\.0; versions 0 and 1 were tried\. .* run once/);
    await start();
    assert.equal(person.told.length, 1, person.told.join("\n"));
    const tooltip = await graphProjectTooltip(extension.workspaceGraphs, project.id);
    assert.match(tooltip?.value ?? "", /2\.0\.0,&nbsp;not&nbsp;tried/);
  });

  it("that do not load are a problem at their line, and run once they are mended", async () => {
    const source = await readFile(join(project.folder, "graphs/planner.mts"), "utf8");
    const write = (text: string) =>
      vscode.workspace.fs.writeFile(project.uri("graphs/planner.mts"), new TextEncoder().encode(text));
    await write(source.replace('.addEdge("plan", "work")', '.addEdge("plan", "wrok")'));
    using person = new Person();
    await start();
    await until("it is told", () => person.told.length > 0);
    assert.match(person.told.join(), /The graphs do not load: UnreachableNodeError/);
    assert.equal(state().kind, "broken");
    const marks = () => vscode.languages.getDiagnostics(project.uri("graphs/planner.mts"));
    const mark = await until("the line is marked", () => marks()[0]);
    assert.equal(source.split("\n")[mark.range.start.line]?.trim(), ".compile();");
    await showView();
    const why = /^ {2}UnreachableNodeError: .*: the graphs of \S+ do not load\./;
    await until("its row says why first", async () => why.test((await drawTree(extension))[1] ?? ""));
    // Their watcher sees what is saved only from a moment after it loaded them, which is soon for a person.
    await pause(2_000);
    await write(source);
    await until("the graphs run", () => state().kind === "running", serverMs);
    await until("nothing is marked", () => marks().length === 0);
  });
});
