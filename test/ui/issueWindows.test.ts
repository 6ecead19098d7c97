import { equal, match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { until } from "./pages/waiting.ts";
import type { TreeView } from "./pages/treeView.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { subscribe, type WebhookSender } from "./webhookSender.ts";

describe("Issue webhooks while windows come and go", () => {
  const workbench = useWorkbench();
  let window: WorkbenchPage;
  let sender: WebhookSender;

  before(() => (window = new WorkbenchPage(workbench.page)));

  it("have a subscription added by keyboard, at the address it is reached by from outside", async () => {
    await window.sideBar.open();
    const { address, outside, inside } = await subscribe(window, "Production");
    match(address, new RegExp(`^${workbench.baseUrl}/proxy/\\d+/webhooks/`));
    equal(await outside.open("From outside", 0, 0), 0);
    await window.sideBar.issues.row("From outside").waitFor();
    sender = inside;
  });

  it("arrive all of 1,000, each once, though the window is reloaded meanwhile", async () => {
    const { issues } = window.sideBar;
    const sending = sender.open("Many", 999, 10);
    await until("a part has arrived", () => sender.delivered >= 300);
    await workbench.reload();
    await issues.row("Receiving").waitFor();
    equal(await sending, 0);
    ok(sender.retries > 0, "none was sent while the window was away");
    await until("all are shown", async () => (await issues.description("Many")).includes("999 traces"));
    await issues.expand("Receiving");
    equal(await issues.description("Production"), "1001 received");
  });

  it("are received by one of two windows, and shown by both", async () => {
    const second = await openSecond();
    await second.row("Receiving in another window").waitFor();
    equal(await sender.open("For both", 0, 0), 0);
    await window.sideBar.issues.row("For both").waitFor();
    await second.row("For both").waitFor();
  });

  it("are received by the window that is left when the other one is closed", async () => {
    const [first, other] = workbench.page.context().pages();
    ok(first && other);
    const { issues } = new WorkbenchPage(other).sideBar;
    await first.close();
    await issues.row("Receiving").waitFor();
    equal(await sender.open("For the last one", 0, 0), 0);
    await issues.row("For the last one").waitFor();
  });

  async function openSecond(): Promise<TreeView> {
    const { sideBar } = new WorkbenchPage(await workbench.openAnother());
    await sideBar.open();
    await sideBar.issues.focus();
    return sideBar.issues;
  }
});
