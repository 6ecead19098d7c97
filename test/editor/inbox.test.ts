import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { Agent } from "../../src/api/managedAgents/wire.ts";
import { Inbox } from "../../src/editor/inbox/inbox.ts";
import { inboxDescription, inboxRows } from "../../src/editor/views/threads/inboxRows.ts";
import type { ConnectionSetting } from "../../src/editor/connections/connection.ts";
import type { TreeNode } from "../../src/editor/kit/tree/node.ts";
import { say } from "../support/localPlatform.ts";
import { ageless, connect, connectServer, drawRows, host, removeThreads } from "./extensionUnderTest.ts";
import { during } from "./during.ts";
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
    await extension.inbox.arrange({});
    await vscode.commands.executeCommand("agentOperations.inbox.focus");
  });

  it("lists what waits on any connection, the oldest first, by what is asked", async () => {
    await connectServer(extension, "Server", managed.platform);
    const onServer = await managed.platform.thread({ title: "Older" });
    await managed.platform.stream(onServer, { assistant_id: "approval", input: say("Tell them first") });
    await managed.spoken(agent, "Tell them later");
    const rows = await shown();
    equal(rows.length, 2, rows.join("\n"));
    match(rows[0]!, /^Server · send_email \| Older · approval · now$/);
    match(rows[1]!, /^Platform · send_email \| Tell them later · Postman · now$/);
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
    const rows = rowsOf(inbox).map((row) => row.item());
    equal(rows.length, 4);
    match(String(rows[0]!.description), /^One · Postman/);
    equal(rows[3]!.label, "Load more (3 of 5 shown)");
    equal(rows[3]!.command?.command, "agentOperations.inbox.loadMore");
    equal(inboxDescription(inbox.contents!, extension.waitingThreads.count()), "5 waiting, 3 read");
    await inbox.loadMore();
    equal(rowsOf(inbox).length, 5);
    equal(inboxDescription(inbox.contents!, extension.waitingThreads.count()), "5 waiting");
    inbox.dispose();
    equal((await shown()).length, 5);
    await vscode.commands.executeCommand("agentOperations.inbox.loadMore");
    equal(extension.views.inbox.polled.view.description, "5 waiting");
  });

  it("says where a platform has more deployments than were asked", () => {
    const contents = { isListed: true, threads: [], failures: [], rest: "none", asking: false } as const;
    const cut = { ...contents, cut: [{ connectionId: "a", at: 1000 }] };
    const shown = { threads: [], rows: 0 };
    const inbox = { contents: cut, shown, arrangement: {}, unsent: () => undefined };
    const connection = (): ConnectionSetting => ({ id: "a", name: "Platform", kind: "platform" });
    const [row, ...others] = inboxRows({ inbox, count: 0, connection, now: Date.now }, host()).map((node) =>
      node.item(),
    );
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
    match(rows[0]!, /^Platform · send_email/);
    deepEqual(rows.slice(1, 3), ["Could not be read | Dead", "  Dead"]);
    match(rows[3]!, /Nothing listens/);
    equal(rows.length, 4);
    await managed.fault({ match: { method: "POST", path: "/threads/search$" }, status: 503, times: 100 });
    await managed.fault({ match: { method: "GET", path: "/threads" }, status: 503, times: 100 });
    const stale = await shown();
    await managed.healed();
    ok(
      stale.some((row) => /^ {4}Rows as of [^.]*\d:\d\d( [AP]M)?\. .*503/.test(row)),
      stale.join("\n"),
    );
  });

  it("is grouped and filtered, and says by what", async () => {
    const other = await managed.agent("Clerk", "approval");
    await managed.spoken(agent, "Tell Ann");
    await managed.spoken(other, "Tell Bob");
    await managed.spoken(agent, "Tell Cid");
    await shown();
    using person = new Person().will({ choose: "By Agent" });
    await vscode.commands.executeCommand("agentOperations.inbox.group");
    deepEqual(ageless(await shown()), [
      "Platform · Postman | 2 waiting",
      "  send_email | Tell Ann",
      "  send_email | Tell Cid",
      "Platform · Clerk | 1 waiting",
      "  send_email | Tell Bob",
    ]);
    person.will({ choose: "Postman" }, { choose: /Words/ }, { type: "cid" });
    await vscode.commands.executeCommand("agentOperations.inbox.filter");
    await vscode.commands.executeCommand("agentOperations.inbox.filter");
    person.done();
    deepEqual(ageless(await shown()), ["Platform · Postman | 1 waiting", "  send_email | Tell Cid"]);
    equal(extension.views.inbox.polled.view.message, "Shown: by agent · Postman · “cid”.");
    await extension.inbox.arrange({ text: "nothing like it" });
    equal(extension.views.inbox.empty, "filtered");
    await vscode.commands.executeCommand("agentOperations.inbox.clearFilter");
    equal((await shown()).length, 3);
  });

  it("shows what is selected in one tab, which follows the selection, also after a person kept it", async () => {
    await managed.spoken(agent, "Tell Ann");
    await managed.spoken(agent, "Tell Bob");
    await shown();
    const previews = (): readonly vscode.Tab[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ label }) => /^Platform · send_email/.test(label));
    const text = (): string => vscode.window.activeTextEditor?.document.getText() ?? "";
    for (const body of ["Tell Ann", "Tell Bob", "Tell Ann"]) {
      await vscode.commands.executeCommand("agentOperations.inbox.next");
      await until(`the preview shows ${body}`, () => text().includes(`body: ${body}`));
      await until("it is the only one", () => previews().length === 1);
      await vscode.commands.executeCommand("workbench.action.keepEditor");
      await until("it is kept", () => previews().every(({ isPreview }) => !isPreview));
    }
    match(text(), /^Connection {2}Platform\nAgent {7}Postman\nThread {6}Tell Ann\n/);
    const first = extension.inbox.threads[0]!.ref;
    await managed.api.threads.resolveInterrupt(first.threadId);
    await shown();
    await until("it says that nothing waits", () => /does not wait for you any more/.test(text()));
  });

  it("opens nothing by itself where a row is selected again, as after a reload", async () => {
    await managed.spoken(agent, "Tell Ann");
    await shown();
    const { nodes, view } = extension.views.inbox.polled;
    const [row] = await nodes.getChildren();
    const opened: unknown[] = [];
    const openTextDocument = (uri: unknown): Promise<never> => {
      opened.push(uri);
      return Promise.reject(new Error("Not opened here."));
    };
    await during(vscode.workspace, { openTextDocument }, async () => {
      await view.reveal(row!, { select: true, focus: false });
      await until("it is selected", () => view.selection.includes(row!));
      // Whatever the selection asked for comes before this.
      await vscode.commands.executeCommand("agentOperations.inbox.preview");
    });
    deepEqual(opened, []);
  });

  function rowsOf(inbox: Inbox): readonly TreeNode[] {
    const count = extension.waitingThreads.count();
    const connection = (id: string) => extension.connections.get(id);
    return inboxRows({ inbox, count, connection, now: Date.now }, host());
  }

  async function shown(): Promise<string[]> {
    await extension.views.inbox.refresh();
    return drawRows(extension.views.inbox.polled.nodes);
  }
});
