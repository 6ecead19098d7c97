import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { layGraphProject } from "./graphProject.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeThemed } from "./themedPictures.ts";

describeThemed("Pictures of graphs that do not run", (options, take) => {
  const workbench = useWorkbench({ ...options, size: { width: 1280, height: 760 } });

  it("with a broken file, a missing export, an odd env file, and a graph that does not compile", async () => {
    const { page, profile } = workbench;
    const window = new WorkbenchPage(page);
    const folder = join(profile.workspace, "planner");
    await layGraphProject(folder);
    const [file, source] = [join(folder, "langgraph.json"), join(folder, "graphs/planner.mts")];
    const [fileText, sourceText] = [await readFile(file, "utf8"), await readFile(source, "utf8")];
    const open = async (name: string): Promise<void> => {
      await page.keyboard.press("ControlOrMeta+P");
      await window.quickInput.type(name);
      await window.quickInput.option(name).first().waitFor();
      await page.keyboard.press("Enter");
      await window.tabs.tab(name).waitFor();
    };
    const start = () => window.palette.run("Agents: Start Graphs");
    const told = window.notifications.all;
    const marked = page.locator(".part.panel").getByRole("treeitem");
    await window.sideBar.open();
    await window.sideBar.deployments.row("planner").waitFor();

    // The comma behind a graph is gone.
    await writeFile(file, fileText.replace(':graph",', ':graph"'));
    await open("langgraph.json");
    await window.palette.run("View: Focus Problems");
    await marked.first().waitFor();
    await start();
    await told.filter({ hasText: "can't be used" }).waitFor();
    await take(window, "brokenFile");
    await window.palette.run("Notifications: Clear All Notifications");

    await writeFile(join(folder, ".env"), "GREETING=hello\nsecret value\n");
    await writeFile(file, fileText.replace("chat.mts:graph", "chat.mts:grahp"));
    await marked.filter({ hasText: "no export" }).waitFor();
    await start();
    await told.filter({ hasText: "do not load" }).waitFor({ timeout: 60_000 });
    await take(window, "missingExport");
    await window.palette.run("Notifications: Clear All Notifications");

    await writeFile(source, sourceText.replace('.addEdge("plan", "work")', '.addEdge("plan", "wrok")'));
    await writeFile(file, fileText);
    await open("planner.mts");
    await marked.filter({ hasText: "Unreachable" }).waitFor({ timeout: 60_000 });
    await start();
    await told.filter({ hasText: "do not load" }).waitFor({ timeout: 60_000 });
    await take(window, "brokenGraph");
  });
});
