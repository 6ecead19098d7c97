import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { layGraphProject } from "./graphProject.ts";
import { Conversation } from "./pages/conversation.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeThemed } from "./themedPictures.ts";

describeThemed("Pictures of a thread over time", (options, take) => {
  const prices = { "*": { input: 3, output: 15 } };
  const settings = { ...options.settings, "agentOperations.prices": prices };
  const workbench = useWorkbench({ ...options, settings, size: { width: 1200, height: 760 } });

  it("a run with subagents, and the same figures as a table", async () => {
    const window = new WorkbenchPage(workbench.page);
    const conversation = new Conversation(workbench.page);
    await window.sideBar.open();
    await window.palette.run("Agents: Start Local Platform");
    await window.sideBar.deployments.row("Local Platform").waitFor();
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("researcher");
    await conversation.say("What do tides do to a harbour?");
    await conversation.idle();
    await conversation.toggleTimeline();
    await conversation.timeline.getByRole("application").waitFor();
    await take(window, "timeline");
    await conversation.timeline.getByRole("button", { name: "Table" }).click();
    await take(window, "timelineTable");
  });
});

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
    await deployments.row("Error").waitFor({ timeout: 60_000 });
    await conversation.idle();
    await take(window, "failedStep");
    await conversation.showTab("Graph");
    await conversation.graph.getByRole("list").waitFor();
    await take(window, "graph");
  });
});
