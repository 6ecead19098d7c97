import { deepEqual } from "node:assert/strict";
import type { Locator } from "playwright-core";

import { useWorkbench } from "../host/workbench.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { list, LocalPlatform, say, text } from "../support/localPlatform.ts";
import { Mouse } from "./pages/hands.ts";
import { until } from "./pages/waiting.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

/** What a task takes: entries, keys and clicks that decide something, and messages that come up meanwhile. */
interface Cost {
  readonly inputs: number;
  readonly messages: number;
}

/** What the main tasks took in version 0.1.0, where an approval said nothing of what it sends, and may take now. */
const tasks = {
  "Create a deployment": { before: [8, 1], most: [8, 1] },
  "Redeploy an older revision": { before: [6, 1], most: [6, 1] },
  "From a failed revision to its log": { before: [1, 1], most: [1, 1] },
  "Approve what is in sight": { before: [1, 0], most: [1, 0] },
  "Approve straight from its row": { before: [1, 0], most: [2, 0] },
} as const;

describe("What the main tasks take of a person", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  const costs = new Map<keyof typeof tasks, Cost>();
  let platform: LocalPlatform;
  let controlPlane: ControlPlaneClient;
  let window: WorkbenchPage;
  let [inputs, messages] = [0, 0];

  before(async () => {
    platform = await LocalPlatform.start();
    controlPlane = new ControlPlaneClient(platform);
    await controlPlane.pace(50);
    window = new WorkbenchPage(workbench.page, new Mouse());
    await window.sideBar.open();
    await openWalkthrough();
    await window.addPlatform(platform.ready);
  });
  after(async () => {
    print();
    await platform.remove();
  });

  it("creates a deployment", async () => {
    await window.palette.run("Notifications: Clear All Notifications");
    await measured("Create a deployment", async () => {
      await did(window.sideBar.deployments.chooseFor("Platform", "New Deployment…"));
      await did(window.quickInput.choose(/Docker image/));
      for (const [step, answer] of ["registry.test/support:1.0.0", "support", ""].entries()) {
        await window.quickInput.titled(`(${String(step + 2)}/4)`);
        await did(window.quickInput.answer(answer));
      }
      await did(window.quickInput.choose(/Create/));
      await window.notifications.saying("“support” on “Platform” is deployed").waitFor();
    });
  });

  it("redeploys an older revision of it", async () => {
    await controlPlane.send("PATCH", `/v2/deployments/${await idOf("support")}`, {
      source_revision_config: { image_uri: "registry.test/support:2.0.0" },
    });
    await window.palette.run("Notifications: Clear All Notifications");
    await measured("Redeploy an older revision", async () => {
      const { deployments } = window.sideBar;
      await did(deployments.expand("Platform"));
      await did(deployments.expand("support"));
      await did(deployments.expand("Revisions"));
      await did(deployments.press("1.0.0", "Redeploy Revision…"));
      await did(window.dialog.answer("Redeploy"));
      await window.notifications.saying("“support” on “Platform” is deployed").waitFor();
    });
  });

  it("goes from a revision that failed to its log", async () => {
    await window.palette.run("Notifications: Clear All Notifications");
    await window.sideBar.deployments.chooseFor("Platform", "New Deployment…");
    await window.quickInput.choose(/Docker image/);
    for (const [step, answer] of ["registry.test/broken:fail-deploy", "broken", ""].entries()) {
      await window.quickInput.titled(`(${String(step + 2)}/4)`);
      await window.quickInput.answer(answer);
    }
    await measured("From a failed revision to its log", async () => {
      await window.quickInput.choose(/Create/);
      await window.notifications.saying("“broken” on “Platform”: deploy failed").waitFor();
      await did(window.notifications.answer("“broken” on “Platform”: deploy failed", "Open Log"), 1);
      const editor = new TextEditor(workbench.page, new Mouse());
      await until("the log tells why", async () => /did not become healthy/.test(await editor.text()));
    });
  });

  it("approves what waits: what it has in its preview, and what it has not looked at", async () => {
    for (const title of ["Refund order 1188", "Refund order 1189"]) {
      const thread = await platform.thread({ title });
      await platform.stream(thread, { assistant_id: "approval", input: say("Tell them, please.") });
    }
    const { inbox } = window.sideBar;
    const waiting = async (): Promise<readonly string[]> =>
      (await inbox.labels()).filter((label) => label.includes("send_email"));
    await inbox.focus();
    await inbox.row(/send_email/).waitFor();
    await window.palette.run("Notifications: Clear All Notifications");
    await inbox.focus();
    await until("they are listed", async () => (await waiting()).length > 2);
    const before = (await waiting()).length;
    await measured("Approve straight from its row", async () => {
      await did(inbox.press(/send_email/, "Approve Waiting Action…"));
      await did(window.dialog.answer("Approve"));
      await until("it waits no longer", async () => (await waiting()).length === before - 1);
    });
    await inbox.open(/send_email/);
    const preview = new TextEditor(workbench.page, new Mouse());
    await until("what is sent is in sight", async () => /body: /.test(await preview.text()));
    await measured("Approve what is in sight", async () => {
      await did(inbox.keyOn(/send_email/, "a"));
      await until("it waits no longer", async () => (await waiting()).length === before - 2);
    });
  });

  it("has done the operator's walkthrough by that, protecting production, and looking at failures and changes", async () => {
    const { page } = workbench;
    await openWalkthrough();
    await until("connecting and answering are done", async () => (await done().count()) === 2);
    for (const [title, button] of [
      ["Find what is broken", "Refresh Failures"],
      ["Read who changed what", "Open Audit Log"],
    ] as const) {
      await openWalkthrough();
      await step(title).click();
      await step(title).getByRole("button", { name: button }).click();
    }
    const editor = new TextEditor(page, new Mouse());
    await until("the changes are told", async () => /Approve/.test(await editor.text()));
    await openWalkthrough();
    await until("these are done, too", async () => (await done().count()) === 4);
    await step("Protect production").click();
    await step("Protect production").getByRole("button", { name: "Edit Connection" }).click();
    await window.quickInput.choose("Protection");
    await window.quickInput.choose(/Press a button/);
    await window.quickInput.choose(/Save/);
    await until("all five are done", async () => (await done().count()) === 5);
  });

  /** The walkthrough's steps count what is done from when it is first opened. */
  async function openWalkthrough(): Promise<void> {
    await window.palette.run("Welcome: Open Walkthrough...");
    await window.quickInput.choose("Operate agents on a platform");
    await step("Connect to the platform").waitFor();
  }

  function step(title: string): Locator {
    return workbench.page.locator(".getting-started-step").filter({ hasText: title });
  }

  function done(): Locator {
    return workbench.page.locator(".getting-started-step .codicon-getting-started-step-checked");
  }

  /** One input of a person, however many keys the test needs for it. */
  async function did(input: Promise<void>, messagesGone = 0): Promise<void> {
    await input;
    inputs += 1;
    messages += messagesGone;
  }

  /** Does a task; what came up meanwhile is cleared afterwards. */
  async function measured(task: keyof typeof tasks, work: () => Promise<void>): Promise<void> {
    inputs = messages = 0;
    await work();
    const cost = { inputs, messages: messages + (await window.notifications.all.count()) };
    costs.set(task, cost);
    const [mostInputs, mostMessages] = tasks[task].most;
    deepEqual(
      { inputs: cost.inputs <= mostInputs, messages: cost.messages <= mostMessages },
      { inputs: true, messages: true },
      `${task}: ${JSON.stringify(cost)}`,
    );
  }

  async function idOf(name: string): Promise<string> {
    const { body } = await controlPlane.send("GET", `/v2/deployments?name_contains=${name}`);
    return text(list(body["resources"])[0]?.["id"]);
  }

  /** The figures as a table. */
  function print(): void {
    const rows = Object.entries(tasks).map(([task, { before }]) => {
      const { inputs: now, messages: shown } = costs.get(task as keyof typeof tasks) ?? {
        inputs: NaN,
        messages: NaN,
      };
      return `    ${task.padEnd(36)}${String(now).padStart(6)}${String(shown).padStart(10)}${before.join(" and ").padStart(12)}`;
    });
    console.log([`    ${"".padEnd(36)}inputs  messages    in 0.1.0`, ...rows].join("\n"));
  }
});
