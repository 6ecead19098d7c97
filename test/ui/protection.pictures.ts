import { Workbench } from "../host/workbench.ts";
import { Conversation } from "./pages/conversation.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeSized } from "./themedPictures.ts";
import { TwoPlatforms } from "./twoPlatforms.ts";

describeSized("Pictures of a protected connection", (options, take) => {
  it("its rows, its lists, its dialogs and its run panel", async () => {
    const platforms = await TwoPlatforms.start();
    const settings = { ...options.settings, ...platforms.settings("click") };
    const workbench = new Workbench({ ...options, settings });
    try {
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      const conversation = new Conversation(workbench.page);
      await window.sideBar.open();
      const { deployments } = window.sideBar;
      await deployments.row("Production").waitFor();
      await platforms.enterKeys(window);
      await deployments.expand("Production");
      await deployments.row("Sample deployment").waitFor();
      await take(window, "protected-rows");
      await window.palette.run("Agents: New Thread…");
      await window.quickInput.option(/Sample deployment/).waitFor();
      await take(window, "protected-list");
      await window.quickInput.dismiss();
      await deployments.chooseFor("Sample deployment", "New Thread…");
      await conversation.titled("New thread");
      await conversation.chooseAgent("echo");
      await conversation.sayAfterQuestion("Is anybody there?");
      await window.dialog.root.waitFor();
      await take(window, "protected-dialog");
      await window.dialog.answer("Run");
      await conversation.messages("ai").first().waitFor();
      await conversation.idle();
      await take(window, "protected-panel");
    } catch (error) {
      await workbench.record("protected");
      throw error;
    } finally {
      await workbench.close();
      await platforms.remove();
    }
  });
});
