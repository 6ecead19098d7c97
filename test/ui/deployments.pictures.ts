import { Workbench } from "../host/workbench.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { type LocalPlatform, say, text } from "../support/localPlatform.ts";
import { Mouse } from "./pages/hands.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { until } from "./pages/waiting.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized } from "./themedPictures.ts";
import { TwoPlatforms } from "./twoPlatforms.ts";

const image = (name: string, tag: string) => ({
  source_revision_config: { image_uri: `registry.test/${name}:${tag}` },
});

describeSized("Pictures of operating deployments", (options, take) => {
  it("revisions, what is broken, what goes on, a log, a comparison and the audit log", async () => {
    const platforms = await TwoPlatforms.start();
    const settings = { ...options.settings, ...platforms.settings("click") };
    const workbench = new Workbench({ ...options, settings });
    try {
      await ship(platforms.staging, "support", ["1.4.1", "1.4.2"]);
      await ship(platforms.staging, "billing", ["2.0.0"]);
      await ship(platforms.production, "support", ["1.4.0", "1.4.1", "1.4.2-fail-deploy"]);
      await failThreads(platforms.production);
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      const editor = new TextEditor(workbench.page, new Mouse());
      const { activity, deployments, failures } = window.sideBar;
      await window.sideBar.open();
      await deployments.row("Production").waitFor();
      await platforms.enterKeys(window);

      await deployments.expand("Production");
      await deployments.expand("support");
      await deployments.expand("Revisions");
      await deployments.row("1.4.0").waitFor();
      await take(window, "deployments-revisions");

      await failures.focus();
      await failures.row(/support: deploy failed/).waitFor();
      await failures.row(/failed threads/).waitFor();
      await take(window, "failures");
      await failures.open(/support: deploy failed/);
      await until("the log tells why", async () => /did not become healthy/.test(await editor.text()));
      await take(window, "revision-log");
      await window.palette.run("View: Close All Editors");

      await deployments.chooseFor("support", "Edit Deployment…");
      await editor.lens("Update Deployment on Production").waitFor();
      await editor.write((await editor.text()).replace("1.4.2-fail-deploy", "1.4.3"));
      await editor.takeLens("Update Deployment");
      await window.quickInput.titled("Update “support” on Production");
      await take(window, "deployment-comparison");
      await window.quickInput.choose(/Update, with a new revision/);
      await window.dialog.root.waitFor();
      await take(window, "deployment-question");
      await window.dialog.answer("Update");
      await window.notifications.saying("“support” on “Production” is deployed").waitFor();
      await activity.focus();
      await activity.row("support").waitFor();
      await take(window, "activity");

      await window.palette.run("Notifications: Clear All Notifications");
      await window.palette.run("View: Revert and Close Editor");
      await window.palette.run("Agents: Open Audit Log");
      await until("the change is told", async () => /Update/.test(await editor.text()));
      await take(window, "audit-log");
    } catch (error) {
      await workbench.record("deployments");
      throw error;
    } finally {
      await workbench.close();
      await platforms.remove();
    }
  });
});

/** Deploys a revision of each tag, one after the other. */
async function ship(
  platform: LocalPlatform,
  name: string,
  tags: readonly [string, ...string[]],
): Promise<void> {
  const controlPlane = new ControlPlaneClient(platform);
  await controlPlane.pace(20);
  const [first, ...later] = tags;
  const source = { name, source: "external_docker", source_config: {}, secrets: [] };
  const { id, latest_revision_id: revision } = await controlPlane.create({
    ...source,
    ...image(name, first),
  });
  await controlPlane.follow(id, revision);
  for (const tag of later) {
    const { body } = await controlPlane.send("PATCH", `/v2/deployments/${text(id)}`, image(name, tag));
    await controlPlane.follow(id, body["latest_revision_id"]);
  }
}

async function failThreads(platform: LocalPlatform): Promise<void> {
  for (const title of ["Orders of Monday", "Orders of Tuesday"]) {
    const threadId = await platform.thread({ title });
    const input = { ...say("Write the orders"), job: threadId, fail_at: "write" };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
  }
}
