import { strict as assert } from "node:assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { until } from "../support/until.ts";
import { type Extension, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { DebuggedGraphs } from "./debuggedGraphs.ts";
import { during } from "./during.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

describe("Debugging graphs of Python", () => {
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
    await project.remove();
    await tidyUp(extension);
  });

  it("says what to install where the editor has no debugger for it", async () => {
    await makePython(project, "");
    using person = new Person();
    await graphs.debug();
    assert.match(person.told.join(), /Python debugger is not there.*Install the extension “Python Debugger”/);
    assert.deepEqual([graphs.debugState(), graphs.state().kind], [undefined, "stopped"]);
  });

  it("attaches as soon as its server listens, which is started again for that", async () => {
    await makePython(project, listening);
    const { workspaceGraphs } = extension;
    await vscode.commands.executeCommand("agentOperations.graphs.start", graphs.ref);
    await until("it runs", () => graphs.state().kind === "running");
    assert.equal(workspaceGraphs.facts(project.id)?.debugPort, undefined);
    const configurations = await asPython(async (person) => {
      await graphs.debug();
      assert.match(person.told[0] ?? "", /^Start the graphs of .* again to debug them\?/);
      assert.match(person.told[1] ?? "", /could not be attached/);
    });
    const port = workspaceGraphs.facts(project.id)?.debugPort;
    assert.equal(typeof port, "number");
    assert.match(await graphs.log(), new RegExp(`--debug-port ${String(port)} `));
    assert.equal(configurations.length, 1);
    const connect = { host: "127.0.0.1", port };
    assert.partialDeepStrictEqual(configurations[0], {
      ...{ type: "debugpy", request: "attach", subProcess: true },
      connect,
    });
  });

  it("says what to install where its own side of the debugger is missing", async () => {
    await makePython(project, `console.log("debugpy is not installed. Debugging will not be available.");`);
    await asPython(async (person) => {
      await graphs.debug();
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
