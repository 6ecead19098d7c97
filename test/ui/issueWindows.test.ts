import { equal, match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { until } from "./pages/waiting.ts";
import type { TreeView } from "./pages/treeView.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { WebhookSender } from "./webhookSender.ts";

const secret = "whsec_of_the_sender";

describe("Issue webhooks while windows come and go", function () {
  this.timeout(120_000);
  const workbench = useWorkbench();
  let window: WorkbenchPage;
  let sender: WebhookSender;

  before(() => (window = new WorkbenchPage(workbench.page)));

  it("have a subscription added by keyboard, at the address it is reached by from outside", async () => {
    const { quickInput } = window;
    await window.sideBar.open();
    await window.palette.run("Agents: Add Webhook Subscription…");
    await quickInput.titled("(1/5)");
    await quickInput.answer("Production");
    for (const [step, choice] of [
      ["(2/5)", "X-Service-Signature"],
      ["(3/5)", "All issues"],
      ["(4/5)", "Everything"],
    ] as const) {
      await quickInput.titled(step);
      await quickInput.choose(choice);
    }
    await quickInput.titled("(5/5)");
    equal(await quickInput.field.getAttribute("type"), "password");
    await quickInput.answer(secret);
    const outside = await workbench.page.evaluate<string>("navigator.clipboard.readText()");
    match(outside, new RegExp(`^${workbench.baseUrl}/proxy/\\d+/webhooks/`));
    equal(await new WebhookSender(outside, secret).open("From outside", 0, 0), 0);
    await window.sideBar.issues.focus();
    await window.sideBar.issues.row("From outside").waitFor();
    sender = new WebhookSender(outside.replace(/^.*\/proxy\//, "http://127.0.0.1:"), secret);
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
