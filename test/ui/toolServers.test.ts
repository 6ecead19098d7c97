import { deepEqual } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { ToolServer } from "../support/toolServer.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { McpClient } from "../support/mcpClient.ts";
import { Conversation } from "./pages/conversation.ts";
import { until } from "./pages/waiting.ts";
import { attemptSaved } from "./pages/savedWindow.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("A tool server behind OAuth", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  let platform: LocalPlatform;
  let tools: ToolServer;
  let client: McpClient;
  let agentId: string;
  let window: WorkbenchPage;

  before(async () => {
    [platform, tools] = await Promise.all([LocalPlatform.start(), ToolServer.start({ oauth: true })]);
    client = new McpClient(platform);
    agentId = await client.agentId({ name: "Accountant" });
    window = new WorkbenchPage(workbench.page);
    await window.sideBar.open();
    await window.addPlatform(platform.ready);
    await window.sideBar.toggle("Deployments");
  });

  after(async () => {
    await platform.remove();
    await tools.stop();
  });

  it("is registered step by step, and connected on a page of the browser", async () => {
    const { toolServers } = window.sideBar;
    await toolServers.focus();
    await toolServers.pressWelcome("Register a Tool Server");
    await window.quickInput.titled("Register Tool Server (1/");
    await window.quickInput.answer(tools.url);
    await window.quickInput.choose("OAuth");
    await window.quickInput.titled("Register Tool Server (3/");
    await window.quickInput.answer("Everything");
    await window.quickInput.option(/Register/).waitFor();
    await window.look("toolServerForm");
    await window.quickInput.choose(/Register/);
    const page = workbench.page.context().waitForEvent("page");
    await window.notifications.answer("is registered", "Connect");
    const agreed = await page;
    await agreed.getByRole("heading", { name: "Connected" }).waitFor();
    await agreed.close();
    await said("Everything", "OAuth: connected");
  });

  it("has its tools ticked by the keyboard, each key for the row that has the focus then", async () => {
    const { toolServers } = window.sideBar;
    const { keyboard } = workbench.page;
    await toolServers.expand("Everything");
    const [first = "", second = "", third = ""] = (await toolServers.labels()).slice(-3);
    await toolServers.goTo(first);
    for (const key of ["ArrowDown", "Space", "ArrowDown", "Space", "ArrowUp", "ArrowUp", "Space", "Space"]) {
      await keyboard.press(key);
    }
    const ticked = async (): Promise<boolean[]> =>
      Promise.all(
        [first, second, third].map((tool) => toolServers.row(tool).getByRole("checkbox").isChecked()),
      );
    await until("two are ticked", async () => String(await ticked()) === "false,true,true");
    await toolServers.goTo("Everything");
    await keyboard.press("Space");
    await keyboard.press("ArrowUp");
    await until("the server's row is closed", async () => {
      return (await toolServers.row("Everything").getAttribute("aria-expanded")) === "false";
    });
    deepEqual(await window.tabs.titles(), []);
    await toolServers.expand("Everything");
    for (const tool of [second, third]) {
      await toolServers.goTo(tool);
      await keyboard.press("Space");
    }
    await until("none is ticked", async () => String(await ticked()) === "false,false,false");
  });

  it("gives picked tools to an agent, and a person is asked before one of them", async () => {
    const { toolServers } = window.sideBar;
    await toolServers.expand("Everything");
    for (const tool of ["echo", "get-sum"]) {
      await toolServers.row(tool).getByRole("checkbox").click();
    }
    await window.look("toolServers");
    await window.palette.run("Agents: Use Picked Tools…");
    await window.quickInput.titled("Use Picked Tools (1/2)");
    await window.look("toolPicks");
    await window.quickInput.chooseAll(["get-sum"]);
    await window.quickInput.choose(/Accountant/);
    await until("the agent has them", async () => {
      const { tools: list } = (await client.get(`/agents/${agentId}`)) as unknown as {
        tools: { tools: unknown[] };
      };
      return list.tools.length === 2;
    });
    await window.tabs.tab("tools.json").waitFor();
    const agent = (await client.get(`/agents/${agentId}`)) as unknown as {
      tools: { tools: { name: string }[]; interrupt_config: Record<string, boolean> };
    };
    deepEqual(
      agent.tools.tools.map(({ name }) => name),
      ["echo", "get-sum"],
    );
    deepEqual(agent.tools.interrupt_config, {
      [`${tools.url}::echo`]: false,
      [`${tools.url}::get-sum`]: true,
    });
    await window.look("toolsFile");
  });

  it("is used by a run that asks first, and goes on when approved", async () => {
    const { agents } = window.sideBar;
    await agents.focus();
    await agents.chooseFor("Accountant", "Start Thread with Agent…");
    const conversation = new Conversation(workbench.page);
    await conversation.titled("New thread");
    await conversation.chooseAgent("Accountant");
    await conversation.say("What is 2 and 2?");
    await conversation.questions.waitFor();
    await window.look("toolQuestion");
    await conversation.decide("Approve");
    await conversation.idle();
    await conversation.questions.last().getByText("answered").waitFor();
  });

  it("is connected anew by a page that was open while the window was reloaded", async () => {
    const { toolServers } = window.sideBar;
    const agreeing = Promise.withResolvers<unknown>();
    tools.agreeing = agreeing.promise;
    await toolServers.chooseFor("Everything", "Connect Tool Server…");
    await said("Everything", "OAuth: waiting for you in the browser");
    await attemptSaved(workbench.page, "Everything");
    await workbench.reload();
    await said("Everything", "OAuth: waiting for you in the browser");
    agreeing.resolve(undefined);
    await said("Everything", "OAuth: connected");
  });

  async function said(server: string, words: string): Promise<void> {
    const { toolServers } = window.sideBar;
    await toolServers.row(server).waitFor();
    await until(`the row says "${words}"`, async () => (await toolServers.description(server)) === words);
  }
});
