import { deepEqual, equal } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { type LocalPlatform, say } from "../support/localPlatform.ts";
import { until } from "./pages/waiting.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { TwoPlatforms } from "./twoPlatforms.ts";
import { subscribe } from "./webhookSender.ts";

/** Where a person reads how many threads wait. */
interface Numbers {
  readonly icon: string;
  readonly statusBar: string;
  readonly inbox: string;
}

describe("The number of what waits, beside new issues and failures", () => {
  let platforms: TwoPlatforms;
  let window: WorkbenchPage;
  const settings: Record<string, unknown> = {};
  before(async () => {
    platforms = await TwoPlatforms.start();
    Object.assign(settings, platforms.settings("click"));
  });
  const workbench = useWorkbench({ settings });
  after(() => platforms.remove());

  it("is known as soon as the keys are, with the Inbox folded up", async () => {
    window = new WorkbenchPage(workbench.page);
    const { sideBar, statusBar } = window;
    for (const [title, platform] of [
      ["Refund order 1188", platforms.staging],
      ["Refund order 1189", platforms.production],
    ] as const) {
      const thread = await platform.thread({ title });
      await platform.stream(thread, { assistant_id: "approval", input: say("Tell them, please.") });
    }
    await sideBar.open();
    await sideBar.deployments.row("Production").waitFor();
    await platforms.enterKeys(window);
    const count = await waiting();
    await statusBar.entry(`${count} waiting`).waitFor();
    await until("the icon has the same", async () => (await sideBar.iconNumber()) === count);
    equal(await sideBar.header("Inbox").getAttribute("aria-expanded"), "false");
  });

  it("is the same on the icon, in the status bar and in the Inbox, where the hover names what is not counted", async () => {
    await fail(platforms.staging);
    const { inside } = await subscribe(window, "Alerts");
    await inside.open("Answers leak a key", 0, 0);
    await window.sideBar.issues.row("Answers leak a key").waitFor();
    await window.palette.run("Agents: Focus on Inbox View");
    await window.palette.run("Agents: Focus on Failures View");
    await window.sideBar.failures.row(/failed thread/).waitFor();
    await agree(await waiting());
  });

  it("is the same after a reload with the views folded up", async () => {
    for (const view of ["Inbox", "Failures", "Issues"]) await window.sideBar.fold(view);
    await workbench.reloadedBy(() => window.palette.run("Developer: Reload Window"));
    const count = await waiting();
    await window.statusBar.entry(`${count} waiting`).waitFor();
    await until("the icon has the same", async () => (await window.sideBar.iconNumber()) === count);
  });

  async function agree(count: string): Promise<void> {
    const wanted = { icon: count, statusBar: `${count} waiting`, inbox: `${count} waiting` };
    await until(
      "all three say the same",
      async () => JSON.stringify(await numbers()) === JSON.stringify(wanted),
    );
    const [name, ...said] = (await window.sideBar.iconName()).split(" - ");
    deepEqual(
      [name, ...said.toSorted()],
      ["Agents", "1 new failure, not counted", "1 new issue, not counted", `${count} threads wait for you`],
    );
  }

  async function numbers(): Promise<Numbers> {
    const { sideBar, statusBar } = window;
    const entry = await statusBar.entry(/waiting/).innerText();
    return {
      icon: await sideBar.iconNumber(),
      statusBar: entry.trim(),
      inbox: await sideBar.description("Inbox"),
    };
  }

  /** What both platforms say: of the threads of their deployment, and of those of their agents. */
  async function waiting(): Promise<string> {
    const counts = [platforms.staging, platforms.production].map(async (platform) => {
      const threads = await platform.send("POST", "/threads/count", { status: "interrupted" });
      const url = `${platform.ready.baseUrl}/v1/managed/threads/count`;
      return Number(threads.body) + Number((await platform.send("GET", url)).body["attention_count"]);
    });
    return String((await Promise.all(counts)).reduce((sum, count) => sum + count, 0));
  }

  async function fail(platform: LocalPlatform): Promise<void> {
    const threadId = await platform.thread({ title: "Nightly orders" });
    const input = { ...say("Write the orders"), job: threadId, fail_at: "write" };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
  }
});
