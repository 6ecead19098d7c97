import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { layGraphProject } from "./graphProject.ts";
import { Conversation } from "./pages/conversation.ts";
import { Keyboard } from "./pages/hands.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { appears, until } from "./pages/waiting.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

/** A server that starts, or loads its graphs anew under the debugger, on a slow machine. */
const slowMs = 240_000;
const source = "planner.mts";

describe("F5 in a folder of graphs", () => {
  const workbench = useWorkbench({ size: { width: 1400, height: 860 } });
  useKeyboardAlone(workbench);
  let window: WorkbenchPage;
  let conversation: Conversation;
  let file: string;
  let line: number;
  let workLine: number;

  before(async () => {
    const folder = join(workbench.profile.workspace, "planner");
    file = join(folder, "graphs", source);
    await layGraphProject(folder);
    const lines = (await readFile(file, "utf8")).split("\n");
    const lineOf = (part: string) => lines.findIndex((text) => text.includes(part)) + 1;
    [line, workLine] = [lineOf("const steps = ["), lineOf("async function work")];
    window = new WorkbenchPage(workbench.page);
    conversation = new Conversation(workbench.page);
    await window.sideBar.open();
    await window.sideBar.deployments.row("planner").waitFor();
  });

  /** Opens the walkthrough until that many of its steps are ticked, and closes it. */
  const walkthrough = async (ticked: number, meanwhile = (): Promise<void> => Promise.resolve()) => {
    await window.palette.run("Welcome: Open Walkthrough...");
    await window.quickInput.choose("Debug your own graphs");
    const signs = workbench.page.locator("[data-done-step-id]");
    await until("its steps are there", async () => (await signs.count()) === 4);
    await meanwhile();
    const done = signs.and(workbench.page.locator("[aria-checked=true]"));
    await until(`${String(ticked)} of its steps are ticked`, async () => (await done.count()) === ticked);
    await window.tabs.close();
  };

  const press = (key: string) => workbench.page.keyboard.press(key);
  const code = () => new TextEditor(workbench.page, new Keyboard(workbench.page)).focus();
  const inFront = () => window.tabs.tab(source).and(workbench.page.locator(".active")).waitFor();
  const state = (words: string) =>
    conversation.sessionState.filter({ hasText: words }).waitFor({ timeout: slowMs });

  /** The lines of links above nodes that ran. */
  const lenses = () => workbench.page.locator(".codelens-decoration").filter({ hasText: "Rerun from Here" });
  /** What says that the caret is on a line. */
  const at = (line: number) => workbench.page.getByText(new RegExp(`^Ln ${String(line)}, Col`));
  /** The panel stands in the second column. */
  const toPanel = () => press("ControlOrMeta+2");
  /** Presses a button of the graph from the keyboard, wherever the focus was. */
  const pressed = async (name: string) => {
    await toPanel();
    await conversation.toComposer();
    await new Keyboard(workbench.page).press(conversation.graph.getByRole("button", { name }), "Shift+Tab");
  };

  /** Saves the graph by a button, as a file that begins so, and comes to the front. */
  const saved = async (button: string, name: string, begins: string) => {
    await pressed(button);
    await window.quickInput.titled("Save Graph");
    await press("Enter");
    await window.tabs.tab(name).and(workbench.page.locator(".active")).waitFor();
    const text = await readFile(join(workbench.profile.workspace, name), "utf8");
    deepEqual(text.slice(0, begins.length), begins);
  };

  it("are led through by a walkthrough, which begins with the folder that is open", async () => {
    const button = workbench.page.getByRole("button", { name: "Show Graphs" });
    await walkthrough(1, () => new Keyboard(workbench.page).press(button));
  });

  it("starts their server under the debugger, and a run stops where F9 set a breakpoint", async () => {
    await press("ControlOrMeta+P");
    await window.quickInput.type(`${source}:${String(line)}`);
    await window.quickInput.option(source).waitFor();
    // The keys are not lost while the extension is not told yet what is in front; pressed again, F5 opens no second thread.
    await workbench.whileExtensionsAreBusy(async () => {
      await press("Enter");
      await inFront();
      await code();
      for (const key of ["F9", "F5", "F5"]) await press(key);
    });
    await conversation.sessionState.waitFor({ timeout: slowMs });
    await conversation.runJson({ task: "Read graphs/planner.mts:9" });
    await state(`Paused in plan, planner.mts:${String(line)}`);
    equal((await window.tabs.titles()).length, 2);
  });

  it("asks before a source is saved while it is held, by Ctrl+S, and saves nothing when that is left", async () => {
    await inFront();
    await code();
    const before = await readFile(file, "utf8");
    const end = at(before.split("\n").length);
    // The editor shows the line that is held, perhaps a moment later.
    await until("the caret is at the end", async () => {
      await press("ControlOrMeta+End");
      return appears(end, 2_000);
    });
    await workbench.page.keyboard.insertText("// Another line.\n");
    await press("ControlOrMeta+S");
    match(await window.dialog.text(), /Save while the debugger has paused the graphs of planner\?/);
    await window.dialog.dismiss();
    deepEqual(await readFile(file, "utf8"), before);
    await state("Paused in plan");
  });

  it("goes on by F5 again, to the end of the run", async () => {
    await code();
    await press("F5");
    await state("Idle");
  });

  it("says above each node what it did, and offers to run it again", async () => {
    await lenses().filter({ hasText: "plan: done" }).waitFor({ timeout: slowMs });
  });

  it("shows its graph as a list of what ran, and saves it for Mermaid", async () => {
    const { graph } = conversation;
    await toPanel();
    await conversation.showTab("Graph");
    const rows = graph.getByRole("list", { name: "Nodes" }).getByRole("listitem");
    await until("each node ran", async () => {
      const said = await rows.allInnerTexts();
      return said.length === 3 && said.every((text) => /^(?:plan|work|review)\s+done\s/.test(text));
    });
    await pressed("Open Subgraphs");
    await graph.getByRole("button", { name: "Open Subgraphs", pressed: true }).waitFor();
    await saved("Save as Mermaid…", "planner.mmd", 'flowchart TD\n  n0(["start"])\n  n1["plan<br/>');
    // The file stands in the third column, and the panel may still have the focus, or be about to take it.
    const focused = workbench.page.locator(".part.editor .monaco-editor.focused");
    await until("keys go to the file", async () => {
      await press("ControlOrMeta+3");
      return appears(focused, 2_000);
    });
    await window.tabs.close();
  });

  it("leads from a node to its code and its step, and from a path in what it wrote to that line", async () => {
    await pressed("Open Code of work");
    await inFront();
    await at(workLine).waitFor();
    await pressed("Show Step of plan");
    await conversation.transcript.inFront(/^\s*plan(?!ner)/);
    const keyboard = new Keyboard(workbench.page);
    const step = conversation.transcript.row(/^\s*plan(?!ner)/).first();
    await keyboard.press(step.getByRole("button", { expanded: false }));
    // The link is drawn anew with the colours.
    await conversation.transcript.coloured.first().waitFor();
    await keyboard.press(step.getByRole("link", { name: "graphs/planner.mts:9" }).first());
    await inFront();
    await at(9).waitFor();
  });

  it("runs a node again, from the state before it, once it is mended and saved", async () => {
    const row = window.sideBar.deployments.row("planner");
    // The Run view had come to the front when the node was held.
    await window.sideBar.open();
    await row.filter({ hasText: "127.0.0.1" }).waitFor();
    await inFront();
    await code();
    await press("ControlOrMeta+S");
    await row.filter({ hasText: "reloading" }).waitFor({ timeout: slowMs });
    await row.filter({ hasText: "127.0.0.1" }).waitFor({ timeout: slowMs });
    await press("ControlOrMeta+G");
    await window.quickInput.answer(`:${String(workLine)}`);
    await code();
    await window.palette.run("Show CodeLens Commands for Current Line");
    await window.quickInput.choose(/Rerun from Here/);
    await window.dialog.answer("Run");
    // Of the nodes, the first did not run this time.
    await lenses().filter({ hasText: "plan: done" }).waitFor({ state: "detached", timeout: slowMs });
    await lenses().filter({ hasText: "work: done" }).waitFor({ timeout: slowMs });
    await state("Idle");
  });

  it("has ticked each step of the walkthrough by that", async () => {
    await walkthrough(4);
  });

  it("saves the drawing as a picture, which is shown", async () => {
    await toPanel();
    await conversation.showTab("Graph");
    await saved("Save as SVG…", "planner.svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  });
});
