import { Workbench } from "../host/workbench.ts";
import { type LocalPlatform, say } from "../support/localPlatform.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized } from "./themedPictures.ts";
import { TwoPlatforms } from "./twoPlatforms.ts";

const tickets = ["Refund order 1188", "Tell Ann about the delay", "Answer ticket 4 for the second time"];

describeSized("Pictures of the Inbox", (options, take) => {
  it("its rows, its groups, its preview and its summary", async () => {
    const platforms = await TwoPlatforms.start();
    const settings = { ...options.settings, ...platforms.settings("click") };
    const workbench = new Workbench({ ...options, settings });
    try {
      for (const platform of [platforms.staging, platforms.production]) await fill(platform);
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      await window.sideBar.open();
      const { deployments, inbox } = window.sideBar;
      await deployments.row("Production").waitFor();
      await platforms.enterKeys(window);
      await inbox.focus();
      await inbox.row("Production · send_email").waitFor();
      await workbench.page.keyboard.press("n");
      await workbench.page.getByText("team@example.com").first().waitFor();
      await take(window, "inbox-rows");
      await window.palette.run("Agents: Focus on Inbox View");
      await workbench.page.keyboard.press("n");
      await workbench.page.keyboard.press("a");
      await window.dialog.root.waitFor();
      await take(window, "inbox-approve");
      await workbench.page.keyboard.press("Escape");
      await inbox.focus();
      await workbench.page.keyboard.press("Shift+ArrowDown");
      await workbench.page.keyboard.press("Shift+ArrowDown");
      await workbench.page.keyboard.press("Shift+ArrowDown");
      await workbench.page.keyboard.press("a");
      await window.dialog.root.waitFor();
      await take(window, "inbox-summary");
      await workbench.page.keyboard.press("Escape");
    } catch (error) {
      await workbench.record("inbox");
      throw error;
    } finally {
      await workbench.close();
      await platforms.remove();
    }
  });
});

async function fill(platform: LocalPlatform): Promise<void> {
  for (const title of tickets) {
    const thread = await platform.thread({ title });
    await platform.stream(thread, { assistant_id: "approval", input: say(`Hello,\n\n${title}, please.`) });
  }
}
