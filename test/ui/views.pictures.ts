import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import type { WorkbenchOptions } from "../host/openEditor.ts";
import { useWorkbench, Workbench } from "../host/workbench.ts";
import { LocalPlatform, say } from "../support/localPlatform.ts";
import { Conversation } from "./pages/conversation.ts";
import { until } from "./pages/waiting.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized, describeThemed, type Take } from "./themedPictures.ts";

describeThemed("Pictures of every view", (options, take) => {
  takeStory(useWorkbench(options), take);
  takeChatBackend(options, take);
  takeIncident(options, take);
});

describeSized("Pictures of several connections", takeConnections);

function takeStory(workbench: Workbench, take: Take): void {
  let window: WorkbenchPage;
  let conversation: Conversation;

  before(async () => {
    window = new WorkbenchPage(workbench.page);
    conversation = new Conversation(workbench.page);
    await window.sideBar.open();
  });

  it("an empty window, and the steps of a new connection", async () => {
    const { deployments } = window.sideBar;
    await deployments.welcome.getByRole("button", { name: "Start the Local Platform" }).waitFor();
    await take(window, "welcome");
    await window.palette.run("Agents: Add Connection…");
    await window.quickInput.option(/Agent server/).waitFor();
    await take(window, "connectionKind");
    await window.quickInput.choose(/Agent server/);
    for (const [step, answer] of ["http://127.0.0.1:2024", "My agents", ""].entries()) {
      await window.quickInput.titled(`(${String(step + 2)}/5)`);
      await window.quickInput.answer(answer);
    }
    await window.quickInput.option(/Save/).waitFor();
    await take(window, "connectionSummary");
    await window.quickInput.dismiss();
  });

  it("a run with subagents, its feedback and its events", async () => {
    const { deployments } = window.sideBar;
    await deployments.pressWelcome("Start the Local Platform");
    await deployments.goTo("Sample deployment");
    await run("researcher", "tidal energy");
    await conversation.idle();
    await conversation.thumb("Good", "user_score", "Just what I needed");
    await conversation.feedback.last().getByText("sent").waitFor();
    await conversation.transcript.toEnd();
    await take(window, "feedback");
    await conversation.transcript.toStart();
    await take(window, "researcher");
    await conversation.showTab("Events");
    await conversation.searchEvents("search_web");
    await conversation.eventsFound.getByText(/^[1-9]\d* of/).waitFor();
    await take(window, "events");
  });

  it("an action that waits for approval, and a run that was interrupted", async () => {
    await window.palette.run("View: Close All Editors");
    await run("approval", "Please tell the team");
    await conversation.questions.last().waitFor();
    const { deployments } = window.sideBar;
    const words = (): Promise<string> => deployments.description("Please tell the team");
    await until("its row says so, too", async () => (await words()).includes("waiting"));
    await take(window, "approval");
    await window.palette.run("View: Close All Editors");
    await run("echo", stones);
    await conversation.speaking();
    await conversation.say("paper", "interrupt");
    await conversation.idle();
    await conversation.transcript.toStart();
    await take(window, "interrupted");
  });

  it("a thread's state, and what a test of the connection says", async () => {
    await window.palette.run("View: Close All Editors");
    await window.sideBar.deployments.chooseFor("tidal energy", "Open Thread State");
    await window.tabs.tab(/tidal energy|json/).waitFor();
    await take(window, "threadState");
    await window.palette.run("View: Close All Editors");
    await window.sideBar.deployments.chooseFor("Local Platform", "Test Connection");
    await window.tabs.tab(/^Test of/).waitFor();
    await window.notifications.all.first().waitFor({ state: "hidden" });
    await take(window, "connectionTest");
  });

  it("nothing that matches the filter", async () => {
    await window.palette.run("View: Close All Editors");
    await window.palette.run("Agents: Search Threads…");
    await window.quickInput.answer("nothing is called so");
    await window.sideBar.deployments.welcome.getByText("No thread matches the filter.").waitFor();
    await take(window, "filtered");
    await window.sideBar.deployments.pressWelcome("Clear Filter");
  });

  async function run(agent: string, text: string): Promise<void> {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent(agent);
    await conversation.say(text);
  }
}

