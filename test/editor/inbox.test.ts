import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { Agent } from "../../src/api/managedAgents/wire.ts";
import { Inbox } from "../../src/editor/threads/inbox.ts";
import { inboxDescription, inboxRows } from "../../src/editor/views/threads/inbox.ts";
import { say } from "../support/localPlatform.ts";
import { connect, connectServer, drawRows, host, removeThreads } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useManagedPlatform } from "./managedPlatform.ts";
import type { ManagedPlatform } from "./managedPlatform.ts";
import { Person } from "./person.ts";

describe("The Inbox view", () => {
  let extension: Extension;
  let managed: ManagedPlatform;
  let agent: Agent;

  useManagedPlatform(async (own) => {
    ({ extension, managed } = own);
    await removeThreads(managed.platform);
    agent = await managed.agent("Postman", "approval");
    await managed.connect(extension);
    await vscode.commands.executeCommand("agentOperations.inbox.focus");
  });

  it("lists what waits on any connection, the oldest first, by what is asked", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Older" });
    await managed.platform.stream(onServer, { assistant_id: "approval", input: say("Tell them first") });
    await managed.spoken(agent, "Tell them later");
    const rows = await shown();
    equal(rows.length, 2, rows.join("\n"));
    match(rows[0]!, /^send_email \| Older · Server · now$/);
    match(rows[1]!, /^send_email \| Tell them later · Platform · Postman · now$/);
    equal(extension.views.inbox.polled.view.description, "2 waiting");
  });

  it("counts what no other view has asked about, and forgets it with its connection", async () => {
    const { id } = await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Older" });
    await managed.platform.stream(onServer, { assistant_id: "approval", input: say("Tell them") });
    await shown();
    equal(extension.waitingThreads.count(id), 1);
    await extension.connections.remove(id);
    await until("it is not counted any more", () => extension.waitingThreads.count(id) === 0);
  });

  it("reads page after page, and says where more wait than are shown", async () => {
    for (const text of ["One", "Two", "Three", "Four", "Five"]) await managed.spoken(agent, text);
    const inbox = new Inbox(extension, { pageSize: 1, most: 3 });
    await inbox.load(true);
    const rows = inboxRows(inbox.contents!, () => "", host()).map((row) => row.item());
    equal(rows.length, 4);
    match(String(rows[0]!.description), /^One · Platform/);
    equal(rows[3]!.label, "Load more (3 shown)");
    equal(rows[3]!.command?.command, "agentOperations.inbox.loadMore");
    equal(inboxDescription(inbox.contents!, extension.waitingThreads.count()), "5 waiting, 3 shown");
    await inbox.loadMore();
    equal(inboxRows(inbox.contents!, () => "", host()).length, 5);
    equal(inboxDescription(inbox.contents!, extension.waitingThreads.count()), "5 waiting");
    inbox.dispose();
    equal((await shown()).length, 5);
    await vscode.commands.executeCommand("agentOperations.inbox.loadMore");
    equal(extension.views.inbox.polled.view.description, "5 waiting");
  });

  it("says where a platform has more deployments than were asked", () => {
    const contents = { isListed: true, threads: [], failures: [], rest: "none", asking: false } as const;
    const cut = { ...contents, cut: [{ connectionId: "a", at: 1000 }] };
    const [row, ...others] = inboxRows(cut, () => "Platform", host()).map((node) => node.item());
    equal(others.length, 0);
    deepEqual(
      [row!.label, row!.description],
      ["Platform", "more than 1,000 deployments: only the first 1,000 were asked"],
    );
    equal(inboxDescription(cut, 0), "perhaps some waiting");
    equal(inboxDescription({ ...cut, cut: [] }, 0), "");
  });

  it("says that nothing waits", async () => {
    await vscode.commands.executeCommand("agentOperations.inbox.refresh");
    deepEqual(await drawRows(extension.views.inbox.polled.nodes), []);
    equal(extension.views.inbox.empty, "nothing");
  });

  it("approves what is plain without opening it, and the row goes", async () => {
    const thread = await managed.spoken(agent);
    await shown();
    const [waiting] = extension.inbox.threads;
    await vscode.commands.executeCommand("agentOperations.inbox.approve", waiting!.ref);
    await until(
      "the thread is idle",
      async () => (await managed.api.threads.get(thread.id)).status === "idle",
    );
    await until("the inbox is empty", async () => (await shown()).length === 0);
    const done = JSON.stringify((await managed.api.threads.get(thread.id)).values);
    match(done, /"type":"tool"/);
    ok(!done.includes("Rejected"), done);
  });

  it("approves at once, and shows the whole thread afterwards, where earlier runs are slow to be replayed", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Mail" });
    await managed.platform.stream(onServer, { assistant_id: "approval", input: say("Tell them") });
    await shown();
    const { ref } = extension.inbox.threads.find((waiting) => waiting.ref.threadId === onServer)!;
    await managed.fault({
      match: { method: "GET", path: "/runs/[^/]+/stream$" },
      delay_ms: 15_000,
      times: 100,
    });
    let sent = false;
    void vscode.commands.executeCommand("agentOperations.inbox.approve", ref).then(() => (sent = true));
    await until("the decision was taken", () => sent, 5000);
    await managed.healed();
    const { session } = extension.panels.open(ref);
    await until("the thread is loaded", () => session.state.kind === "idle");
    equal(session.entries.filter(({ kind }) => kind === "run").length, 2);
    ok(session.entries.some((entry) => entry.kind === "message" && entry.text === "Tell them"));
  });

  it("lets a thread go on that stopped at a breakpoint, and shows it as that", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Halt" });
    const stopped = { assistant_id: "echo", input: say("Go on"), interrupt_before: "*" };
    await managed.platform.stream(onServer, stopped);
    const rows = await shown();
    match(rows.join("\n"), /^Stopped at a breakpoint \| Halt · Server · now$/);
    const { ref } = extension.inbox.threads.find((waiting) => waiting.ref.threadId === onServer)!;
    await vscode.commands.executeCommand("agentOperations.inbox.continue", ref);
    await until("nothing waits", async () => (await shown()).length === 0);
    const { session } = extension.panels.open(ref);
    await until("it has answered", () =>
      session.entries.some((entry) => entry.kind === "message" && entry.role === "ai" && !entry.streaming),
    );
  });

  it("rejects with a reason, which the agent is told, wherever it runs", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Mail" });
    await managed.platform.stream(onServer, { assistant_id: "approval", input: say("Tell them") });
    const { id: ofAgent } = await managed.spoken(agent);
    await shown();
    using person = new Person();
    for (const threadId of [onServer, ofAgent]) {
      const waiting = extension.inbox.threads.find(({ ref }) => ref.threadId === threadId);
      person.will({ type: `not today, ${threadId}` });
      await vscode.commands.executeCommand("agentOperations.inbox.reject", waiting!.ref);
    }
    person.done();
    await until("the reasons arrived", async () => {
      const { text } = await managed.platform.send("GET", `/threads/${onServer}/state`);
      const { values } = await managed.api.threads.get(ofAgent);
      return (
        text.includes(`not today, ${onServer}`) && JSON.stringify(values).includes(`not today, ${ofAgent}`)
      );
    });
  });

  it("does not answer a question that was answered elsewhere meanwhile", async () => {
    const thread = await managed.spoken(agent);
    await shown();
    const [waiting] = extension.inbox.threads;
    await managed.api.threads.resolveInterrupt(thread.id);
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.inbox.approve", waiting!.ref);
    match(person.told[0] ?? "", /does not wait for that answer any more/);
    deepEqual(await shown(), []);
  });

  it("dismisses without running only when told so, and says that this is no answer", async () => {
    const thread = await managed.spoken(agent);
    await shown();
    const [waiting] = extension.inbox.threads;
    using person = new Person().presses("Dismiss Without Running");
    await vscode.commands.executeCommand("agentOperations.inbox.dismiss", waiting!.ref);
    match(person.told[0] ?? "", /Dismiss “.*neither an approval nor a rejection/s);
    equal((await managed.api.threads.get(thread.id)).status, "idle");
    deepEqual(await shown(), []);
  });

  it("lets go of what was answered elsewhere while it is seen", async () => {
    using time = holdTime(extension);
    const thread = await managed.spoken(agent);
    await extension.views.inbox.refresh();
    equal(extension.inbox.threads.length, 1);
    await managed.api.threads.resolveInterrupt(thread.id);
    await time.until("the row is gone", () => extension.inbox.threads.length === 0);
  });

  it("opens a thread on its question", async () => {
    await managed.spoken(agent);
    await shown();
    const [waiting] = extension.inbox.threads;
    await vscode.commands.executeCommand("agentOperations.inbox.answer", waiting!.ref);
    const panel = extension.panels.all.at(-1)!;
    deepEqual(panel.thread, waiting!.ref);
    const asked = await until("the question is shown", () =>
      panel.session.entries.find(({ kind }) => kind === "interrupt"),
    );
    await until("it is loaded", () => panel.session.state.kind === "idle");
    deepEqual(await panel.session.answers.decide(asked.id, [{ type: "approve" }]), { accepted: true });
    await until("nothing waits", async () => (await shown()).length === 0);
  });

  it("shows a connection that can't be asked beside the others", async () => {
    await connect(extension, "Dead", "http://127.0.0.1:9");
    await managed.spoken(agent);
    const rows = await shown();
    match(rows[0]!, /^Dead \| could not be asked/);
    match(rows[1]!, /Nothing listens/);
    equal(extension.inbox.threads.length, 1);
  });

  async function shown(): Promise<string[]> {
    await extension.views.inbox.refresh();
    return drawRows(extension.views.inbox.polled.nodes);
  }
});
