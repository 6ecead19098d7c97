import { match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { managedAgentsOf } from "../support/managedAgentsOf.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { Conversation } from "./pages/conversation.ts";
import { Keyboard } from "./pages/hands.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { until } from "./pages/waiting.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("A managed agent, by keyboard alone", () => {
  const workbench = useWorkbench({
    size: { width: 1440, height: 900 },
    settings: { "agentOperations.refreshSeconds": 2 },
  });
  useKeyboardAlone(workbench);
  let platform: LocalPlatform;
  let window: WorkbenchPage;
  let conversation: Conversation;

  before(async () => {
    platform = await emptyPlatform();
    window = new WorkbenchPage(workbench.page);
    conversation = new Conversation(workbench.page, new Keyboard(workbench.page));
    await window.sideBar.open();
    await window.addPlatform(platform.ready);
  });

  after(() => platform.remove());

  it("is made step by step, and shows what it is made of", async () => {
    await window.palette.run("Agents: New Managed Agent…");
    for (const [step, answer] of ["Postman", "Sends the weekly mail", "", "sample:approval"].entries()) {
      await window.quickInput.titled(`New Managed Agent (${String(step + 1)}/5)`);
      await window.quickInput.answer(answer);
    }
    await window.quickInput.choose("A sandbox for each thread");
    const { agents } = window.sideBar;
    await agents.expand("Postman");
    await agents.expand("Backend");
    await agents.goTo("scope");
    match(await agents.description("Postman"), /^sample:approval · \S/);
  });

  it("runs in the panel and stops to ask", async () => {
    await window.sideBar.agents.chooseFor("Postman", "Start Thread with Agent…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("Postman");
    await conversation.say("Tell the team that the release is out.");
    await conversation.questions.waitFor();
    await window.sideBar.agents.expand("Threads");
    await until("the view counts what needs a person", async () =>
      (await window.sideBar.agents.description("Threads")).includes("1 waiting"),
    );
  });

  it("is approved from the inbox, and goes on", async () => {
    const { inbox } = window.sideBar;
    await inbox.focus();
    const label = /· send_email$/;
    await inbox.row(label).waitFor();
    await window.look("agents", ["light", "dark"]);
    await inbox.chooseFor(label, "Approve Waiting Action…");
    match(await window.dialog.text(), /Approve “send_email”\?[^]*to: team@example\.com/);
    await window.dialog.answer("Approve");
    await conversation.idle();
    await conversation.questions.last().getByText("answered").waitFor();
    await inbox.welcome.getByText("Nothing waits for you.").waitFor();
  });

  it("is cloned, and the clone is deleted after it was named", async () => {
    const { agents } = window.sideBar;
    await agents.chooseFor("Postman", "Clone Agent…");
    await window.quickInput.titled("Clone Postman");
    await window.quickInput.answer("Postman two");
    await agents.row("Postman two").waitFor();
    await agents.chooseFor("Postman two", "Delete Agent…");
    match(await window.dialog.text(), /Delete the agent “Postman two”\?/);
    await window.dialog.answer("Delete");
    await until("it is gone", async () => !(await agents.labels()).includes("Postman two"));
    ok((await agents.labels()).includes("Postman"));
  });
});

/** A platform without the threads and agents that a new one comes with. */
async function emptyPlatform(): Promise<LocalPlatform> {
  const platform = await LocalPlatform.start();
  const { agents, threads } = managedAgentsOf(platform);
  const { body } = await platform.send("POST", "/threads/search", { limit: 100 });
  for (const { thread_id } of body as unknown as { thread_id: string }[])
    await platform.send("DELETE", `/threads/${thread_id}`);
  for await (const { id } of agents.list()) {
    for await (const thread of threads.list({ agent_id: id })) await threads.delete(thread.id);
    await agents.delete(id);
  }
  return platform;
}
