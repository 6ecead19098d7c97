import { match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { Conversation } from "./pages/conversation.ts";
import { Mouse } from "./pages/hands.ts";
import { until } from "./pages/waiting.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("Shipping a revision, by mouse", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  let platform: LocalPlatform;
  let controlPlane: ControlPlaneClient;
  let window: WorkbenchPage;
  let editor: TextEditor;
  let conversation: Conversation;

  before(async () => {
    platform = await LocalPlatform.start();
    controlPlane = new ControlPlaneClient(platform);
    await controlPlane.pace(150);
    const hands = new Mouse();
    window = new WorkbenchPage(workbench.page, hands);
    editor = new TextEditor(workbench.page, hands);
    conversation = new Conversation(workbench.page, hands);
  });

  after(() => platform.remove());

  it("creates a deployment from a template, and notifies when it is deployed", async () => {
    const { baseUrl, controlPlaneUrl, apiKey } = platform.ready;
    await window.sideBar.open();
    await window.palette.run("Agents: Add Connection…");
    await window.quickInput.choose("Platform");
    for (const [step, answer] of [baseUrl, controlPlaneUrl, "", "Staging", apiKey].entries()) {
      await window.quickInput.titled(`(${String(step + 2)}/7)`);
      await window.quickInput.answer(answer);
    }
    await window.quickInput.choose(/Save/);
    // The new connection takes the focus, and a draft that is opened meanwhile would lose it.
    await window.sideBar.deployments.row("Staging").and(workbench.page.locator(".focused")).waitFor();
    await window.palette.run("Agents: New Deployment Draft…");
    await window.quickInput.choose(/Docker image in your registry/);
    await editor.lens("Create Deployment").waitFor();
    await window.look("ship-draft");
    await editor.takeLens("Create Deployment");
    await window.quickInput.choose(/Create/);
    await window.notifications.saying("“my-agent” on “Staging” is deployed").waitFor();
    await editor.lens("Update Deployment on Staging").waitFor();
  });

  it("runs an agent of it", async () => {
    await window.notifications.answer("“my-agent” on “Staging” is deployed", "Run");
    await conversation.titled("New thread");
    await conversation.chooseAgent("echo");
    await conversation.say("Are you live?");
    await conversation.idle();
    match((await conversation.transcript.text()).join("\n"), /Are you live\?/);
  });

  it("changes it after a comparison, and leads from the failure to its log", async () => {
    await window.tabs.tab("my-agent.deployment.json").click();
    await editor.lens("Update Deployment").waitFor();
    const draft = JSON.parse(await editor.text()) as { source_revision_config: { image_uri: string } };
    draft.source_revision_config.image_uri = "registry.example.com/my-agent:fail-deploy";
    await editor.write(JSON.stringify(draft, null, 2));
    await until("the draft is changed", async () => (await editor.text()).includes("fail-deploy"));
    await editor.takeLens("Update Deployment");
    await window.quickInput.titled("Update “my-agent” on Staging");
    const comparison = workbench.page.locator(".part.editor .monaco-diff-editor").first();
    await comparison.waitFor();
    await until(
      "the comparison is laid out",
      async () => ((await comparison.boundingBox())?.height ?? 0) > 100,
    );
    const [question, compared] = await Promise.all([
      window.quickInput.root.boundingBox(),
      comparison.boundingBox(),
    ]);
    ok(
      question && compared && question.y + question.height < compared.y,
      "the question lies over the comparison",
    );
    await window.look("ship-comparison");
    await window.quickInput.choose(/Update, with a new revision/);
    await window.notifications.answer(
      /“my-agent” on “Staging”: deploy failed after .* The agent server did not become healthy\./,
      "Open Log",
    );
    await until("the log tells why", async () => /did not become healthy/.test(await editor.text()));
    match(await window.tabs.active(), /^my-agent fail-deploy on Staging deploy/);
    await window.look("ship-log");
  });

  it("redeploys the older revision, and keeps watching it over a reload of the window", async () => {
    await controlPlane.pace(60_000);
    const { deployments, activity } = window.sideBar;
    await deployments.expand("Staging");
    await deployments.expand("my-agent");
    await deployments.expand("Revisions");
    const older = "1.0.0";
    await deployments.press(older, "Redeploy Revision…");
    await window.dialog.answer("Redeploy");
    await activity.focus();
    await activity.row("my-agent").waitFor();
    await until("it is on its way", async () =>
      /Creating|Queued|Awaiting/.test(await activity.description("my-agent")),
    );
    await window.look("ship-activity");
    await workbench.reload();
    await window.sideBar.open();
    await activity.focus();
    await until("it is still watched", async () =>
      /Creating|Queued|Awaiting|Deploying/.test(await activity.description("my-agent")),
    );
    await controlPlane.pace(50);
    await window.notifications.saying("“my-agent” on “Staging” is deployed").waitFor();
    await until("its end is told", async () => /· Deployed · /.test(await activity.description("my-agent")));
    await window.tabs.tab("my-agent.deployment.json").click();
    await until("the draft is there as it was", async () => (await editor.text()).includes("fail-deploy"));
    await editor.lens("Update Deployment on Staging").waitFor();
    await window.look("ship-end", ["light"]);
  });
});
