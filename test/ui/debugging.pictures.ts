import { ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { layGraphProject } from "./graphProject.ts";
import { Conversation } from "./pages/conversation.ts";
import { Keyboard } from "./pages/hands.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeThemed } from "./themedPictures.ts";

const source = "planner.mts";

describeThemed("Pictures of graphs under the debugger", (options, take) => {
  const workbench = useWorkbench({ ...options, size: { width: 1280, height: 760 } });

  it("from a folder that was just opened to a node that is held at its first breakpoint", async () => {
    const { page, profile } = workbench;
    const window = new WorkbenchPage(page);
    const conversation = new Conversation(page);
    const folder = join(profile.workspace, "planner");
    await layGraphProject(folder);
    const lines = (await readFile(join(folder, "graphs", source), "utf8")).split("\n");
    const line = lines.findIndex((text) => text.includes("return { steps }")) + 1;
    const opened = performance.now();
    await window.sideBar.open();
    await window.sideBar.deployments.row("planner").waitFor();
    await page.keyboard.press("ControlOrMeta+P");
    await window.quickInput.type(`${source}:${String(line)}`);
    await window.quickInput.option(source).waitFor();
    await page.keyboard.press("Enter");
    await window.tabs.tab(source).waitFor();
    const code = new TextEditor(page, new Keyboard(page));
    await code.focus();
    await page.keyboard.press("F9");
    await code.lens("Run to Here").waitFor();
    await take(window, "breakpoint");
    await page.keyboard.press("F5");
    await conversation.sessionState.waitFor({ timeout: 90_000 });
    await conversation.runJson({ task: "Write a report on tidal energy" });
    await conversation.sessionState.filter({ hasText: "Paused in plan" }).waitFor({ timeout: 90_000 });
    const seconds = (performance.now() - opened) / 1000;
    console.log(`    held ${seconds.toFixed(1)} s after the folder was there`);
    ok(seconds < 30, "who has just opened a folder holds its first node within 30 s");
    // What the node has is looked at where the code is.
    await code.focus();
    await window.palette.run("View: Show Run and Debug");
    const rows = page.locator(".part.sidebar").getByRole("treeitem");
    await rows.filter({ hasText: "Local: plan" }).click();
    await rows.filter({ hasText: "steps" }).first().waitFor();
    await code.focus();
    await take(window, "held");
  });
});
