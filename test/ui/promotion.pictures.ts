import { Workbench } from "../host/workbench.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { managedAgentsOf } from "../support/managedAgentsOf.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized } from "./themedPictures.ts";
import { TwoPlatforms } from "./twoPlatforms.ts";

const runtime = { model: { model_id: "sample:echo" } };
const deployment = { name: "support", source: "external_docker", source_config: {} };
const revision = (tag: string) => ({
  source_revision_config: { image_uri: `registry.test/support:${tag}` },
});

describeSized("Pictures of promoting", (options, take) => {
  it("a deployment's draft, and what an agent gets", async () => {
    const platforms = await TwoPlatforms.start();
    const settings = { ...options.settings, ...platforms.settings("word") };
    const workbench = new Workbench({ ...options, settings });
    try {
      const { staging, production } = platforms;
      const here = { name: "Postman", system_prompt: "Be kind.\nAnswer in two sentences.", runtime };
      await managedAgentsOf(staging).agents.create(here);
      await managedAgentsOf(production).agents.create({ ...here, system_prompt: "Be brief." });
      await new ControlPlaneClient(staging).create({ ...deployment, ...revision("1.4.2") });
      await new ControlPlaneClient(production).create({ ...deployment, ...revision("1.4.1") });
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      await window.sideBar.open();
      const { agents, deployments } = window.sideBar;
      await deployments.row("Production").waitFor();
      await platforms.enterKeys(window);
      await deployments.expand("Staging");
      await deployments.chooseFor("support", "Promote Deployment…");
      await window.quickInput.option("Production").waitFor();
      await take(window, "promote-where");
      await window.quickInput.choose("Production");
      await window.tabs.tab(/support/).waitFor();
      await take(window, "promote-draft");
      await window.palette.run("View: Revert and Close Editor");
      await window.palette.run("Notifications: Clear All Notifications");
      await window.sideBar.toggle("Deployments");
      await agents.focus();
      await agents.expand("Staging");
      await agents.chooseFor("Postman", "Promote Agent…");
      await window.quickInput.choose("Production");
      await window.quickInput.choose("Postman");
      await window.quickInput.option(/AGENTS\.md/).waitFor();
      await take(window, "promote-agent");
      await workbench.page.keyboard.press("Enter");
      await window.quickInput.titled("Write 1 change");
      await take(window, "promote-question");
    } catch (error) {
      await workbench.record("promotion");
      throw error;
    } finally {
      await workbench.close();
      await platforms.remove();
    }
  });
});
