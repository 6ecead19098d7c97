import { match } from "node:assert/strict";

import type { Locator } from "playwright-core";

import { useWorkbench } from "../host/workbench.ts";
import { until } from "./pages/waiting.ts";
import type { TreeView } from "./pages/treeView.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("Issues in the side bar, by keyboard", () => {
  const workbench = useWorkbench();
  let window: WorkbenchPage;
  let issues: TreeView;

  before(() => {
    window = new WorkbenchPage(workbench.page);
    issues = window.sideBar.issues;
  });

  it("arrive from the Local Platform with one command of the empty view", async () => {
    await window.sideBar.open();
    await window.palette.run("Agents: Focus on Issues View");
    await window.sideBar.toggle("Deployments");
    await issues.welcome.getByRole("button", { name: "Report a Sample Issue" }).click();
    await window.quickInput.choose("Urgent issue");
    await issues.row("Urgent").waitFor();
    match(await issues.description("Receiving"), /^port \d+$/);
    await until("both traces are there", async () =>
      (await issues.description("Answers leak a key")).includes("2 traces"),
    );
    await until(
      "the view tells what is new",
      async () => (await issues.description("Urgent")) === "1 · 1 new",
    );
  });

  it("are shown with Enter, and are no longer new then", async () => {
    await report("Failed detection run");
    await issues.row("Failed detection runs").waitFor();
    await issues.expand("Answers leak a key");
    await window.look("issues");
    await issues.open("Answers leak a key");
    await window.tabs.tab("Answers leak a key.txt").waitFor();
    await until("it is not new any more", async () => (await issues.description("Urgent")) === "1");
    await window.look("issues-open", ["light"]);
  });

  it("say which runs nobody here knows", async () => {
    await issues.open("The same again, a run that nobody has here.");
    await window.notifications.saying(/No connection knows the run/).waitFor();
  });

  it("are sent as signed samples to a receiver on this machine, with the outcome", async () => {
    await window.palette.run("Agents: Send Sample Webhook Event…");
    await window.quickInput.choose("issue.created");
    await window.quickInput.choose("Medium");
    const own = await until("the box holds the receiver's own address", async () => {
      const address = await window.quickInput.field.inputValue();
      return address.startsWith("http://127.0.0.1:") ? address : undefined;
    });
    await window.quickInput.type("http://example.com/hook");
    await until("another machine is refused", async () =>
      (await window.quickInput.message()).includes("only sent to this machine"),
    );
    await window.quickInput.answer(own);
    await window.quickInput.choose("Local Platform");
    await window.tabs.tab("Send Sample Webhook Event.txt").waitFor();
    await line("✓ delivered").waitFor();
    await issues.goTo("The agent searches in circles");
  });

  it("have their subscriptions explained, and a saved delivery verified", async () => {
    await window.palette.run("Agents: Explain Webhook Subscriptions…");
    await window.quickInput.choose("issue.created");
    await window.quickInput.choose("High");
    await line("✓ Local Platform").waitFor();
    await window.palette.run("Agents: Verify Webhook Delivery…");
    await window.quickInput.choose("The file in front");
    await window.quickInput.choose("Local Platform");
    await until("the signature is asked for", async () =>
      (await window.quickInput.message()).includes("X-Service-Signature"),
    );
    await window.quickInput.answer("sha256=0123");
    await line("✗ not valid").waitFor();
  });

  it("are removed with Delete where the focus is, whatever is selected, after a question", async () => {
    await issues.open("The agent searches in circles");
    await window.tabs.tab("The agent searches in circles.txt").waitFor();
    await issues.goTo("Receiving");
    await window.page.keyboard.press("Delete");
    await issues.goTo("The agent searches in circles");
    await window.page.keyboard.press("Delete");
    match(await window.dialog.text(), /Remove “The agent searches in circles” from the Issues view\?/);
    await window.dialog.answer("Remove");
    await until("it is gone", async () => !(await issues.labels()).includes("The agent searches in circles"));
  });

  function line(text: string): Locator {
    return window.page.locator(".part.editor .view-line").getByText(text).first();
  }

  async function report(sample: string): Promise<void> {
    await window.palette.run("Agents: Report Sample Issue…");
    await window.quickInput.choose(sample);
  }
});
