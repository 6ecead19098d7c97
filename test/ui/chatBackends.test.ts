import { deepEqual, equal, match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { Conversation } from "./pages/conversation.ts";
import { Keyboard } from "./pages/hands.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { until } from "./pages/waiting.ts";
import { windowSaved } from "./pages/savedWindow.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("A chat backend that speaks the streaming protocol, by keyboard alone", () => {
  const workbench = useWorkbench({
    size: { width: 1440, height: 900 },
    settings: { "agentOperations.refreshSeconds": 2 },
  });
  useKeyboardAlone(workbench);
  let platform: LocalPlatform;
  let window: WorkbenchPage;
  let conversation: Conversation;

  before(async () => {
    platform = await LocalPlatform.start();
    window = new WorkbenchPage(workbench.page);
    conversation = new Conversation(workbench.page);
  });

  after(() => platform.remove());

  const begin = async (agent: string): Promise<void> => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent(agent);
  };

  it("is added by the address under which its threads are", async () => {
    await window.sideBar.open();
    const { deploymentUrl, apiKey } = platform.ready;
    await window.addConnection(
      /Chat backend/,
      [`${deploymentUrl}/api/threads`, "Support chat", apiKey],
      "Support chat",
    );
    await window.sideBar.deployments.goTo("Support chat");
  });

  it("streams a run with tools, and each subagent in a lane of its own", async () => {
    await begin("researcher");
    await conversation.say("tidal energy");
    await conversation.streaming();
    await conversation.lanes.nth(1).waitFor();
    await conversation.tool("search_web").first().waitFor();
    await conversation.idle();
    await conversation.transcript.toStart();
    await conversation.subagents.nth(1).waitFor();
    deepEqual(
      (await conversation.subagents.allInnerTexts()).map((text) => text.split(/\s+/)),
      [
        ["web_researcher", "done"],
        ["fact_checker", "done"],
      ],
    );
    await window.sideBar.deployments.goTo("tidal energy");
  });

  it("waits for the answer to what it asks, and goes on with it", async () => {
    await begin("approval");
    await conversation.say("Please tell the team");
    await conversation.questions.last().waitFor();
    const { deployments } = window.sideBar;
    await until("the tree knows", async () =>
      /^waiting/.test(await deployments.description("Please tell the team")),
    );
    await conversation.toQuestion();
    await conversation.decide("Approve");
    await conversation.questions.last().getByText("answered").waitFor();
    await conversation.idle();
    match((await conversation.transcript.text()).join("\n"), /Sent to team@example\.com/);
  });

  it("shows the same conversation after the window is reloaded", async () => {
    await windowSaved(window.page, "Please tell the team");
    const before = await said();
    await workbench.reload();
    await conversation.titled("Please tell the team");
    await conversation.idle();
    deepEqual(await said(), before);
  });

  it("offers Stop until the backend said that it has no such thing, and says so once", async () => {
    await begin("slow");
    await conversation.runJson({ messages: [{ role: "user", content: "Count slowly" }], seconds: 6 });
    await conversation.streaming();
    const { actions, alerts } = window.runPanel;
    deepEqual(await actions.allInnerTexts().then(trimmed), ["Detach", "Stop"]);
    await conversation.toComposer();
    await new Keyboard(window.page).press(actions.filter({ hasText: "Stop" }), "Shift+Tab");
    await alerts.getByText("This backend has no way to stop a run.").waitFor();
    await until("Stop is gone", async () => (await actions.count()) === 1);
    deepEqual(await actions.allInnerTexts().then(trimmed), ["Detach"]);
    await conversation.idle();
  });

  it("offers of a thread only what can be done with it, its earlier states among that", async () => {
    await window.sideBar.open();
    const { deployments } = window.sideBar;
    await deployments.openMenu("tidal energy");
    const entries = await deployments.menu.labels();
    ok(!entries.some((entry) => entry.startsWith("Rename")), entries.join(", "));
    ok(
      entries.some((entry) => entry.startsWith("Delete Thread")),
      entries.join(", "),
    );
    await deployments.menu.choose("Open Earlier State…");
    await window.quickInput.choose("Step 0");
    await window.tabs.tab("Step 0 of tidal energy.json").waitFor();
  });

  it("says that a restart of the backend cleared the thread", async () => {
    await window.sideBar.deployments.open("tidal energy");
    await conversation.titled("tidal energy");
    await clear(platform);
    await conversation.writeText("And the wind?");
    await window.page.keyboard.press("Control+Enter");
    await window.runPanel.alerts
      .getByText(/the backend was restarted and keeps threads in memory only/)
      .waitFor();
    equal(await conversation.composer.inputValue(), "And the wind?");
    const rows = async (): Promise<string[]> => window.sideBar.deployments.labels();
    await until("the tree shows it no more", async () => !(await rows()).includes("tidal energy"));
  });

  /** What was said and asked, without what only who watched a run can know. */
  async function said(): Promise<string[]> {
    return (await conversation.transcript.text()).filter((row) => /^(You|Agent)/.test(row));
  }
});

function trimmed(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim());
}

/** Does to the threads what a restart does to a backend that keeps them in memory. */
async function clear(platform: LocalPlatform): Promise<void> {
  const threads = `${platform.ready.deploymentUrl}/api/threads`;
  const { body } = await platform.send("GET", threads);
  for (const { id } of body as unknown as readonly { id: string }[])
    await platform.send("DELETE", `${threads}/${id}`);
}
