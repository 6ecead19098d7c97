import { useWorkbench } from "../host/workbench.ts";
import { knownKey, ObjectStore } from "../support/objectStore.ts";
import { DestinationSteps } from "./pages/destinationSteps.ts";
import { Keyboard } from "./pages/hands.ts";
import { TreeView } from "./pages/treeView.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized } from "./themedPictures.ts";

describeSized("Pictures of exports and issues", (options, take) => {
  // The editor's server has the person's own keys of the store.
  before(() => {
    process.env["AWS_ACCESS_KEY_ID"] = knownKey.access_key_id;
    process.env["AWS_SECRET_ACCESS_KEY"] = knownKey.secret_access_key;
  });
  const workbench = useWorkbench(options);
  let store: ObjectStore;
  let window: WorkbenchPage;

  before(async () => {
    store = await ObjectStore.start();
    window = new WorkbenchPage(workbench.page);
  });
  after(() => store.stop());

  it("a destination with an export that went well and one that failed, and a table", async () => {
    const destinations = new TreeView(workbench.page, new Keyboard(workbench.page), "Destinations");
    const steps = new DestinationSteps(window);
    await window.sideBar.open();
    await window.palette.run("Agents: Start Local Platform");
    await window.sideBar.deployments.row("Sample deployment").waitFor();
    await window.sideBar.toggle("Deployments");
    await destinations.focus();
    await steps.describe(store, "Trace archive");
    await steps.typeKeys(knownKey.secret_access_key);
    await window.quickInput.choose(/Create/);
    await destinations.row("Trace archive").waitFor();
    await steps.export("Trace archive", "A week ago");
    await window.notifications.saying(/has ended: Completed/).waitFor();
    store.refusals = [{ method: "PUT", status: 403, code: "AccessDenied" }];
    await steps.export("Trace archive", "A day ago");
    await window.notifications.saying(/has ended: Failed/).waitFor();
    await window.palette.run("Notifications: Clear All Notifications");
    await destinations.expand("Trace archive");
    await destinations.goTo("Credentials");
    for (let row = 0; row < 2; row++) {
      for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"])
        await window.page.keyboard.press(key, { delay: 250 });
    }
    await take(window, "destinations");
    await steps.openTable(store, workbench.profile.workspace);
    const frame = window.runPanel.frame();
    const grid = frame.getByRole("grid");
    for (let column = 0; column < 15; column++) await grid.press("ArrowRight");
    await grid.press("Enter");
    await frame.getByRole("tree", { name: "Value" }).waitFor();
    await take(window, "table");
    await window.palette.run("View: Close All Editors");
    await destinations.chooseFor(/\.parquet$/, "Open Exported File");
    await window.dialog.root.waitFor();
    await take(window, "bucket-question");
    await window.dialog.answer("Read");
    await frame.locator("#cell-0-0 .value").waitFor();
    await take(window, "bucket");
    await window.palette.run("View: Close All Editors");
    await window.sideBar.toggle("Destinations");
  });

  it("issues of several severities, one of them open", async () => {
    const { issues } = window.sideBar;
    for (const sample of ["Urgent issue", "Medium issue", "Failed detection run", "Low issue"]) {
      await window.palette.run("Agents: Report Sample Issue…");
      await window.quickInput.choose(sample);
    }
    await issues.row("Low").waitFor();
    await issues.expand("Receiving");
    await issues.expand("Answers leak a key");
    await issues.open("Answers leak a key");
    await window.tabs.tab("Answers leak a key.txt").waitFor();
    await window.palette.run("Notifications: Clear All Notifications");
    await take(window, "issues");
  });
});
