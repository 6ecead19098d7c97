import { deepEqual, equal, match } from "node:assert/strict";
import * as vscode from "vscode";
import type { RunPanel } from "../../src/editor/runPanel/runPanel.ts";
import { until } from "../support/until.ts";
import { workspaceRoot, writeText } from "./agentWithFiles.ts";
import { connectServer, type Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { idle, send } from "./panelSession.ts";
import { Person } from "./person.ts";

/** Saved from and opened into the page of a real panel. */
describe("Saved inputs", () => {
  const folder = () => vscode.Uri.joinPath(workspaceRoot(), "inputs");
  let extension: Extension;
  let panel: RunPanel;
  let assistants: ReadonlyMap<string, string>;
  let person: Person;

  useOwnPlatform(async (own) => {
    ({ extension } = own);
    const { id: connectionId } = await connectServer(extension, "Sample", own.platform);
    const { deploymentUrl: url } = own.platform.ready;
    panel = extension.panels.openNew({ connectionId, server: { kind: "agentServer", url } });
    const facts = await extension.threadHosts.of(panel.target).facts(undefined, {});
    assistants = new Map(facts.assistants.map(({ id, graph = "" }) => [graph, id]));
    await until("it is in front", () => panel.active);
    person = new Person();
  });
  afterEach(async () => {
    person[Symbol.dispose]();
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  const whole = {
    graph_id: "echo",
    input: { messages: [{ role: "user", content: "Tides" }] },
    mode: "json",
    context: { model: "large" },
    config: { configurable: { user: "me" }, recursion_limit: 9 },
    interrupt_before: "*",
    interrupt_after: ["draft", "grade"],
    stream_mode: ["values"],
    multitask_strategy: "enqueue",
    feedback_keys: ["tone"],
    metadata: { ticket: "OPS-1" },
  };

  it("come back from the composer as they went into it", async () => {
    await file("tides", whole);
    await file("other", { graph_id: "approval", message: "Tell them" });
    person.will({ choose: "inputs/tides" });
    await command("open");
    deepEqual(person.asked[0]?.rows, ["inputs/other | approval", "inputs/tides | echo"]);
    deepEqual(JSON.parse(await saved("again")), whole);
    match(person.told.at(-1) ?? "", /^The input is saved in inputs\/again\.agentinput\.json\.$/);
    person.will({ choose: "inputs/other" });
    await command("open");
    const after = JSON.parse(await saved("third")) as object;
    deepEqual(after, { graph_id: "approval", message: "Tell them" }, "something of before is left");
  });

  it("are opened from a file into a new thread, with a lens above it", async () => {
    const uri = await file("tides", whole);
    await vscode.window.showTextDocument(uri);
    const lens = await until("there is a lens", async () => {
      const name = "vscode.executeCodeLensProvider";
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(name, uri);
      return found[0]?.command;
    });
    equal(lens.title, "$(play) Open in Run Panel…");
    await vscode.commands.executeCommand(lens.command, ...((lens.arguments ?? []) as unknown[]));
    const opened = await until("another panel is in front", () => {
      const { inFront } = extension.panels;
      return inFront === panel ? undefined : inFront;
    });
    equal(opened.target.assistantId, assistants.get("echo"));
    deepEqual(JSON.parse(await saved("again")), whole);
  });

  it("never hold a credential, and say so when they are opened", async () => {
    const config = { configurable: { openai_api_key: "sk-0123456789abcdefghij", user: "me" } };
    await file("keyed", { graph_id: "echo", message: "Hi", config });
    person.will({ choose: "inputs/keyed" });
    await command("open");
    const text = await saved("masked");
    equal(text.includes("sk-0123"), false);
    match(person.told.at(-1) ?? "", /A credential in it is masked as •••\.$/);
    person.will({ choose: "inputs/masked" });
    await command("open");
    match(person.told.at(-1) ?? "", /masked as •••\. Put it in before you run it\.$/);
  });

  it("of an agent that is not there are opened only by a second word", async () => {
    await file("gone", { graph_id: "planner", message: "Plan" });
    person.will({ choose: "inputs/gone" });
    await command("open");
    match(person.told.join("\n"), /was saved for “planner”, which “.*” does not have/);
    person.presses("Choose Another Agent").will({ choose: "inputs/gone" }, { choose: "echo" });
    await command("open");
    deepEqual(JSON.parse(await saved("again")), { graph_id: "echo", message: "Plan" });
    person.done();
  });

  it("of another agent than the thread's own go into a new thread, or here by a second word", async () => {
    await file("tides", { graph_id: "echo", message: "Tides" });
    await send(panel.session, assistants.get("approval")!, "Tell them");
    await idle(panel.session);
    person.will({ choose: "inputs/tides" });
    await command("open");
    equal(extension.panels.all.length, 1, "opened without a second word");
    match(person.told.at(-1) ?? "", /is of “echo”, and “approval” ran in this thread/);
    person.presses("Open in New Thread").will({ choose: "inputs/tides" });
    await command("open");
    equal(extension.panels.all.length, 2);
    panel.reveal();
    await until("it is in front", () => panel.active);
    person.presses("Use It Here Anyway").will({ choose: "inputs/tides" });
    await command("open");
    equal(extension.panels.all.length, 2);
    deepEqual(JSON.parse(await saved("again")), { graph_id: "echo", message: "Tides" });
  });

  it("that are broken say why, and change nothing", async () => {
    await file("tides", whole);
    await writeText("inputs/broken.agentinput.json", '{\n  "graph_id": "echo",\n');
    await writeText("inputs/odd.agentinput.json", '{"graph_id": "echo", "input": {}, "speed": 3}');
    person.will({ choose: "inputs/tides" });
    await command("open");
    for (const [name, why] of [
      ["broken", /broken\.agentinput\.json can't be used: Line 3, column 1: expected/],
      ["odd", /odd\.agentinput\.json can't be used: Line 1: speed is not a field of this schema/],
    ] as const) {
      person.will({ choose: `inputs/${name}` });
      await command("open");
      match(person.told.at(-1) ?? "", why);
      match(person.asked.at(-1)?.rows.join("\n") ?? "", new RegExp(`inputs/${name} \\| can't be used`));
    }
    deepEqual(JSON.parse(await saved("again")), whole);
  });

  it("are checked and explained by the editor while they are written", async () => {
    const uri = await file("tides", { graph_id: "echo", message: "Hi", recursion_limit: 3 });
    await vscode.window.showTextDocument(uri);
    const marked = await until("it is marked", () => vscode.languages.getDiagnostics(uri)[0]);
    match(marked.message, /recursion_limit/);
  });

  async function file(name: string, content: object): Promise<vscode.Uri> {
    return writeText(`inputs/${name}.agentinput.json`, `${JSON.stringify(content, undefined, 2)}\n`);
  }

  async function command(verb: "open" | "save"): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.input.${verb}`);
  }

  /** What the composer of the panel in front is saved as. */
  async function saved(name: string): Promise<string> {
    const target = vscode.Uri.joinPath(folder(), `${name}.agentinput.json`);
    const original = Object.getOwnPropertyDescriptor(vscode.window, "showSaveDialog")!;
    const value = (): Promise<vscode.Uri> => Promise.resolve(target);
    Object.defineProperty(vscode.window, "showSaveDialog", { get: () => value, configurable: true });
    const told = person.told.length;
    try {
      await command("save");
      // Something else may be said meanwhile of what was opened before.
      const isSaid = (): boolean => person.told.slice(told).some((text) => /saved/i.test(text));
      await until("it was saved", isSaid);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
    } finally {
      Object.defineProperty(vscode.window, "showSaveDialog", original);
    }
  }
});
