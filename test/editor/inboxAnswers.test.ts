import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import type { Agent } from "../../src/api/managedAgents/wire.ts";
import { LocalPlatform, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer, drawRows, removeThreads } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useManagedPlatform } from "./managedPlatform.ts";
import type { ManagedPlatform } from "./managedPlatform.ts";
import { Person } from "./person.ts";

describe("An answer from the Inbox view", () => {
  let extension: Extension;
  let managed: ManagedPlatform;
  let agent: Agent;

  useManagedPlatform(async (own) => {
    ({ extension, managed } = own);
    await removeThreads(managed.platform);
    agent = await managed.agent("Postman", "approval");
    await managed.connect(extension);
    await extension.inbox.arrange({});
    await vscode.commands.executeCommand("agentOperations.inbox.focus");
  });

  it("approves what is plain without opening it, and the row goes", async () => {
    const thread = await managed.spoken(agent);
    await shown();
    const [waiting] = extension.inbox.threads;
    using person = new Person().presses("Approve");
    await vscode.commands.executeCommand("agentOperations.inbox.approve", waiting!.ref);
    match(person.told.join(), /^Approve “send_email”\?\n.*to: team@example\.com\nsubject: Update\nbody: /s);
    await until(
      "the thread is idle",
      async () => (await managed.api.threads.get(thread.id)).status === "idle",
    );
    await until("the inbox is empty", async () => (await shown()).length === 0);
    const done = JSON.stringify((await managed.api.threads.get(thread.id)).values);
    match(done, /"type":"tool"/);
    ok(!done.includes("Rejected"), done);
  });

  it("asks no more where all that is asked is in sight, and asks where it is another's, longer, or protected", async () => {
    await managed.spoken(agent, "Tell Ann");
    await managed.spoken(agent, "Tell Bob");
    await managed.spoken(agent, Array.from({ length: 80 }, (_, at) => `${String(at)}.`).join("\n"));
    await shown();
    const [ann, bob, long] = extension.inbox.threads.map(({ ref }) => ref);
    const preview = async (thread: ThreadRef, text: RegExp): Promise<void> => {
      await vscode.commands.executeCommand("agentOperations.inbox.preview", thread);
      const seen = (): boolean =>
        vscode.window.visibleTextEditors.some(
          ({ document, visibleRanges }) => text.test(document.getText()) && visibleRanges.length > 0,
        );
      await until("it is in sight", seen);
    };
    using person = new Person();
    const asked = async (thread: ThreadRef): Promise<number> => {
      person.told.length = 0;
      await vscode.commands.executeCommand("agentOperations.inbox.approve", thread);
      return person.told.length;
    };
    await preview(long!, /79\./);
    equal(await asked(long!), 1, "it goes on below the window's edge");
    await preview(ann!, /body: Tell Ann/);
    equal(await asked(bob!), 1, "another one is in sight");
    const connection = extension.connections.get(managed.connectionId)!;
    await extension.connections.update({ ...connection, protected: "click" });
    await shown();
    await preview(ann!, /\(protected\)/);
    equal(await asked(ann!), 1, "it is protected");
    await extension.connections.update(connection);
    await shown();
    await preview(ann!, /Connection {2}Platform\n/);
    equal((await shown()).length, 3);
    equal(await asked(ann!), 0);
    await until("it is approved", async () => (await shown()).length === 2);
  });

  it("means the next thread by a key that is pressed before that is selected", async () => {
    for (const text of ["Tell Ann", "Tell Bob", "Tell Cid"]) await managed.spoken(agent, text);
    await shown();
    const next = (): Thenable<unknown> => vscode.commands.executeCommand("agentOperations.inbox.next");
    await next();
    const [ann] = extension.inbox.threads.map(({ ref }) => ref);
    using person = new Person();
    // The editor gives a key the row that has the focus, which is still the first.
    const approved = [next(), next(), vscode.commands.executeCommand("agentOperations.inbox.approve", [ann])];
    await Promise.all(approved);
    match(person.told.join(), /^Approve “send_email”\?\n.*body: Tell Cid/s);
    equal((await shown()).length, 3);
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
    using person = new Person();
    person.presses("Approve");
    void vscode.commands.executeCommand("agentOperations.inbox.approve", ref).then(() => (sent = true));
    await until("the decision was taken", () => sent, 5000);
    await managed.healed();
    const { session } = extension.panels.open(ref);
    const runs = () => session.entries.filter(({ kind }) => kind === "run").length;
    await until("both of its runs are shown", () => session.state.kind === "idle" && runs() === 2);
    ok(session.entries.some((entry) => entry.kind === "message" && entry.text === "Tell them"));
  });

  it("lets a thread go on that stopped at a breakpoint, and shows it as that", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Halt" });
    const stopped = { assistant_id: "echo", input: say("Go on"), interrupt_before: "*" };
    await managed.platform.stream(onServer, stopped);
    const rows = await shown();
    match(rows.join("\n"), /^Server · Stopped at a breakpoint \| Halt · echo · now$/);
    const { ref } = extension.inbox.threads.find((waiting) => waiting.ref.threadId === onServer)!;
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.inbox.continue", ref);
    match(person.told.join(), /^Continue “Stopped at a breakpoint”\?\nHalt/);
    equal((await shown()).length, 1, "it is asked about, and was not wanted");
    person.presses("Continue");
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
    using person = new Person().presses("Approve");
    await vscode.commands.executeCommand("agentOperations.inbox.approve", waiting!.ref);
    match(person.told[1] ?? "", /does not wait for that answer any more/);
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

  it("responds to an action in place of the tool", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Mail" });
    await managed.platform.stream(onServer, { assistant_id: "approval", input: say("Tell them") });
    await shown();
    const { ref } = extension.inbox.threads[0]!;
    using person = new Person().will({ type: "They know" });
    await vscode.commands.executeCommand("agentOperations.inbox.respond", ref);
    person.done();
    await until("the response arrived", async () =>
      (await managed.platform.send("GET", `/threads/${onServer}/state`)).text.includes("They know"),
    );
  });

  it("keeps what could not be sent, with what was written", async () => {
    await managed.spoken(agent);
    await shown();
    const { ref } = extension.inbox.threads[0]!;
    await managed.fault({ match: { method: "POST", path: "/runs/stream$" }, status: 403, times: 1 });
    using person = new Person().will({ type: "not today" });
    await vscode.commands.executeCommand("agentOperations.inbox.reject", ref);
    await managed.healed();
    match((await shown()).join("\n"), /^Platform · send_email \| not sent · Tell them/);
    person.will({ type: "not today, really" });
    await vscode.commands.executeCommand("agentOperations.inbox.reject", ref);
    equal(person.asked[1]?.start, "not today");
    await until("the row is gone", async () => (await shown()).length === 0);
  });

  it("answers several at once after one summary that says what will run where", async () => {
    const production = await LocalPlatform.start();
    try {
      await removeThreads(production);
      const { id } = await connectServer(extension, "Production", production);
      await extension.connections.update({ ...extension.connections.get(id)!, protected: "click" });
      const there = await production.thread({ title: "Refund" });
      await production.stream(there, { assistant_id: "approval", input: say("Pay them\n\nall 30") });
      await managed.spoken(agent, "Tell Ann");
      await shown();
      const refs = extension.inbox.threads.map(({ ref }) => ref);
      equal(refs.length, 2);
      using person = new Person();
      await vscode.commands.executeCommand("agentOperations.inbox.approve", refs[0], refs);
      const [summary = "", ...others] = person.told;
      deepEqual(others, []);
      match(summary, /^Approve 2 threads\?\n/);
      match(
        summary,
        /Production \(protected\):\n• send_email · to: team@example\.com, .*body: Pay them all 30 · Refund · approval/,
      );
      match(summary, /Platform:\n• send_email · to: .* · Tell Ann · Postman/);
      match(summary, /Protected: “Production”\.$/);
      equal((await shown()).length, 2);
      person.presses("Approve 2");
      await vscode.commands.executeCommand("agentOperations.inbox.approve", refs[0], refs);
      await until("nothing waits", async () => (await shown()).length === 0);
      equal(person.told.length, 2);
    } finally {
      await production.remove();
    }
  });

  async function shown(): Promise<string[]> {
    await extension.views.inbox.refresh();
    return drawRows(extension.views.inbox.polled.nodes);
  }
});
