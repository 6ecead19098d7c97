import { deepEqual, equal, match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { Conversation } from "./pages/conversation.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { until } from "./pages/waiting.ts";
import { windowSaved } from "./pages/savedWindow.ts";
import { RunPanel } from "./pages/runPanel.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("The story on the Local Platform, by keyboard alone", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  useKeyboardAlone(workbench);
  let window: WorkbenchPage;
  let conversation: Conversation;

  before(() => {
    window = new WorkbenchPage(workbench.page);
    conversation = new Conversation(workbench.page);
  });

  it("offers to start the Local Platform when there is nothing to run on, and shows its sample", async () => {
    await window.sideBar.open();
    const { deployments } = window.sideBar;
    await deployments.welcome.getByRole("button", { name: "Start the Local Platform" }).waitFor();
    await window.palette.run("Agents: New Thread…");
    await window.notifications.answer("There is no connection yet.", "Start the Local Platform");
    await deployments.goTo("Local Platform");
    await deployments.goTo("Sample deployment");
  });

  it("runs the researcher in a new thread: tokens, tool calls and two subagents stream in", async () => {
    await window.sideBar.deployments.press("Sample deployment", "New Thread");
    await conversation.titled("New thread");
    await conversation.chooseAgent("researcher");
    await conversation.say("tidal energy");
    await conversation.streaming();
    const growing = await grows(async () => (await conversation.messages("ai").allInnerTexts()).join("\n"));
    ok(growing.length >= 3, `what was said came in ${String(growing.length)} steps`);
    await conversation.lanes.nth(1).waitFor();
    await conversation.tool("search_web").first().waitFor();
    await conversation.idle();
    await conversation.transcript.toStart();
    await conversation.subagents.nth(1).waitFor();
    const subagents = await conversation.subagents.allInnerTexts();
    deepEqual(
      subagents.map((text) => text.split(/\s+/)),
      [
        ["web_researcher", "done"],
        ["fact_checker", "done"],
      ],
    );
    await conversation.transcript.toEnd();
    await until("the tab tells what the thread is about", async () =>
      (await window.tabs.titles()).includes("tidal energy"),
    );
    await window.sideBar.deployments.goTo("tidal energy");
    match(await window.sideBar.deployments.description("tidal energy"), /^idle/);
  });

  it("confirms 👍 with a comment, once", async () => {
    await conversation.thumb("Good", "user_score", "Just what I needed");
    const confirmed = conversation.feedback.last();
    await confirmed.getByText("sent").waitFor();
    match(await confirmed.innerText(), /Just what I needed/);
    equal(await confirmed.getByRole("button", { name: /^Good/ }).count(), 0);
  });

  it("shows the events as they were received, searched, and goes back to the conversation", async () => {
    await conversation.showTab("Events");
    await conversation.searchEvents("search_web");
    await conversation.eventsFound.getByText(/^[1-9]\d* of \d+ events$/).waitFor();
    await conversation.showTab("Transcript");
    await conversation.lanes.first().waitFor();
  });

  it("finds words of the conversation by Ctrl+F, and shows a tool's arguments in colours", async () => {
    await conversation.transcript.find("max_results");
    await until("its matches are counted", async () =>
      /^\d+ of \d+$/.test(await conversation.transcript.found.innerText()),
    );
    await conversation.transcript.coloured.first().waitFor();
    await window.page.keyboard.press("Escape");
    await conversation.transcript.found.waitFor({ state: "detached" });
    await conversation.transcript.rowAtHand.waitFor();
  });

  it("notifies that an agent waits for a person, and goes on with the answer", async () => {
    await window.sideBar.deployments.chooseFor("Sample deployment", "New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("approval");
    await conversation.say("Please tell the team");
    await conversation.questions.last().waitFor();
    const { deployments } = window.sideBar;
    await deployments.goTo("Please tell the team");
    await until("the tree knows that it waits", async () =>
      /^waiting/.test(await deployments.description("Please tell the team")),
    );
    await window.tabs.show("tidal energy");
    await window.tabs.show("Please tell the team");
    await conversation.toQuestion();
    await conversation.decide("Approve");
    await conversation.questions.last().getByText("answered").waitFor();
    await conversation.idle();
    match((await conversation.transcript.text()).join("\n"), /Sent to team@example\.com/);
    await until("the tree knows that it goes on no more", async () =>
      /^idle/.test(await deployments.description("Please tell the team")),
    );
  });

  it("marks an input that the agent's schema refuses, and runs what it takes", async () => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("slow");
    await conversation.writeJson({ messages: [], seconds: "many" });
    await conversation.problems.getByText("seconds must be a number").waitFor();
    await conversation.runJson({ messages: [{ role: "user", content: "Work" }], seconds: 1 });
    await conversation.idle();
  });

  it("goes a whole round: an input filled in, run, stopped, changed, run again in a new thread, and taken as cURL", async () => {
    const { keyboard } = window.page;
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("slow");
    await conversation.fillIn("messages", "Dig a well");
    await conversation.fillIn("seconds", "600");
    await keyboard.press("Control+Enter");
    await conversation.streaming();
    await window.tabs.action("Stop Run").waitFor();
    await keyboard.press("Shift+Alt+S");
    await conversation.idle();
    await conversation.runs.first().getByText("interrupted").waitFor();
    await conversation.fillIn("messages", "Dig a hole");
    await conversation.fillIn("seconds", "1");
    await keyboard.press("Control+Enter");
    await conversation.runs.last().getByText("success").waitFor();
    await conversation.idle();
    await keyboard.press("Shift+Alt+Y");
    await conversation.titled("Dig a hole");
    await conversation.messages("ai").getByText("I worked for 1 seconds.").waitFor();
    equal(await conversation.runs.count(), 1);
    await window.palette.run("Agents: Run Actions…");
    await window.quickInput.choose("1. Dig a hole");
    await window.quickInput.choose("Copy as cURL");
    const code = await until("there is code", async () => {
      const text = await window.page.evaluate<string>("navigator.clipboard.readText()");
      return text.startsWith("curl ") ? text : undefined;
    });
    match(code, /"seconds": ?1\b/);
    match(code, /Dig a hole/);
  });

  it("sends what a run was given to an agent once more, and compares both while that one runs", async () => {
    await window.palette.run("Agents: Run Actions…");
    await window.quickInput.choose("1. Dig a hole");
    await window.quickInput.choose("Send the same input to…");
    await window.quickInput.choose("Sample deployment");
    await window.quickInput.choose("slow");
    await window.quickInput.choose("There only");
    const comparison = new RunPanel(window.page).frame();
    await comparison.getByText("Both did the same.").waitFor();
    equal(
      await comparison
        .getByRole("region", { name: /Left|Right/ })
        .getByText("success")
        .count(),
      2,
    );
    await window.tabs.show("Dig a hole");
  });

  it("saves what is in the composer as a file, and brings it back from there", async () => {
    const { keyboard } = window.page;
    await conversation.fillIn("messages", "Dig a ditch");
    await conversation.fillIn("seconds", "2");
    await keyboard.press("Shift+Alt+V");
    await window.quickInput.titled("Save Input");
    await keyboard.press("Enter");
    await window.notifications.clear(/The input is saved in slow\.agentinput\.json\./);
    await conversation.fillIn("messages", "Something else");
    await keyboard.press("Shift+Alt+L");
    await window.quickInput.choose("slow");
    await conversation.filledIn("messages", "Dig a ditch");
    await conversation.filledIn("seconds", "2");
  });

  it("keeps an interrupted run with what it had said, when a second one takes its place", async () => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("echo");
    // Said so slowly that a slow machine is in time for the second run.
    await conversation.say(Array.from({ length: 4 }, () => longText).join(" "));
    await conversation.speaking("Stone 1 lies here");
    await conversation.say("paper", "interrupt");
    await conversation.runs.last().getByText("success").waitFor();
    await conversation.idle();
    equal(await conversation.jumpToLatest.count(), 0, "what came of it is in sight");
    await conversation.transcript.toStart();
    await conversation.runs.first().getByText("interrupted").waitFor();
    await conversation.messages("ai").first().waitFor();
    const [kept] = await conversation.messages("ai").allInnerTexts();
    match(kept ?? "", /Stone 1 lies here/);
    ok(!/"content": ".*Stone 29 lies here/.test(kept ?? ""), "the first answer is complete");
  });

  it("shows the same transcript and comparison after the window is reloaded in the middle of a run", async () => {
    const comparison = "Compare Dig a hole";
    ok((await window.tabs.titles()).includes(comparison));
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("echo");
    await conversation.say(`reloaded rivers ${longText} ${longText}`);
    await conversation.speaking();
    await windowSaved(window.page, "reloaded rivers");
    const before = await conversation.transcript.text();
    equal((await conversation.sessionState.innerText()).trim(), "Streaming");
    await workbench.reload();
    await conversation.titled(/^reloaded rivers/);
    await conversation.idle();
    const after = await conversation.transcript.text();
    equal(after[1], before[1], "what was said");
    equal(after.filter((row) => row.startsWith("Agent")).length, 1, "the answer, once");
    match(after.join("\n"), /What I noticed about it/);
    await window.tabs.show(comparison);
    await new RunPanel(window.page).frame().getByText("Both did the same.").waitFor();
    await window.palette.run("View: Close All Editors");
    await window.sideBar.open();
    await window.sideBar.deployments.open(/^reloaded rivers/);
    await conversation.titled(/^reloaded rivers/);
    await conversation.idle();
    equal((await conversation.transcript.text()).join("\n"), after.join("\n"));
  });
});

const longText = Array.from({ length: 30 }, (_, n) => `Stone ${String(n)} lies here.`).join(" ");

/** What a text was while it grew, each state once. */
async function grows(read: () => Promise<string>): Promise<string[]> {
  const states: string[] = [];
  const hasGrown = async (): Promise<boolean> => {
    const state = await read();
    if (state !== states.at(-1)) states.push(state);
    return states.length >= 5;
  };
  await until("it grows", hasGrown, 6000).catch(() => undefined);
  return states;
}