function takeConnections(options: WorkbenchOptions, take: Take): void {
  it("several connections side by side, one of them away and one without its key", async () => {
    const guarded = await LocalPlatform.start();
    const connections = [
      { id: "local", name: "Local Platform", kind: "localPlatform" },
      { id: "staging", name: "Staging", kind: "agentServer", url: await addressOfNobody() },
      { id: "research", name: "Research lab", kind: "agentServer", url: guarded.ready.deploymentUrl },
    ];
    const settings = { ...options.settings, "agentOperations.connections": connections };
    const workbench = new Workbench({ ...options, settings });
    try {
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      await window.sideBar.open();
      const { deployments } = window.sideBar;
      await deployments.chooseFor("Local Platform", "Start Local Platform");
      for (const name of ["Research lab", "Staging", "Local Platform"]) {
        await deployments.expand(name);
        for (const key of ["ArrowRight", "ArrowRight"]) await window.page.keyboard.press(key);
      }
      await until("both failures are told", async () => (await deployments.failures.count()) >= 2);
      await deployments.goTo("Say hello");
      await take(window, "connections");
    } catch (error) {
      await workbench.record("connections");
      throw error;
    } finally {
      await workbench.close();
      await guarded.remove();
    }
  });
}

function takeChatBackend(options: WorkbenchOptions, take: Take): void {
  it("a chat backend: its question, an action that it does not support, and a thread's earlier states", async () => {
    const backend = await LocalPlatform.start();
    const workbench = new Workbench(options);
    try {
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      const conversation = new Conversation(workbench.page);
      await window.sideBar.open();
      const { deploymentUrl, apiKey } = backend.ready;
      await window.addConnection(/Chat backend/, [deploymentUrl, "Support chat", apiKey], "Support chat");
      await window.sideBar.deployments.goTo("Support chat");
      const begin = async (agent: string): Promise<void> => {
        await window.palette.run("Agents: New Thread…");
        await conversation.titled("New thread");
        await conversation.chooseAgent(agent);
      };
      await begin("slow");
      await conversation.runJson({ messages: [{ role: "user", content: "Count slowly" }], seconds: 8 });
      await conversation.streaming();
      await window.palette.run("Agents: Stop Run");
      await window.runPanel.alerts.getByText("no way to stop").waitFor();
      await take(window, "chatLacksStop");
      await conversation.idle();
      await begin("approval");
      await conversation.say("Please tell the team");
      await conversation.questions.last().waitFor();
      await window.sideBar.deployments.goTo("Please tell the team");
      await take(window, "chatBackend");
      await window.palette.run("Agents: Open Earlier State…");
      await window.quickInput.option("Step 0").waitFor();
      await take(window, "earlierStates");
    } finally {
      await workbench.close();
      await backend.remove();
    }
  });
}

function takeIncident(options: WorkbenchOptions, take: Take): void {
  it("threads that failed for two reasons, by step and error", async () => {
    const platform = await LocalPlatform.start();
    const workbench = new Workbench(options);
    try {
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      for (const [title, step] of [...orders.entries()]) {
        const threadId = await platform.thread({ title });
        const input = { ...say("Write the orders"), job: threadId, fail_at: step };
        await platform.stream(threadId, { assistant_id: "pipeline", input });
      }
      await window.sideBar.open();
      const { deploymentUrl, apiKey } = platform.ready;
      await window.addConnection(/Agent server/, [deploymentUrl, "Orders", apiKey], "Orders");
      await window.sideBar.failures.open(/^Orders: \d+ failed threads$/);
      await window.quickInput.option(/^write: /).waitFor();
      await window.notifications.all.first().waitFor({ state: "hidden" });
      await take(window, "failedThreads");
    } finally {
      await workbench.close();
      await platform.remove();
    }
  });
}

/** Nightly jobs and the steps at which they failed. */
const orders = new Map([
  ["Orders of Monday", "write"],
  ["Orders of Tuesday", "write"],
  ["Orders of Wednesday", "check"],
  ["Orders of Thursday", "write"],
]);

const stones = `A walk on the beach: ${Array.from({ length: 28 }, (_, n) => `stone ${String(n)} lies here`).join(", ")}.`;

/** An address on which nothing listens any more. */
async function addressOfNobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${String(port)}`;
}
