import { type PeerServer, startAgentServer } from "../peers/server.ts";
import { useWorkbench } from "../host/workbench.ts";
import { windowSaved } from "./pages/savedWindow.ts";
import { Conversation } from "./pages/conversation.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeThemed } from "./themedPictures.ts";

/** What each graph is asked, besides a message that names its thread. */
const inputs = { react: {}, progress: {}, big: { megabytes: 5 }, long: { count: 5000 } };

describeThemed("Pictures of threads on a real agent server", (options, take) => {
  const workbench = useWorkbench({ ...options, size: { width: 1200, height: 760 } });
  let server: PeerServer;

  before(async () => {
    server = await startAgentServer();
  });
  after(() => server.stop());

  it("as they run, and as they are opened again", async () => {
    const window = new WorkbenchPage(workbench.page);
    const conversation = new Conversation(workbench.page);
    await window.sideBar.open();
    await window.addConnection(/Agent server/, [server.url, "Harbour", ""], "Harbour");
    for (const [graph, more] of Object.entries(inputs)) {
      await window.palette.run("Agents: New Thread…");
      await conversation.titled("New thread");
      await conversation.chooseAgent(graph);
      await conversation.runJson({ ...more, messages: [{ role: "user", content: `Harbour, ${graph}` }] });
      await conversation.idle();
      await take(window, `thread-${graph}`);
    }
    await windowSaved(window.page, "Harbour, long");
    await workbench.reload();
    for (const graph of Object.keys(inputs)) {
      await window.tabs.show(`Harbour, ${graph}`);
      await conversation.idle();
      await take(window, `thread-${graph}-again`);
    }
  });
});
