import { deepEqual, equal, match } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { startFeedbackService } from "../support/feedbackService.ts";
import type { FeedbackService } from "../support/feedbackService.ts";
import { startAgentServer } from "../peers/server.ts";
import type { PeerServer } from "../peers/server.ts";
import { Conversation } from "./pages/conversation.ts";
import { Mouse } from "./pages/hands.ts";
import { windowSaved } from "./pages/savedWindow.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("The story on a real agent server, by mouse", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  let feedback: FeedbackService;
  let server: PeerServer;
  let window: WorkbenchPage;
  let conversation: Conversation;

  before(async () => {
    feedback = await startFeedbackService();
    server = await startAgentServer({ LANGSMITH_ENDPOINT: feedback.url, LANGSMITH_API_KEY: "none" });
    const hands = new Mouse();
    window = new WorkbenchPage(workbench.page, hands);
    conversation = new Conversation(workbench.page, hands);
  });

  after(async () => {
    await server.stop();
    await feedback.stop();
  });

  it("adds the server by its address, step by step", async () => {
    await window.sideBar.open();
    await window.palette.run("Agents: Add Connection…");
    await window.quickInput.choose(/Agent server/);
    await window.quickInput.titled("(2/5)");
    await window.quickInput.answer(server.url);
    await window.quickInput.titled("(3/5)");
    await window.quickInput.back();
    for (const [step, answer] of [server.url, "My agents", ""].entries()) {
      await window.quickInput.titled(`(${String(step + 2)}/5)`);
      await window.quickInput.answer(answer);
    }
    await window.quickInput.choose(/Save/);
    const added = window.sideBar.deployments.row("My agents");
    await added.and(workbench.page.locator(".focused")).waitFor();
  });

  it("runs the researcher, its tools and its subagents", async () => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("researcher");
    await conversation.askForFeedback("user_score");
    await conversation.say("old maps");
    await conversation.tool("search").first().waitFor();
    await conversation.idle();
    await conversation.transcript.toStart();
    await conversation.subagents.nth(1).waitFor();
    await conversation.transcript.toEnd();
  });

  it("shows over time what ran, and what it took, and leads from a step to its row", async () => {
    await conversation.toggleTimeline();
    const { timeline } = conversation;
    await timeline.getByRole("application").waitFor();
    match(await timeline.innerText(), /1 run · \d+ steps · .* in steps · tokens [\d,]+ in · \d+ out/);
    await timeline.getByRole("button", { name: "Table" }).click();
    await timeline
      .getByRole("row", { name: /^model scientist/ })
      .first()
      .click();
    await conversation.transcript.inFront(/^model/);
    await conversation.toggleTimeline();
    await timeline.waitFor({ state: "detached" });
    await conversation.transcript.toEnd();
  });

  it("confirms 👍 with a comment, and the service received it", async () => {
    await conversation.thumb("Good", "user_score", "Splendid");
    // The service is not where the server is.
    match(await window.dialog.text(), /Send feedback to http:\/\/127\.0\.0\.1:\d+\?/);
    await window.dialog.answer("Send There");
    await conversation.feedback.last().getByText("sent").waitFor();
    equal(feedback.received.length, 1);
    const [received] = feedback.received;
    deepEqual(JSON.parse(received?.body ?? ""), { score: 1, comment: "Splendid" });
    equal(received?.headers["x-api-key"], undefined);
  });

  it("answers what the approval agent asks", async () => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("approval");
    await conversation.say("Report");
    await conversation.questions.last().waitFor();
    await conversation.decide("Approve", 0);
    await conversation.decide("Approve", 1);
    await conversation.decide("Send 2 Decisions");
    await conversation.questions.last().getByText("answered").waitFor();
    await conversation.idle();
    match((await conversation.transcript.text()).join("\n"), /Outcome: send_mail approve/);
  });

  it("keeps an interrupted run, when a second one takes its place", async () => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("slow");
    await conversation.runJson({ messages: [{ role: "user", content: "one" }], seconds: 30 });
    await conversation.speaking();
    await conversation.runJson({ messages: [{ role: "user", content: "two" }], seconds: 1 }, "interrupt");
    await conversation.idle();
    await conversation.transcript.toStart();
    await conversation.runs.first().getByText("interrupted").waitFor();
  });

  it("shows the same transcript after the window is reloaded in the middle of a run", async () => {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.chooseAgent("slow");
    await conversation.runJson({ messages: [{ role: "user", content: "count on" }], seconds: 15 });
    await conversation.streaming();
    await windowSaved(window.page, "count on");
    equal((await conversation.sessionState.innerText()).trim(), "Streaming");
    await workbench.reload();
    await conversation.titled("count on");
    await conversation.idle();
    const after = await conversation.transcript.text();
    equal(after.filter((row) => row.includes("word0 word1 ")).length, 1, "the answer, once");
    match(after.join("\n"), /word148 word149/);
    await window.palette.run("View: Close All Editors");
    await window.sideBar.open();
    await window.sideBar.deployments.open("count on");
    await conversation.titled("count on");
    await conversation.idle();
    equal((await conversation.transcript.text()).join("\n"), after.join("\n"));
  });
});
