import { Workbench } from "../host/workbench.ts";
import { LocalPlatform, say } from "../support/localPlatform.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { until } from "./pages/waiting.ts";
import { describeThemed } from "./themedPictures.ts";

describeThemed("Pictures of many threads that are changed", (options, take) => {
  it("stopping runs, deleting by age, and a clone of what waits", async () => {
    const platform = await LocalPlatform.start();
    const workbench = new Workbench({ ...options, settings: { ...options.settings } });
    try {
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      const { page, quickInput, dialog, notifications, sideBar } = window;
      await sideBar.open();
      const { deploymentUrl, apiKey } = platform.ready;
      await window.addConnection(/Agent server/, [deploymentUrl, "Kitchen", apiKey], "Kitchen");
      for (const title of ["Bake 40 loaves", "Count the stock", "Write to all guests"]) {
        const thread = await platform.thread({ title });
        const run = { assistant_id: "slow", input: { ...say("Work"), seconds: 600 } };
        await platform.send("POST", `/threads/${thread}/runs`, run);
      }
      for (const title of ["Order flour", "Tell Ann"]) {
        const thread = await platform.thread({ title });
        await platform.stream(thread, { assistant_id: "echo", input: say(title) });
      }
      const waiting = await platform.thread({ title: "Refund order 1188" });
      await platform.stream(waiting, { assistant_id: "approval", input: say("Refund it") });

      await sideBar.deployments.chooseFor("Kitchen", "Stop Runs of Threads…");
      await dialog.root.waitFor();
      await take(window, "bulk-stop-question");
      await dialog.answer("Stop");
      await notifications.saying(/is stopped\. Go on\?/).waitFor();
      await take(window, "bulk-stop-first");
      await notifications.answer(/is stopped\. Go on\?/, "Continue");
      await notifications.saying(/Stop 3 runs: 3 stopped\./).waitFor();
      await take(window, "bulk-stop-end");

      await sideBar.deployments.chooseFor("Kitchen", "Delete Threads by Age…");
      await quickInput.option(/Another number of days/).waitFor();
      await take(window, "bulk-delete-age");
      await quickInput.choose(/Another number of days/);
      await until("the days are asked for", async () => (await quickInput.field.inputValue()) === "30");
      await quickInput.answer("0");
      await quickInput.option(/^idle/).waitFor();
      await take(window, "bulk-delete-statuses");
      await page.keyboard.press("Enter");
      await quickInput.choose(/List the/);
      await page.getByText("nothing was deleted").first().waitFor();
      await take(window, "bulk-delete-list");

      await sideBar.inbox.focus();
      await sideBar.inbox.chooseFor(/send_email/, "Clone Thread…");
      await quickInput.option("approval").waitFor();
      await take(window, "inbox-clone-graph");
      await quickInput.choose("approval");
      await page.getByText(/Keys whose values are not to leave/).waitFor();
      await quickInput.answer("email");
      await dialog.root.waitFor();
      await take(window, "inbox-clone-question");
      await dialog.answer("Clone");
      await dialog.root.waitFor({ state: "hidden" });
      await until("the clone is open", async () => (await window.tabs.titles()).length === 2);
      await take(window, "inbox-clone-made");
    } catch (error) {
      await workbench.record("many threads");
      throw error;
    } finally {
      await workbench.close();
      await platform.remove();
    }
  });
});
