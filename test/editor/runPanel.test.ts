import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { say } from "../support/localPlatform.ts";
import { connectServer, hideView, removeThreads, setKey } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { requestsAfter, watchRequests } from "./requests.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { idle, send, tabs, texts } from "./panelSession.ts";

describe("The run panel", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await removeThreads(platform);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("makes no thread until something is sent", async () => {
    const before = await count();
    const panel = extension.panels.openNew(server());
    equal(panel.title, "New thread");
    panel.close();
    equal(await count(), before);
    const used = extension.panels.openNew(server());
    await send(used.session, "echo", "What do you say?");
    equal(await count(), before + 1);
    await until("the tab tells how the thread began", () => tabs().includes("What do you say?"));
  });

  it("streams a run into the transcript, and tells the trees of it a few times, not with each event", async () => {
    const panel = extension.panels.openNew(server());
    let told = 0;
    const listening = extension.threads.onDidChange(({ kind, threads }) => {
      if (kind === "run" && threads[0]?.threadId === panel.thread?.threadId) told += 1;
    });
    await send(panel.session, "echo", "hello");
    await idle(panel.session);
    await until("it is told", () => told > 0);
    listening.dispose();
    ok(
      texts(panel.session).some((text) => text.includes("You said:")),
      texts(panel.session).join("\n"),
    );
    ok(told <= 4, `told ${String(told)} times`);
  });

  it("counts a thread that waits for a person until it is answered", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "approval", "Tell them");
    await idle(panel.session);
    await until("it is counted", () => extension.waitingThreads.count() === 1);
    const question = panel.session.entries.find((entry) => entry.kind === "interrupt");
    ok(question);
    deepEqual(await panel.session.answers.decide(question.id, [{ type: "approve" }]), { accepted: true });
    await idle(panel.session);
    await until("nothing waits any more", () => extension.waitingThreads.count() === 0);
  });

  it("leads to a run of the thread in front, and says where there is nothing to be led to", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "echo", "The first of two");
    await idle(panel.session);
    await send(panel.session, "approval", "The second of two");
    await idle(panel.session);
    await until("it is in front", () => panel.active);
    using person = new Person();
    person.will({ choose: "1. The first of two" });
    await vscode.commands.executeCommand("agentOperations.thread.goToRun");
    match(
      person.asked[0]?.rows.join("\n") ?? "",
      /^2\. The second of two.*waiting.*\n1\. The first of two.*success/,
    );
    await vscode.commands.executeCommand("agentOperations.thread.nextQuestion");
    deepEqual(person.told, []);
    await vscode.commands.executeCommand("agentOperations.thread.nextError");
    deepEqual(person.told, ["Nothing failed in this thread."]);
    person.done();
  });

  it("lets a thread be answered elsewhere while it is still read for the panel", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "approval", "Tell them");
    await idle(panel.session);
    const ref = panel.thread!;
    panel.close();
    const again = extension.panels.open(ref);
    await until("it is read", () => again.session.state.kind === "loading");
    await extension.inbox.load(true);
    await extension.sessions.decide(ref, extension.inbox.find(ref)!.question.sole!, { type: "approve" });
    await idle(again.session);
  });

  it("keeps a run going when its panel closes, and shows what came meanwhile", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "echo", "closed in the middle ".repeat(20));
    const { session } = panel;
    const ref = panel.thread!;
    await until("the run says something", () => texts(session).length >= 2);
    panel.close();
    deepEqual(extension.sessions.streaming, [ref]);
    const again = extension.panels.open(ref);
    equal(again.session, session);
    await idle(again.session);
    ok(texts(again.session).some((text) => text.includes("What I noticed about it")));
    equal(texts(again.session).length, 2);
  });

  it("ends a session that nobody shows and that does not stream", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "echo", "short");
    await idle(panel.session);
    const ref = panel.thread!;
    const { session } = panel;
    panel.close();
    const again = extension.panels.open(ref);
    ok(again.session !== session, "the same session");
    await until("the transcript is back", () => texts(again.session).length === 2);
  });

  it("shows what others do within ten seconds, while it is seen and no longer", async () => {
    const ref = await thread("Followed");
    const panel = extension.panels.open(ref);
    await idle(panel.session);
    // Only the panel is left that asks anything.
    await hideView(extension);
    using time = holdTime(extension);
    const looked = async (): Promise<void> => {
      const requests = watchRequests(extension, ({ url }) => url.endsWith("/threads/search"));
      await time.until("a small request looks at it", () => requests.urls.length > 0, 60_000);
      requests.stop();
    };
    for (let minute = 0; minute < 4; minute += 1) await looked();
    await until("the next look is planned", () => time.began((ms) => ms <= 10_000));
    await platform.stream(ref.threadId, { assistant_id: "echo", input: say("From elsewhere") });
    await time.until("it is shown", () => texts(panel.session).includes("From elsewhere"));
    await extension.threads.rename(ref, "Hidden");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "over it" }));
    await until("it is hidden", () => !panel.active);
    await idle(panel.session);
    deepEqual(await requestsAfter(extension, () => time.pass(600_000)), []);
    extension.panels.open(ref);
    await looked();
  });

  it("closes a question that is answered elsewhere, says by whom, and sends no second answer", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "approval", "Tell them");
    await idle(panel.session);
    const asked = () => panel.session.entries.find((entry) => entry.kind === "interrupt")!;
    await hideView(extension);
    using time = holdTime(extension);
    const resume = { decisions: [{ type: "reject", message: "not now" }] };
    await platform.stream(panel.thread!.threadId, { assistant_id: "approval", command: { resume } });
    const outcome = await panel.session.answers.decide(asked().id, [{ type: "approve" }]);
    match(outcome.accepted ? "" : outcome.message, /answered (meanwhile|already)/);
    deepEqual([asked().state, asked().answer], ["answered", "reject: not now"]);
    equal(asked().giver?.kind, "run");
    await time.until("the other's run is shown", () =>
      /Rejected|not now/.test(texts(panel.session).join("\n")),
    );
    equal(asked().state, "answered");
  });

  it("says what is wrong and goes on by itself when the key is back", async () => {
    const ref = await thread("Locked");
    await setKey(extension, connectionId, [platform.ready.deploymentUrl], "wrong");
    const panel = extension.panels.open(ref);
    await until("the panel failed", () => panel.session.state.kind === "failed");
    const { state } = panel.session;
    ok(state.kind === "failed");
    deepEqual(
      state.actions.map(({ action }) => action),
      ["setApiKey", "testConnection"],
    );
    match(state.message, /key/i);
    await setKey(extension, connectionId, [platform.ready.deploymentUrl], platform.ready.apiKey);
    await until("the panel works again", () => panel.session.state.kind === "idle");
  });

  it("says that a thread was deleted elsewhere and keeps what it shows", async () => {
    const panel = extension.panels.openNew(server());
    await send(panel.session, "echo", "soon gone");
    await idle(panel.session);
    await platform.send("DELETE", `/threads/${panel.thread!.threadId}`);
    const outcome = await panel.session.start({
      assistantId: "echo",
      input: { text: "more" },
      streamModes: ["values"],
    });
    equal(outcome.accepted, false);
    ok(texts(panel.session).length >= 2);
  });

  function server() {
    const { deploymentUrl: url } = platform.ready;
    return { connectionId, server: { kind: "agentServer", url }, name: "Sample", url } as const;
  }

  async function thread(title: string) {
    return {
      connectionId,
      server: { kind: "agentServer", url: platform.ready.deploymentUrl } as const,
      threadId: await platform.thread({ title }),
    };
  }

  async function count(): Promise<number> {
    return Number((await platform.send("POST", "/threads/count", {})).text);
  }
});
