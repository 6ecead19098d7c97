import { deepEqual, equal, match } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { Agent } from "../../src/api/managedAgents/wire.ts";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { labels } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useManagedPlatform } from "./managedPlatform.ts";
import type { ManagedPlatform } from "./managedPlatform.ts";
import { Person } from "./person.ts";

describe("Threads of managed agents", () => {
  let extension: Extension;
  let managed: ManagedPlatform;
  let agent: Agent;

  useManagedPlatform(async (own) => {
    ({ extension, managed } = own);
    await extension.agents.setThreadFilter({});
    agent = await managed.agent("Approver", "approval");
    await managed.connect(extension);
    await vscode.commands.executeCommand("agentOperations.agents.focus");
  });

  it("are counted while they need somebody, in the badge of the Inbox", async () => {
    await threadTitles();
    await managed.spoken(agent);
    await vscode.commands.executeCommand("agentOperations.agents.refresh");
    await until("the badge counts one", () => extension.views.inbox.polled.view.badge?.value === 1);
    equal(extension.views.inbox.polled.view.badge?.tooltip, "1 thread waits for you");
    equal(extension.waitingThreads.count(), 1);
  });

  it("are renamed, pinned and deleted by the commands that any thread has", async () => {
    const { id } = await managed.spoken(agent);
    const thread = ref(id);
    await threadTitles();
    using person = new Person().will({ type: "Update mail" }).presses("Delete");
    await vscode.commands.executeCommand("agentOperations.thread.rename", thread);
    await listed("Update mail");
    await vscode.commands.executeCommand("agentOperations.agentThread.pin", thread);
    equal((await managed.api.threads.get(id)).is_pinned, true);
    await vscode.commands.executeCommand("agentOperations.agentThread.unpin", thread);
    equal((await managed.api.threads.get(id)).is_pinned, false);
    await vscode.commands.executeCommand("agentOperations.thread.delete", thread);
    await until("the row is gone", async () => (await threadTitles())[0] === "No threads");
    person.done();
  });

  it("offer no Stop and no earlier states, which the platform does not have", async () => {
    const { id } = await managed.spoken(agent);
    deepEqual([...extension.threadHosts.of(ref(id)).unsupported.keys()], ["stop", "history", "repair"]);
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.thread.openEarlierState", ref(id));
    match(person.told.join(), /keeps no earlier states/);
    equal(person.asked.length, 0);
  });

  it("are changed many at once, and those that fail are reported", async () => {
    const threads = [await managed.spoken(agent), await managed.spoken(agent)].map(({ id }) => ref(id));
    await managed.api.threads.delete(threads[1]!.threadId);
    using person = new Person().will({ choose: "Set Metadata…" }, { type: '{"ticket":"4711"}' });
    await vscode.commands.executeCommand("agentOperations.agentThread.change", threads[0], threads);
    match(person.told[0] ?? "", /1 of 2 threads were not changed/);
    equal((await managed.api.threads.get(threads[0]!.threadId)).metadata?.["ticket"], "4711");
  });

  it("are searched by metadata and by values, and filtered by what they need", async () => {
    const [one, two] = [
      await managed.spoken(agent, "first words"),
      await managed.spoken(agent, "second words"),
    ];
    await managed.api.threads.update(one.id, { metadata: { ticket: "4711" }, title: "One" });
    await managed.api.threads.update(two.id, { title: "Two", is_pinned: true });
    const testRun = await managed.api.runs.createWithThread({
      agent_id: agent.id,
      thread: { options: { test_run: true } },
      input: { messages: [{ role: "user", content: "a test" }] },
    });
    const testTitle = (await managed.api.threads.get(testRun.thread_id!)).title!;
    await threadTitles();
    using person = new Person();
    const searched = async (text: string, ...titles: readonly string[]): Promise<void> => {
      person.will({ type: text });
      await vscode.commands.executeCommand("agentOperations.agentThreads.search");
      await listed(...titles);
    };
    await searched('ticket="4711"', "One");
    await searched("two", "Two");
    await searched(one.id, "One");
    await searched("", "Two", "One");
    const filtered = async (label: string, ...titles: readonly string[]): Promise<void> => {
      person.will({ choose: label });
      await vscode.commands.executeCommand("agentOperations.agentThreads.filter");
      await listed(...titles);
    };
    await filtered("pinned", "Two");
    await filtered("test runs", testTitle);
    await filtered("needs attention", "Two", "One");
    await filtered("idle", "No threads");
    await vscode.commands.executeCommand("agentOperations.agentThreads.clearFilter");
    await listed("Two", "One");
  });

  it("load more on demand", async () => {
    for (let index = 0; index < 25; index++) await managed.api.threads.create({ agent_id: agent.id });
    equal((await threadTitles()).length, 21);
    await vscode.commands.executeCommand("agentOperations.agentThreads.loadMore", managed.ref(agent));
    await until("the rest is listed", async () => (await threadTitles()).length === 25);
  });

  it("run in the panel and stay with their agent over a reload of the panel", async () => {
    await vscode.commands.executeCommand("agentOperations.agent.newThread", managed.ref(agent));
    const panel = extension.panels.all.at(-1)!;
    const input = { text: "Tell them" };
    deepEqual(await panel.session.start({ assistantId: agent.id, input, streamModes: [] }), {
      accepted: true,
    });
    await until("the agent asks", () => panel.session.entries.some(({ kind }) => kind === "interrupt"));
    await until("the tab is named", () => panel.title === "Tell them");
    await until("the row is there", async () => (await threadTitles()).includes("Tell them"));
    const thread = panel.thread!;
    panel.close();
    await vscode.commands.executeCommand("agentOperations.thread.open", thread);
    const again = extension.panels.all.at(-1)!;
    const asked = await until("the question is back", () =>
      again.session.entries.find((entry) => entry.kind === "interrupt"),
    );
    await until("it is loaded", () => again.session.state.kind === "idle");
    deepEqual(await again.session.answers.decide(asked.id, [{ type: "approve" }]), { accepted: true });
    await until("the run is over", () => again.session.state.kind === "idle");
    equal((await managed.api.threads.get(thread.threadId)).status, "idle");
  });

  it("are kept apart from the others when they began as a test", async () => {
    await vscode.commands.executeCommand("agentOperations.agent.newTestThread", managed.ref(agent));
    const panel = extension.panels.all.at(-1)!;
    const input = { text: "Try it" };
    await panel.session.start({ assistantId: agent.id, input, streamModes: [] });
    equal((await managed.api.threads.get(panel.thread!.threadId)).test_run, true);
    deepEqual(await threadTitles(), ["No threads"]);
    panel.close();
  });

  it("run without an offer to stop them, which no managed agent can be asked for", async () => {
    const sleeper = await managed.agent("Sleeper", "slow");
    const panel = extension.panels.openNew({
      connectionId: managed.connectionId,
      server: { kind: "managedAgent", agentId: sleeper.id },
    });
    await panel.session.start({ assistantId: sleeper.id, input: { text: "Sleep" }, streamModes: [] });
    equal(panel.session.state.kind, "streaming");
    equal(panel.stoppable, false);
    panel.close();
  });

  it("run in the background, on a new thread or one that is there", async () => {
    using person = new Person();
    person.will({ type: "Tell them" }, { choose: "A test run" }, { type: "Tell them again" });
    await vscode.commands.executeCommand("agentOperations.agent.runInBackground", managed.ref(agent));
    match(person.told[0] ?? "", /Approver runs in the background/);
    const listed = await managed.api.threads.page({ agent_id: agent.id, test_run: true });
    const { id } = listed.items[0]!;
    await until("it asks", async () => (await managed.api.threads.get(id)).status === "interrupted");
    await managed.api.threads.resolveInterrupt(id);
    await vscode.commands.executeCommand("agentOperations.agentThread.runInBackground", ref(id));
    await until("it asks again", async () => (await managed.api.threads.get(id)).status === "interrupted");
    person.done();
  });

  it("show their state as a document", async () => {
    const { id } = await managed.spoken(agent, "look inside");
    await vscode.commands.executeCommand("agentOperations.thread.openState", ref(id));
    match(vscode.window.activeTextEditor?.document.getText() ?? "", /look inside/);
  });

  function ref(threadId: string): ThreadRef {
    const { connectionId } = managed;
    return { connectionId, server: { kind: "managedAgent", agentId: agent.id }, threadId };
  }

  async function listed(...titles: readonly string[]): Promise<void> {
    await until(`these are listed: ${titles.join(", ")}`, async () =>
      isDeepStrictEqual(await threadTitles(), titles),
    );
  }

  async function threadTitles(): Promise<string[]> {
    const { platform } = extension.views.agents;
    const { nodes } = platform;
    await nodes.getChildren();
    const row = await until("the agent is listed", async () => (await platform.roots[0]?.children())?.[0]);
    const [threads] = (await row.children?.()) ?? [];
    return labels(nodes, (await threads?.children?.()) ?? []);
  }
});
