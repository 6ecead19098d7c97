import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { RunSession } from "../../src/run/session/session.ts";
import { runToEnd } from "../support/runToEnd.ts";
import { until } from "../support/until.ts";
import { type Extension, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";

const serverMs = 180_000;

describe("The lenses of nodes in the workspace's graphs", () => {
  let extension: Extension;
  let project: TestProject;
  const setting = () => vscode.workspace.getConfiguration("agentOperations.graphs");

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await setting().update("codeLens", undefined, true);
    await project.remove();
    await tidyUp(extension);
  });

  const lenses = async (file = "graphs/planner.mts"): Promise<readonly vscode.CodeLens[]> => {
    const { uri } = await vscode.workspace.openTextDocument(project.uri(file));
    return vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri);
  };
  /** Each line that has lenses, as it reads, with their titles. */
  const shown = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
    const document = await vscode.workspace.openTextDocument(project.uri("graphs/planner.mts"));
    const byLine = Map.groupBy(await lenses(), ({ range }) =>
      document.lineAt(range.start.line).text.trim().slice(0, 18),
    );
    return Object.fromEntries(
      [...byLine].map(([line, some]) => [
        line,
        some.map(({ command }) => command?.title.replace(/\d+ m?s\b/, "N ms") ?? ""),
      ]),
    );
  };
  const press = async (line: string, title: RegExp): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(project.uri("graphs/planner.mts"));
    const lens = (await lenses()).find(
      ({ command, range }) =>
        title.test(command?.title ?? "") && document.lineAt(range.start.line).text.includes(line),
    );
    assert(lens?.command, `no lens “${title}” at “${line}”`);
    const { command, arguments: args = [] } = lens.command;
    await vscode.commands.executeCommand(command, ...(args as unknown[]));
  };
  const lastRun = ({ entries }: RunSession) => entries.findLast((entry) => entry.kind === "run");
  const stepsOf = ({ entries }: RunSession) =>
    entries.flatMap((entry) => (entry.kind === "step" ? [entry.name] : []));
  const ended = (session: RunSession) =>
    until(
      "the run is over",
      () => session.state.kind === "idle" && lastRun(session)?.status === "success",
      serverMs,
    );

  it("tell what each did in the last run, and run it again from there, or up to there", async () => {
    const [still, debug] = ["$(debug-continue) Run to Here", "$(debug-alt) Debug"];
    assert.deepEqual(await shown(), {
      "function plan(stat": [still, debug],
      "async function wor": [still, debug],
      '.addNode("review",': [still, debug],
    });
    assert.deepEqual(await lenses("graphs/words.mts"), []);

    await vscode.commands.executeCommand("agentOperations.graphs.start", { connectionId: project.id });
    const target = { connectionId: project.id, server: { kind: "workspaceGraphs" as const } };
    const client = extension.agentServers.client(target);
    const { thread_id: elsewhere } = await client.threads.create();
    const failing = { assistant_id: "planner", input: { task: " " } };
    await runToEnd(client, elsewhere, failing);
    await until("what ran elsewhere is told, too", async () => {
      const { "async function wor": [work = ""] = [] } = await shown();
      return work.startsWith("$(error) work: error");
    });
    const panel = extension.panels.openNew(target);
    const input = { json: { task: "the dishes" } };
    await panel.session.start({ assistantId: "planner", input, streamModes: ["updates"] });
    await ended(panel.session);
    const again = "$(debug-rerun) Rerun from Here";
    const whole = {
      "function plan(stat": ["$(pass) plan: done · N ms", still, again, debug],
      "async function wor": ["$(pass) work: done · N ms", still, again, debug],
      '.addNode("review",': ["$(pass) review: done · N ms", still, again, debug],
    };
    await until("each says what it did", async () => isEqual(await shown(), whole));

    using person = new Person();
    person.presses("Run");
    await press("function work", /Rerun/);
    assert.match(person.told.join(), /Run again from before work in .*Runs again: work/s);
    await until(
      "it ran again",
      () => stepsOf(panel.session).join() === "plan,work,review,work,review",
      serverMs,
    );
    await ended(panel.session);

    const before = extension.panels.all.length;
    await press('addNode("review"', /Run to Here/);
    assert.equal(extension.panels.all.length, before + 1);
    const other = extension.panels.all.at(-1)!.session;
    await until(
      "it stands before the node",
      () => stepsOf(other).join() === "plan,work" && other.state.kind === "idle",
      serverMs,
    );
    assert.deepEqual((await client.threads.state(other.threadId!)).next, ["review"]);
    await until("the last run is that one", async () => (await shown())['.addNode("review",']?.length === 2);

    await setting().update("codeLens", false, true);
    assert.deepEqual(await lenses(), []);
  });

  it("set a breakpoint that holds the node, also one that is written in a single line", async () => {
    await press('addNode("review"', /Debug/);
    await until("a debugger is attached", () => extension.workspaceGraphs.debugging.of(project.id), serverMs);
    const { session } = extension.panels.all.at(-1)!;
    const input = { json: { task: "the dishes" } };
    await session.start({ assistantId: "planner", input, streamModes: ["updates"] });
    const pause = await until(
      "it is held",
      () =>
        extension.workspaceGraphs.debugging.of(project.id)?.pause?.location &&
        extension.workspaceGraphs.debugging.of(project.id)?.pause,
      serverMs,
    );
    assert.equal(pause.node, "review");
    // What was held when debugging ended goes on to its end, and can be debugged again.
    await vscode.commands.executeCommand("workbench.action.debug.disconnect");
    await ended(session);
    await press('addNode("review"', /Debug/);
    assert.equal(vscode.debug.breakpoints.length, 1);
    await vscode.commands.executeCommand("workbench.action.debug.disconnect");
  });
});

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
