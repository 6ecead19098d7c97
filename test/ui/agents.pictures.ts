import { join } from "node:path";

import { Http } from "../../src/api/http.ts";
import { ManagedAgents, managedAgentsUrl } from "../../src/api/managedAgents/index.ts";
import { repository } from "../host/places.ts";
import { useWorkbench } from "../host/workbench.ts";
import { ToolServer } from "../peers/toolServer.ts";
import { all } from "../unit/api/all.ts";
import { LocalPlatform } from "../unit/emulator/localPlatform.ts";
import { Keyboard } from "./pages/hands.ts";
import { until } from "./pages/patience.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

const themes = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  contrast: "Default High Contrast",
} as const;

for (const [theme, label] of Object.entries(themes)) {
  describe(`Pictures of managed agents (${theme})`, function () {
    this.timeout(180_000);
    const settings = { "workbench.colorTheme": label };
    const workbench = useWorkbench({ size: { width: 1040, height: 680 }, settings });
    let platform: LocalPlatform;
    let tools: ToolServer;
    let api: ManagedAgents;
    let agentId: string;
    let window: WorkbenchPage;

    before(async () => {
      [platform, tools] = await Promise.all([LocalPlatform.start(), ToolServer.start()]);
      const { baseUrl, apiKey } = platform.ready;
      const headers = () => Promise.resolve({ "x-api-key": apiKey });
      api = new ManagedAgents(new Http({ baseUrl: managedAgentsUrl(baseUrl), headers }));
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

    const take = (name: string): Promise<void> =>
      window.picture(join(repository, "out/screenshots", `${name}-${theme}.png`));

    it("an agent, what waits in the inbox, and the tools of a server", async () => {
      const { agents, inbox, toolServers } = window.sideBar;
      await window.sideBar.toggle("Deployments");
      await agents.expand("Gardener");
      await agents.expand("Threads");
      await toolServers.expand("Everything");
      await inbox.goTo("send_email");
      await take("agents");
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
      await take("agentFileConflict");
    });
  });
}
