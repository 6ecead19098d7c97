import { deepEqual, equal, match } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { LocalPlatform, text } from "../support/localPlatform.ts";
import { Mouse } from "./pages/hands.ts";
import { until } from "./pages/waiting.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

const names = ["billing", "search", "support"] as const;

describe("Changing several deployments together", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  let platform: LocalPlatform;
  let controlPlane: ControlPlaneClient;
  let window: WorkbenchPage;
  let editor: TextEditor;
  let made: unknown[];

  before(async () => {
    platform = await LocalPlatform.start();
    controlPlane = new ControlPlaneClient(platform);
    await controlPlane.pace(1);
    made = [];
    for (const name of names) {
      const source = { source: "external_docker", source_config: {}, secrets: [] };
      const image = { source_revision_config: { image_uri: `registry.test/${name}:1.4.1` } };
      const { id, latest_revision_id: revision } = await controlPlane.create({ name, ...source, ...image });
      await controlPlane.follow(id, revision);
      made.push(id);
    }
    const hands = new Mouse();
    window = new WorkbenchPage(workbench.page, hands);
    editor = new TextEditor(workbench.page, hands);
    await window.sideBar.open();
    await window.addPlatform(platform.ready);
  });
  after(() => platform.remove());

  it("shows what changes where, changes one, and asks before the others", async () => {
    const { deployments } = window.sideBar;
    await deployments.expand("Platform");
    for (const name of names) await deployments.toggle(name);
    await deployments.chooseFor("support", "Change Several Deployments…");
    await window.quickInput.choose(/Another Image/);
    await window.quickInput.titled("(2/2)");
    await window.quickInput.answer(":1.4.2");
    await window.quickInput.option("billing").waitFor();
    await window.look("bulk-preview");
    await workbench.page.keyboard.press("Enter");
    await window.dialog.root.waitFor();
    match(await window.dialog.text(), /Deploy :1\.4\.2 on 3 deployments\?/);
    await window.look("bulk-question");
    await window.dialog.answer("Change");
    await window.notifications.saying(/is deployed\. Go on\? 1 deployed, 2 not sent/).waitFor();
    await window.sideBar.activity.focus();
    await window.look("bulk-first");
    deepEqual((await revisions()).toSorted(), [1, 1, 2]);
  });

  it("goes on after a reload of the window, each once, and reports", async () => {
    await workbench.reload();
    await window.notifications.answer(/was stopped by a reload: 1 deployed, 2 not sent/, "Continue");
    await window.dialog.answer("Change");
    await window.notifications.answer(/Deploy :1\.4\.2 on 3 deployments: 3 deployed/, "Open Report");
    await until("the report is there", async () => /3 deployed/.test(await editor.text()));
    match(await editor.text(), /deployed +billing {2}1\.4\.1 → 1\.4\.2/);
    await window.look("bulk-report", ["light", "highContrast", "dark"]);
    deepEqual(await revisions(), [2, 2, 2]);
    const { activity } = window.sideBar;
    await activity.focus();
    await activity.row(/on 3 deployments/).waitFor();
    equal((await activity.labels()).filter((row) => /on 3 deployments/.test(row)).length, 1);
  });

  async function revisions(): Promise<readonly number[]> {
    return Promise.all(made.map(async (id) => (await controlPlane.revisions(text(id))).length));
  }
});
