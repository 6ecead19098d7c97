import type { ManagedAgents } from "../../src/api/managedAgents/index.ts";
import { useWorkbench } from "../host/workbench.ts";
import { ToolServer } from "../support/toolServer.ts";
import { all } from "../support/all.ts";
import { managedAgentsOf } from "../support/managedAgentsOf.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { Conversation } from "./pages/conversation.ts";
import { Keyboard } from "./pages/hands.ts";
import { until } from "./pages/waiting.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized } from "./themedPictures.ts";

describeSized("Pictures of managed agents", (options, take) => {
  const workbench = useWorkbench(options);
  let platform: LocalPlatform;
  let tools: ToolServer;
  let api: ManagedAgents;
  let agentId: string;
  let window: WorkbenchPage;

  before(async () => {
    [platform, tools] = await Promise.all([LocalPlatform.start(), ToolServer.start()]);
    api = managedAgentsOf(platform);
    const runtime = { model: { model_id: "sample:approval" } };
    ({ id: agentId } = await api.agents.create({
      name: "Gardener",
      system_prompt: "Water at dawn.",
      runtime,
    }));
    await api.toolServers.create({ name: "Everything", url: tools.url });
    const thread = await api.threads.create({ agent_id: agentId });
    const input = { messages: [{ role: "user", content: "Tell the neighbours" }] };
    await all((await api.runs.stream(thread.id, { agent_id: agentId, input })).events);
    window = new WorkbenchPage(workbench.page);
    await window.sideBar.open();
    await window.addPlatform(platform.ready);
  });
  after(async () => {
    await platform.remove();
    await tools.stop();
  });

  it("an agent, what waits in the inbox, and the tools of a server", async () => {
    const { agents, inbox, toolServers } = window.sideBar;
    await window.sideBar.toggle("Deployments");
    await agents.expand("Gardener");
    await agents.expand("Threads");
    await toolServers.expand("Everything");
    await inbox.goTo(/· send_email$/);
    await agents.open("Tell the neighbours");
    await new Conversation(workbench.page).questions.last().waitFor();
    await take(window, "agents");
    await window.palette.run("View: Close All Editors");
  });

  it("a file of an agent that somebody else saved meanwhile", async () => {
    const editor = new TextEditor(workbench.page, new Keyboard(workbench.page));
    await window.sideBar.agents.chooseFor("Gardener", "Open Agent File…");
    await window.quickInput.choose("AGENTS.md");
    await until("the file is shown", async () => (await editor.text()) === "Water at dawn.");
    await editor.type("Water at dusk.\nPrune in March.");
    await api.agents.update(agentId, { system_prompt: "Water at noon." });
    await workbench.page.keyboard.press("ControlOrMeta+S");
    await until("theirs is on the left", async () => (await editor.comparedText()) === "Water at noon.");
    await take(window, "agentFileConflict");
  });
});
