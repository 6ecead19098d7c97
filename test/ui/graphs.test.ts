import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { layGraphProject } from "./graphProject.ts";
import { Conversation } from "./pages/conversation.ts";
import { Keyboard } from "./pages/hands.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

/** A server that starts, or loads its graphs anew under the debugger, on a slow machine. */
const slowMs = 90_000;
const source = "planner.mts";

describe("F5 in a folder of graphs", function () {
  this.timeout(240_000);
  const workbench = useWorkbench({ size: { width: 1400, height: 860 } });
  let window: WorkbenchPage;
  let conversation: Conversation;
  let file: string;
  let line: number;

  before(async () => {
    const folder = join(workbench.profile.workspace, "planner");
    file = join(folder, "graphs", source);
    await layGraphProject(folder);
    const lines = (await readFile(file, "utf8")).split("\n");
    line = lines.findIndex((text) => text.includes("const steps = [")) + 1;
    window = new WorkbenchPage(workbench.page);
    conversation = new Conversation(workbench.page);
    await window.sideBar.open();
    await window.sideBar.deployments.row("planner").waitFor();
  });

  const press = (key: string) => workbench.page.keyboard.press(key);
  const code = () => new TextEditor(workbench.page, new Keyboard(workbench.page)).focus();
  const inFront = () => window.tabs.tab(source).and(workbench.page.locator(".active")).waitFor();
  const state = (words: string) =>
    conversation.sessionState.filter({ hasText: words }).waitFor({ timeout: slowMs });

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
    await conversation.runJson({ task: "Write a report" });
    await state(`Paused in plan, planner.mts:${String(line)}`);
    equal((await window.tabs.titles()).length, 2);
  });

  it("asks before a source is saved while it is held, by Ctrl+S, and saves nothing when that is left", async () => {
    await inFront();
    await code();
    const before = await readFile(file, "utf8");
    await press("ControlOrMeta+End");
    await workbench.page.keyboard.insertText("// Another line.\n");
    await press("ControlOrMeta+S");
    match(await window.dialog.text(), /Save while the debugger holds the graphs of planner\?/);
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
    const lenses = workbench.page.locator(".codelens-decoration").filter({ hasText: "Rerun from Here" });
    await lenses.filter({ hasText: "plan: done" }).waitFor({ timeout: slowMs });
  });
});
