import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { layGraphProject } from "./graphProject.ts";
import { Conversation } from "./pages/conversation.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeThemed } from "./themedPictures.ts";

describeThemed("Pictures of the workspace's graphs", (options, take) => {
  const workbench = useWorkbench({ ...options, size: { width: 1200, height: 760 } });

  it("a run with its steps, and one that failed and can be repaired", async () => {
    const window = new WorkbenchPage(workbench.page);
    const conversation = new Conversation(workbench.page);
    const { deployments } = window.sideBar;
    await layGraphProject(join(workbench.profile.workspace, "planner"));
    await window.sideBar.open();
    await deployments.row("planner").waitFor();
    await window.palette.run("Agents: Start Graphs");
    await deployments.row("Graphs").waitFor({ timeout: 60_000 });
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.runJson({ task: "Write a report on tidal energy" });
    await conversation.idle();
    await take(window, "graphs");
    await conversation.runJson({ task: " " });
    await conversation.idle();
    await take(window, "failedStep");
  });
});
